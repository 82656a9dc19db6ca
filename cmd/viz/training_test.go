package main

import (
	"bytes"
	"encoding/json"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"attnatlas/engine/recording"
	"attnatlas/web/browsertest"
	"attnatlas/web/mechanism"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// recorded serves the recordings of two small models.
func recorded(t *testing.T) *httptest.Server {
	t.Helper()
	return recordings.Get(t, func() *httptest.Server { return serving(t, weights{Weights: trained(t)}) })
}

var recordings browsertest.Shared[*httptest.Server]

// trained trains two small models by a recipe, records them, and returns their folder.
func trained(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "viz")
	must(t, err)
	browsertest.AtEnd(func() { os.RemoveAll(dir) })
	recipe := "steps = 6\nlength = 64\nrates = [0.001, 0.01]\ntrial = 2\nround = 0.9\n[adamw]\nrate = 0.01\nbeta1 = 0.9\nbeta2 = 0.98\nepsilon = 1e-8\nclip = 1.0\nwarmup = 1\n" +
		"[[phase]]\nfrom = 0.0\nlengths = [16]\n[[model]]\nid = \"random\"\nwidth = 8\nheads = 2\nseeds = [1, 2]\n[[model]]\nid = \"fixed-random\"\nwidth = 8\nheads = 2\n"
	must(t, os.MkdirAll(filepath.Join(dir, "data"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "data", "a.txt"),
		[]byte(strings.Repeat("The cat sat on the mat because it was tired.\nThe dog saw the cat.\n", 200)), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "recipe.toml"), []byte(recipe), 0o644))
	folders := []string{"--data", dir + "/data", "--state", dir + "/state"}
	if status, _, errs := viz(t, append([]string{"train", "--recipe", dir + "/recipe.toml", "--out", dir + "/out"},
		folders...)...); status != 0 {
		t.Fatal(errs)
	}
	if status, out, errs := viz(t, append([]string{"record", "--weights", dir + "/out"}, folders...)...); status != 0 ||
		strings.Count(out, recording.Extension) != 2 {
		t.Fatal(out, errs)
	}
	if _, err := os.Stat(filepath.Join(dir, "out", "seeds", "2", "random.safetensors")); err != nil {
		t.Error(err)
	}
	return filepath.Join(dir, "out")
}

// TestWatchItLearn: a recipe, its recordings, and their page, API and animation.
func TestWatchItLearn(t *testing.T) {
	server := recorded(t)
	get := func(path string) (int, []byte) {
		status, body := fetch(t, server.URL+path)
		return status, []byte(body)
	}
	_, page := get("/m/random")
	if n := bytes.Count(page, []byte("after=")); n < 8 || !bytes.Contains(page, []byte("Watch it learn")) ||
		!bytes.Contains(page, []byte(`data-mechanism="fixed-random"`)) {
		t.Errorf("the page has %d addresses of frames", n)
	}
	status, body := get("/api/v1/training?m=random,fixed-random&head=2")
	var answer mechanism.Training
	if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK {
		t.Fatal(status, err)
	}
	first, last := answer.Frames[0], answer.Frames[len(answer.Frames)-1]
	if first.Step != 0 || last.Step != 6 || last.Loss >= first.Loss {
		t.Errorf("steps %d to %d, losses %g to %g", first.Step, last.Step, first.Loss, last.Loss)
	}
	cells := func(f mechanism.TrainingFrame, i int) string { return string(f.Mechanisms[i].Maps[0].Planes[0].Values) }
	if cells(first, 0) == cells(last, 0) || cells(first, 1) != cells(last, 1) {
		t.Error("learned random stands still, or fixed random moves")
	}
	text := "&text=" + url.QueryEscape(recording.Texts("random")[1])
	status, body = get("/export/random.apng?head=2" + text)
	_, err := png.Decode(bytes.NewReader(body))
	if err != nil || status != http.StatusOK || bytes.Count(body, []byte("fcTL")) != len(answer.Frames) ||
		!bytes.Contains(body, []byte("acTL")) {
		t.Error(status, err)
	} else if _, body = get("/export/random.png?after=6" + text); !bytes.Contains(body,
		[]byte("After 6 of 6 training steps")) {
		t.Error("a figure does not say after which step")
	}
	for path, want := range map[string]int{
		"/export/random.png?after=9" + text:                   404,
		"/export/random.png?after=6&text=something+else":      404,
		"/export/random.png?after=x" + text:                   400,
		"/export/dense.apng":                                  404,
		"/api/v1/training":                                    400,
		"/api/v1/training?m=dense":                            404,
		"/api/v1/training?m=nonsense":                         404,
		"/api/v1/training?m=random&text=something+else":       404,
		"/api/v1/training?m=random&layer=9":                   200, // the card of the frame gives the reason
		"/m/random?after=3":                                   200,
		"/export/random.png?after=6&map=scores&head=1" + text: 200,
	} {
		if status, body := get(path); status != want {
			t.Errorf("%s: %d %s", path, status, body[:min(len(body), 300)])
		}
	}
}

// TestScrubThroughATraining: the frames play, stop, and follow keys and the slider. Without scripts there is a row of
// pictures.
func TestScrubThroughATraining(t *testing.T) {
	server := recorded(t)
	ctx := tab(t)
	visit(t, ctx, server.URL+"/m/random?head=1")
	must(t, chromedp.Do(ctx, chromedp.ScrollIntoView(chromedp.CSS("#training"))))
	both := `[...document.querySelectorAll('.training-maps canvas')].map((c) => c.toDataURL())`
	said := `training.now()`
	eventually(t, ctx, `!document.querySelector('.training-player').hidden
		&& document.querySelector('.training-frames').hidden && `+said+`.startsWith('after 6 training steps')`)
	settled(t, ctx) // the canvases keep their sizes
	last := ask[[]string](t, ctx, both)
	must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS(".training-scrub")), chromedp.KeyEvent(kb.ArrowLeft)))
	eventually(t, ctx, said+`.startsWith('after 5 training steps') || `+said+`.startsWith('after 4 training steps')`)
	ask[bool](t, ctx, `training.slide(0)`)
	if first := ask[[]string](t, ctx, both); len(first) != 2 || len(last) != 2 || first[0] == last[0] ||
		first[1] != last[1] {
		t.Errorf("%d and %d maps; learned random stands still, or fixed random moves", len(first), len(last))
	}
	must(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS(".training-play"))))
	eventually(t, ctx, said+`.startsWith('after 6 training steps')
		&& document.querySelector('.training-play').getAttribute('aria-pressed') === 'false'`)
	before := ask[string](t, ctx, both+`.join()`)
	ask[bool](t, ctx, `set('c-head', '2', 'change')`)
	eventually(t, ctx, `!document.querySelector('.training-player').hidden && `+both+`.join() !== '`+before+`'`)
}
