package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/web/api"

	"github.com/chromedp/chromedp"
)

// checkpoints writes a training with three checkpoints. A step multiplies the parameters of a small BERT by a factor.
func checkpoints(t *testing.T) string {
	t.Helper()
	const small = "../../engine/huggingface/testdata/bert-classify"
	dir := filepath.Join(t.TempDir(), "played")
	raw, err := os.ReadFile(small + "/model.safetensors")
	must(t, err)
	for step, factor := range map[int]float32{10: 0.1, 500: 1, 2000: 0.5} {
		to := fmt.Sprintf("%s/checkpoint-%d", dir, step)
		must(t, os.CopyFS(to, os.DirFS(small)))
		scaled := append([]byte(nil), raw...)
		for data := scaled[8+binary.LittleEndian.Uint64(raw):]; len(data) >= 4; data = data[4:] {
			x := math.Float32frombits(binary.LittleEndian.Uint32(data))
			binary.LittleEndian.PutUint32(data, math.Float32bits(x*factor))
		}
		must(t, os.WriteFile(to+"/model.safetensors", scaled, 0o644))
	}
	const losses = `{"log_history": [{"loss": 3, "grad_norm": NaN, "step": 10}, {"loss": 1.5, "step": 2000},
		{"eval_loss": 2.5, "step": 500}, {"eval_loss": 2, "step": 2000}]}`
	must(t, os.WriteFile(dir+"/checkpoint-2000/trainer_state.json", []byte(losses), 0o644))
	words := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "dog", "sat"}
	for len(words) < 360 {
		words = append(words, fmt.Sprintf("[unused%d]", len(words)))
	}
	must(t, os.WriteFile(dir+"/vocab.txt", []byte(strings.Join(words, "\n")), 0o644)) // for the whole training
	return dir
}

// TestPlayCheckpoints: the slider on the page of a checkpoint shows the same maps as the pages of the others, and two
// checkpoints are compared like two models.
func TestPlayCheckpoints(t *testing.T) {
	ids, err := modelFlag{Model: []string{checkpoints(t)}}.invite()
	must(t, err)
	if strings.Join(ids, " ") != "hf-played-checkpoint-10 hf-played-checkpoint-500 hf-played-checkpoint-2000" {
		t.Fatalf("the checkpoints are %q", ids)
	}
	handler, err := weights{}.server(slog.New(slog.DiscardHandler))
	must(t, err)
	server := httptest.NewServer(handler)
	defer server.Close()
	get := getter(t, server)
	const text = "?text=the+cat+sat&head=2&layer=2"
	var first, last api.Attend
	for id, a := range map[string]*api.Attend{ids[0]: &first, ids[2]: &last} {
		_, body := get("/api/v1/attend" + text + "&m=" + id)
		must(t, json.Unmarshal(body, a))
	}
	value := func(a api.Attend) string { return fmt.Sprintf("%.3f", a.Mechanisms[0].Layers[0].Maps[0].Values[7]) }
	if value(first) == value(last) {
		t.Fatalf("all checkpoints have the weight %s", value(first))
	}
	if status, body := get("/api/v1/compare?text=the+cat+sat&a=" + ids[0] + "&b=" + ids[2]); status != 200 {
		t.Errorf("A − B: %d %s", status, body)
	}
	ctx := tab(t)
	visit(t, ctx, server.URL+"/m/"+ids[1]+text)
	must(t, chromedp.Do(ctx, chromedp.ScrollIntoView(chromedp.CSS("#training"))))
	said := `document.querySelector('.training-now').textContent`
	drawn := `document.querySelector('.training-maps canvas')?.toDataURL()`
	eventually(t, ctx, said+` === 'after 500 training steps' && !!`+drawn)
	settled(t, ctx)
	middle := ask[string](t, ctx, drawn)
	const point = `(() => {
		const canvas = document.querySelector('.training-maps canvas'), box = canvas.getBoundingClientRect();
		canvas.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientX: box.left + 2.5 * box.width / 5, clientY: box.top + 1.5 * box.height / 5 }));
		return true;
	})()`
	curve := ask[[]int](t, ctx, `[...document.querySelectorAll('.training-line')].map((line) => line.getAttribute('d').split('L').length)`)
	if fmt.Sprint(curve) != "[2 2]" {
		t.Errorf("the lines of losses have %v points", curve)
	}
	slide := `{ const s = document.querySelector('.training-scrub'); s.value = %d; s.dispatchEvent(new Event('input', { bubbles: true })) }`
	// If the answer for a frame is lost, the frame is requested again when it is shown again.
	ask[bool](t, ctx, `(() => { const real = fetch; window.fetch = () => { window.fetch = real; return Promise.reject(new TypeError()); }; return true })()`)
	ask[bool](t, ctx, fmt.Sprintf(slide, 0))
	eventually(t, ctx, said+`.includes('The server did not answer')`)
	for at, a := range map[int]api.Attend{0: first, 2: last} {
		ask[bool](t, ctx, fmt.Sprintf(slide, at))
		eventually(t, ctx, fmt.Sprintf(`%s.startsWith('after %d') && !%s.includes('computes') && %s !== '%s'`, said,
			[]int{10, 500, 2000}[at], said, drawn, middle))
		ask[bool](t, ctx, point)
		eventually(t, ctx, said+`.includes('the attends to cat: `+value(a)+`')`)
	}
	must(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS(".training-play"))))
	eventually(t, ctx, said+`.startsWith('after 2000') && document.querySelector('.training-play').getAttribute('aria-pressed') === 'false'`)
	fits(t, ctx, "the player of checkpoints")
}

