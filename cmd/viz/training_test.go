package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"image/png"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"attnatlas/engine/recording"
	"attnatlas/web/api"
	"attnatlas/web/mechanism"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// recorded trains two small models by a recipe, records them and serves the result.
func recorded(t *testing.T) *httptest.Server {
	t.Helper()
	dir := t.TempDir()
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
	handler, err := weights{Weights: dir + "/out"}.server(slog.New(slog.DiscardHandler))
	must(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// getter returns a function that requests a path of a server.
func getter(t *testing.T, server *httptest.Server) func(path string) (int, []byte) {
	return func(path string) (int, []byte) {
		t.Helper()
		response, err := http.Get(server.URL + path)
		must(t, err)
		defer response.Body.Close()
		var b bytes.Buffer
		_, err = b.ReadFrom(response.Body)
		must(t, err)
		return response.StatusCode, b.Bytes()
	}
}

// TestWatchItLearn: a recipe, its recordings, and their page, API and animation.
func TestWatchItLearn(t *testing.T) {
	get := getter(t, recorded(t))
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
	said := `document.querySelector('.training-now').textContent`
	eventually(t, ctx, `!document.querySelector('.training-player').hidden
		&& document.querySelector('.training-frames').hidden && `+said+`.startsWith('after 6 training steps')`)
	settled(t, ctx) // the canvases keep their sizes
	last := ask[[]string](t, ctx, both)
	must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS(".training-scrub")), chromedp.KeyEvent(kb.ArrowLeft)))
	eventually(t, ctx, said+`.startsWith('after 5 training steps') || `+said+`.startsWith('after 4 training steps')`)
	ask[bool](t, ctx, `{ const s = document.querySelector('.training-scrub'); s.value = 0; s.dispatchEvent(new Event('input', { bubbles: true })) }`)
	if first := ask[[]string](t, ctx, both); len(first) != 2 || len(last) != 2 || first[0] == last[0] ||
		first[1] != last[1] {
		t.Errorf("%d and %d maps; learned random stands still, or fixed random moves", len(first), len(last))
	}
	must(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS(".training-play"))))
	eventually(t, ctx, said+`.startsWith('after 6 training steps')
		&& document.querySelector('.training-play').getAttribute('aria-pressed') === 'false'`)
	before := ask[string](t, ctx, both+`.join()`)
	ask[bool](t, ctx, `{ const c = document.getElementById('c-head'); c.value = '2'; c.dispatchEvent(new Event('change', { bubbles: true })) }`)
	eventually(t, ctx, `!document.querySelector('.training-player').hidden && `+both+`.join() !== '`+before+`'`)
}

// TestWatchItLearnToWrite: the recording of the bundled encoder–decoder, on its page, as JSON and as an animation.
// The cross-attention learns to attend to the next word to write, in reverse and sorted.
func TestWatchItLearnToWrite(t *testing.T) {
	get := getter(t, pages(t))
	for task, order := range map[string][]int{"reverse": {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1},
		"sort": {11, 7, 2, 8, 6, 4, 3, 1, 5, 10, 9}} {
		_, body := get("/api/v1/training?m=encoder-decoder&task=" + task)
		var answer mechanism.Training
		must(t, json.Unmarshal(body, &answer))
		first, last := answer.Frames[0], answer.Frames[len(answer.Frames)-1]
		if answer.Task != task || len(answer.Frames) != 40 || first.Step != 0 || last.Step != answer.Steps ||
			last.Loss > first.Loss/10 || first.Written.Right || !last.Written.Right {
			t.Errorf("%s: steps %d to %d, losses %g to %g, written %v and %v", task, first.Step, last.Step, first.Loss,
				last.Loss, first.Written, last.Written)
		}
		found := func(f mechanism.TrainingFrame) (right int) {
			m := f.Mechanisms[0].Maps[0]
			for row, column := range order {
				if most(m, row) == column {
					right++
				}
			}
			return right
		}
		if found(first) > 4 || found(last) < 9 {
			t.Errorf("%s: %d of %d words are read when they are to be written, %d before", task, found(last), len(order),
				found(first))
		}
		_, page := get("/m/encoder-decoder?task=" + task)
		if n := bytes.Count(page, []byte(`class="training-wrote"`)); n != 8 || bytes.Count(page, []byte("after=")) < n ||
			bytes.Count(page, []byte(`"training-canvas"`)) != 2 {
			t.Errorf("%s: the page has %d frames", task, n)
		}
		status, animation := get("/export/encoder-decoder.apng?task=" + task)
		if _, err := png.Decode(bytes.NewReader(animation)); err != nil || status != http.StatusOK ||
			bytes.Count(animation, []byte("fcTL")) != 40 {
			t.Errorf("%s: %d %v", task, status, err)
		}
	}
	of := "text=" + url.QueryEscape(recording.Texts("encoder-decoder")[0])
	for path, want := range map[string]int{
		"/export/encoder-decoder.png?after=20000&map=decoder&" + of: 200,
		"/export/encoder-decoder.png?after=20000&map=encoder&" + of: 404,
		"/export/encoder-decoder.png?after=20000&map=scores&" + of:  404,
		"/export/encoder-decoder.png?after=20001&" + of:             404,
		"/api/v1/training?m=encoder-decoder&task=shout":             400,
		"/api/v1/training?m=encoder-decoder&text=another":           404,
	} {
		if status, body := get(path); status != want {
			t.Errorf("%s: %d %s", path, status, body[:min(len(body), 300)])
		}
	}
}

