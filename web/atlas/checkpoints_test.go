package atlas_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"attnatlas/engine/guests"
	"attnatlas/engine/huggingface"
	"attnatlas/web/api"
	"attnatlas/web/atlas"
	"attnatlas/web/browsertest"
	"attnatlas/web/site"

	"github.com/chromedp/chromedp"
)

// checkpoints writes a training with three checkpoints. A step multiplies the parameters of a small BERT by a factor.
func checkpoints(t *testing.T) string {
	t.Helper()
	const small = "../../engine/huggingface/testdata/bert-classify"
	dir := filepath.Join(t.TempDir(), "played")
	raw, err := os.ReadFile(small + "/model.safetensors")
	browsertest.Must(t, err)
	for step, factor := range map[int]float32{10: 0.1, 500: 1, 2000: 0.5} {
		to := fmt.Sprintf("%s/checkpoint-%d", dir, step)
		browsertest.Must(t, os.CopyFS(to, os.DirFS(small)))
		scaled := append([]byte(nil), raw...)
		for data := scaled[8+binary.LittleEndian.Uint64(raw):]; len(data) >= 4; data = data[4:] {
			x := math.Float32frombits(binary.LittleEndian.Uint32(data))
			binary.LittleEndian.PutUint32(data, math.Float32bits(x*factor))
		}
		browsertest.Must(t, os.WriteFile(to+"/model.safetensors", scaled, 0o644))
	}
	const losses = `{"log_history": [{"loss": 3, "grad_norm": NaN, "step": 10}, {"loss": 1.5, "step": 2000},
		{"eval_loss": 2.5, "step": 500}, {"eval_loss": 2, "step": 2000}]}`
	browsertest.Must(t, os.WriteFile(dir+"/checkpoint-2000/trainer_state.json", []byte(losses), 0o644))
	words := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "dog", "sat"}
	for len(words) < 360 {
		words = append(words, fmt.Sprintf("[unused%d]", len(words)))
	}
	browsertest.Must(t, os.WriteFile(dir+"/vocab.txt", []byte(strings.Join(words, "\n")), 0o644)) // for the whole training
	return dir
}

// played serves the checkpoints of a training, and returns their ids.
func played(t *testing.T, dir string) (server string, ids []string) {
	t.Helper()
	for _, guest := range guests.Invite(huggingface.Checkpoints(huggingface.Given([]string{dir})[0])) {
		ids = append(ids, guest.ID)
	}
	handler, err := atlas.New(nil, site.Options{Log: slog.New(slog.DiscardHandler)})
	browsertest.Must(t, err)
	return browsertest.Serve(handler).URL, ids
}