// TestPlayPairs: for checkpoints of an encoder–decoder, the slider shows the attention of the decoder. A broken
// trainer_state.json is given as the reason for a missing curve.
func TestPlayPairs(t *testing.T) {
	const small = "../../engine/huggingface/testdata/t5"
	dir := filepath.Join(t.TempDir(), "pairs")
	for _, step := range []string{"step1", "step2"} {
		must(t, os.CopyFS(filepath.Join(dir, step), os.DirFS(small)))
	}
	must(t, os.WriteFile(dir+"/trainer_state.json", []byte(`{"log_history": [`), 0o644))
	ids, err := modelFlag{Model: []string{dir}}.invite()
	must(t, err)
	handler, err := weights{}.server(slog.New(slog.DiscardHandler))
	must(t, err)
	server := httptest.NewServer(handler)
	defer server.Close()
	ctx := tab(t)
	visit(t, ctx, server.URL+"/m/"+ids[0]+"?text=The+cat+sat.")
	if why := ask[string](t, ctx, `document.querySelector('#training').textContent`); !strings.Contains(why,
		"trainer_state.json gives no loss curve") {
		t.Error(why)
	}
	must(t, chromedp.Do(ctx, chromedp.ScrollIntoView(chromedp.CSS("#training"))))
	drawn := `[...document.querySelectorAll('#training [data-map]')].map((one) => one.dataset.map + one.querySelectorAll('canvas').length).join(' ')`
	eventually(t, ctx, drawn+` === 'cross1 decoder1'`)
	heads := `[...document.querySelectorAll('#training figcaption')].map((one) => one.textContent.split(' · ').at(-1))`
	address := ask[string](t, ctx, `document.querySelector('#training').dataset.src`)
	for _, head := range ask[[]string](t, ctx, heads) {
		if number := strings.TrimPrefix(head, "head "); !strings.Contains(address, "head="+number) {
			t.Errorf("a map is that of %s, and is asked for at %s", head, address)
		}
	}
	must(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS(".training-next"))))
	eventually(t, ctx, `document.querySelector('.training-now').textContent === 'after 2 training steps'`)
}

// TestInvitedOnce: a command takes a named model without its checkpoints, and registers no model twice.
func TestInvitedOnce(t *testing.T) {
	dir := checkpoints(t)
	to := filepath.Join(filepath.Dir(dir), "named-once")
	must(t, os.Rename(dir, to))
	must(t, os.CopyFS(to, os.DirFS(filepath.Join(to, "checkpoint-10"))))
	ids, err := modelFlag{Model: []string{to}}.invite(dropped(filepath.Dir(to))...)
	must(t, err)
	var all []string
	for _, g := range engine.Guests() {
		if strings.HasPrefix(g.ID, "hf-named-once") {
			all = append(all, g.ID)
		}
	}
	if strings.Join(ids, " ") != "hf-named-once" || len(all) != 4 {
		t.Errorf("named are %q, and there are %q", ids, all)
	}
}