// most returns the column of a row's largest value.
func most(m api.DrawingMap, row int) (at int) {
	value := func(column int) float32 {
		return math.Float32frombits(binary.LittleEndian.Uint32(m.Planes[0].Values[4*(row*m.Cols+column):]))
	}
	for column := range m.Cols {
		if value(column) > value(at) {
			at = column
		}
	}
	return at
}

// TestScrubThroughWriting: on the page of the encoder–decoder, frames follow keys one by one, also after a change of
// the task. The page shows the written text, and the words of a cell are those of its axes.
func TestScrubThroughWriting(t *testing.T) {
	ctx := tab(t)
	visit(t, ctx, pages(t).URL+"/m/encoder-decoder")
	must(t, chromedp.Do(ctx, chromedp.ScrollIntoView(chromedp.CSS("#training"))))
	said := `document.querySelector('.training-now').textContent.replace(/\s/g, '')`
	wrote := `[...document.querySelectorAll('.training-written .token')].map((one) => one.textContent).join(' ')`
	wrong := `document.querySelectorAll('.training-written .wrong').length`
	eventually(t, ctx, said+`.startsWith('after20000trainingsteps') && `+wrote+
		` === '. tired was it because mat the on sat cat the [SEP]' && `+wrong+
		` === 0 && document.querySelectorAll('.training-maps canvas').length === 2`)
	must(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS(`#training a[href*="task=sort"]`))))
	eventually(t, ctx, said+`.startsWith('after20000trainingsteps') && `+wrote+
		` === '. because cat it mat on sat the the tired was [SEP]'`)
	beside := func(place string) string {
		return `[...document.querySelectorAll('[data-map="cross"] > .training-` + place +
			` bdi')].map((one) => one.textContent).join(' ')`
	}
	eventually(t, ctx, beside("rows")+` === `+wrote+` && `+beside("columns")+
		` === '[CLS] The cat sat on the mat because it was tired . [SEP]'`)
	must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS(".training-scrub")), chromedp.KeyEvent(kb.ArrowLeft)))
	eventually(t, ctx, said+`.startsWith('after16578trainingsteps')`)
	must(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS(".training-back"))))
	eventually(t, ctx, said+`.startsWith('after13742trainingsteps')`)
	const point = `(() => {
		const canvas = document.querySelector('.training-maps [data-map="cross"] canvas'), box = canvas.getBoundingClientRect();
		canvas.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientX: box.left + 7.5 * box.width / 13, clientY: box.top + 1.5 * box.height / 12 }));
		return true;
	})()`
	ask[bool](t, ctx, point)
	eventually(t, ctx, said+`.includes('becauseattendstobecause:')`)
	ask[bool](t, ctx, `{ const s = document.querySelector('.training-scrub'); s.value = 0; s.dispatchEvent(new Event('input', { bubbles: true })) }`)
	eventually(t, ctx, said+`.startsWith('after0trainingsteps') && `+wrong+` === 25`)
	fits(t, ctx, "the player of the encoder–decoder")
}