// TestPlayCheckpoints: the slider on the page of a checkpoint shows the same maps as the pages of the others, and two
// checkpoints are compared like two models.
func TestPlayCheckpoints(t *testing.T) {
	tab := browsertest.Open(t) // tests that measure memory must not see the checkpoints
	server, ids := played(t, checkpoints(t))
	const text = "?text=the+cat+sat&head=2&layer=2"
	var first, last api.Attend
	for id, a := range map[string]*api.Attend{ids[0]: &first, ids[2]: &last} {
		_, body := browsertest.Fetch(t, server+"/api/v1/attend"+text+"&m="+id)
		browsertest.Must(t, json.Unmarshal([]byte(body), a))
	}
	value := func(a api.Attend) string { return fmt.Sprintf("%.3f", a.Mechanisms[0].Layers[0].Maps[0].Values[7]) }
	if value(first) == value(last) {
		t.Fatalf("all checkpoints have the weight %s", value(first))
	}
	if status, body := browsertest.Fetch(t, server+"/api/v1/compare?text=the+cat+sat&a="+ids[0]+"&b="+
		ids[2]); status != 200 {
		t.Errorf("A − B: %d %s", status, body)
	}
	tab.Visit(server + "/m/" + ids[1] + text)
	tab.Do(chromedp.ScrollIntoView(chromedp.CSS("#training")))
	const said = `training.now()`
	drawn := `document.querySelector('.training-maps canvas')?.toDataURL()`
	tab.Eventually(said + ` === 'after 500 training steps' && !!` + drawn)
	tab.Settled()
	middle := browsertest.Ask[string](tab, drawn)
	curve := browsertest.Ask[[]int](tab, `[...document.querySelectorAll('.training-line')].map((line) => line.getAttribute('d').split('L').length)`)
	if fmt.Sprint(curve) != "[2 2]" {
		t.Errorf("the lines of losses have %v points", curve)
	}
	// If the answer for a frame is lost, the frame is requested again when it is shown again.
	browsertest.Ask[bool](tab, `(() => { const real = fetch; window.fetch = () => { window.fetch = real; return Promise.reject(new TypeError()); }; return true })()`)
	browsertest.Ask[bool](tab, `training.slide(0)`)
	tab.Eventually(said + `.includes('The server did not answer')`)
	for at, a := range map[int]api.Attend{0: first, 2: last} {
		browsertest.Ask[bool](tab, fmt.Sprintf(`training.slide(%d)`, at))
		tab.Eventually(fmt.Sprintf(`%s.startsWith('after %d') && !%s.includes('computes') && %s !== '%s'`, said,
			[]int{10, 500, 2000}[at], said, drawn, middle))
		browsertest.Ask[bool](tab, `training.point('.training-maps canvas', 1, 2, 5, 5)`)
		tab.Eventually(said + `.includes('the attends to cat: ` + value(a) + `')`)
	}
	tab.Do(chromedp.Click(chromedp.CSS(".training-play")))
	tab.Eventually(said + `.startsWith('after 2000') && document.querySelector('.training-play').getAttribute('aria-pressed') === 'false'`)
	tab.Fits("the player of checkpoints")
}

// TestPlayPairs: for checkpoints of an encoder–decoder, the slider shows the attention of the decoder. A broken
// trainer_state.json is given as the reason for a missing curve.
func TestPlayPairs(t *testing.T) {
	tab := browsertest.Open(t)
	const small = "../../engine/huggingface/testdata/t5"
	dir := filepath.Join(t.TempDir(), "pairs")
	for _, step := range []string{"step1", "step2"} {
		browsertest.Must(t, os.CopyFS(filepath.Join(dir, step), os.DirFS(small)))
	}
	browsertest.Must(t, os.WriteFile(dir+"/trainer_state.json", []byte(`{"log_history": [`), 0o644))
	server, ids := played(t, dir)
	tab.Visit(server + "/m/" + ids[0] + "?text=The+cat+sat.")
	if why := browsertest.Ask[string](tab, `document.querySelector('#training').textContent`); !strings.Contains(why,
		"trainer_state.json gives no loss curve") {
		t.Error(why)
	}
	tab.Do(chromedp.ScrollIntoView(chromedp.CSS("#training")))
	drawn := `[...document.querySelectorAll('#training [data-map]')].map((one) => one.dataset.map + one.querySelectorAll('canvas').length).join(' ')`
	tab.Eventually(drawn + ` === 'cross1 decoder1'`)
	heads := `[...document.querySelectorAll('#training figcaption')].map((one) => one.textContent.split(' · ').at(-1))`
	address := browsertest.Ask[string](tab, `document.querySelector('#training').dataset.src`)
	for _, head := range browsertest.Ask[[]string](tab, heads) {
		if number := strings.TrimPrefix(head, "head "); !strings.Contains(address, "head="+number) {
			t.Errorf("a map is that of %s, and is asked for at %s", head, address)
		}
	}
	tab.Do(chromedp.Click(chromedp.CSS(".training-next")))
	tab.Eventually(`document.querySelector('.training-now').textContent === 'after 2 training steps'`)
}
