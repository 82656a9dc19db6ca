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

	"github.com/chromedp/chromedp"

	"attnatlas/engine"
	"attnatlas/web/api"
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
	words := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "dog", "sat"}
	for len(words) < 360 {
		words = append(words, fmt.Sprintf("[unused%d]", len(words)))
	}
	must(t, os.WriteFile(dir+"/vocab.txt", []byte(strings.Join(words, "\n")), 0o644)) // of the training, not of each step
	return dir
}

// TestPlayCheckpoints: the slider on the page of a checkpoint shows the maps of the others, as their own pages have
// them, and two checkpoints are compared like two models.
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
	slide := `{ const s = document.querySelector('.training-scrub'); s.value = %d; s.dispatchEvent(new Event('input', { bubbles: true })) }`
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

// TestInvitedOnce: a command takes a model that is named without its checkpoints, and no model is there twice.
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
