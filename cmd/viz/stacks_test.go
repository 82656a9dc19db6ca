package main

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"image/png"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/browsertest"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// cards returns the ids of those architectures.
func cards() []string {
	var ids []string
	for _, e := range encoder.Stacks {
		ids = append(ids, e.ID)
	}
	return ids
}

// stackFile returns the checkpoint of a model with three layers.
func stackFile(t *testing.T, id string) []byte {
	t.Helper()
	stack, mechanism, err := encoder.Parse(id)
	must(t, err)
	c := encoder.Config{Stack: stack, Mechanism: mechanism, Layers: 3, Width: 16, Heads: 4, Inner: 16, Length: 32,
		Vocab: tokenizer.Default().Size(), Norm: encoder.PreNorm}
	if entry, ok := encoder.FindStack(stack); ok && stack != "" {
		c.Norm, c.Objective = "", entry.Objective
		entry.Defaults(&c)
	}
	params := browsertest.FirstValues(t, c)
	for _, p := range params { // far enough from 0 for tokens to differ
		for i := range p.Value.Data {
			p.Value.Data[i] += tensor.Elem(math.Sin(float64(i*7+len(p.Name)))) / 5
		}
	}
	meta, err := checkpoint.Metadata(c, checkpoint.Info{Mechanism: mechanism, Stack: stack, Layers: c.Layers,
		Heads: c.Heads, Width: c.Width, Length: c.Length, Params: 1234, Score: scores(c)})
	must(t, err)
	var b bytes.Buffer
	must(t, checkpoint.Write(&b, checkpoint.Arrays(params), meta, checkpoint.All(checkpoint.Single)))
	return b.Bytes()
}

// scores returns the scores of a model that has learned all its tasks.
func scores(c encoder.Config) map[string]float64 {
	all := map[string]float64{}
	for _, task := range c.Tasks {
		all[task.Name] = 0.75
	}
	return all
}

// smallModels returns a folder with a model of each architecture, and models of two mechanisms.
func smallModels(t *testing.T) weights {
	t.Helper()
	return small.Get(t, func() weights {
		dir, err := os.MkdirTemp("", "viz")
		must(t, err)
		browsertest.AtEnd(func() { os.RemoveAll(dir) })
		for _, id := range append(cards(), "dot-product", "linformer") {
			must(t, os.WriteFile(filepath.Join(dir, id+checkpoint.Extension), stackFile(t, id), 0o644))
		}
		return weights{Weights: dir}
	})
}

var small browsertest.Shared[weights]

// smallStacks serves smallModels.
func smallStacks(t *testing.T) string {
	t.Helper()
	return smallServer.Get(t, func() *httptest.Server { return serving(t, smallModels(t)) }).URL
}

var smallServer browsertest.Shared[*httptest.Server]

// TestEveryStackIsOnTheWall: the first HTML has the maps of the layers and of the architecture, and all linked
// pictures and figures exist.
func TestEveryStackIsOnTheWall(t *testing.T) {
	server := smallStacks(t)
	for _, id := range cards() {
		entry, stack, _ := engine.Find(id)
		for _, page := range []string{"/?theme=light&layer=2&m=" + id, "/m/" + id + "?theme=light"} {
			if strings.HasPrefix(page, "/m/") && stack.New == nil {
				continue // models that write have another kind of page
			}
			status, body := fetch(t, server+page+"&text="+url.QueryEscape("The cat sat"))
			if status != http.StatusOK || !strings.Contains(body, html.EscapeString(stack.Name.String())) {
				t.Fatalf("%s: status %d", page, status)
			}
			names := []string{}
			for _, v := range entry.Views {
				names = append(names, v.Map)
			}
			for _, v := range stack.Views {
				if v.Map != "pooling" { // these models do not have it
					names = append(names, v.Map)
				}
			}
			if strings.HasPrefix(page, "/?") {
				names = names[:1] // the other maps of a card are folded
			}
			for _, name := range names {
				if !strings.Contains(body, fmt.Sprintf(`data-map=%q`, html.EscapeString(name))) {
					t.Errorf("%s does not show %s", page, name)
				}
			}
			for _, link := range sourcePattern.FindAllStringSubmatch(body, -1) {
				status, picture := fetch(t, server+html.UnescapeString(link[1]))
				if _, err := png.DecodeConfig(strings.NewReader(picture)); status != http.StatusOK || err != nil {
					t.Errorf("%s: %s has status %d: %v", page, link[1], status, err)
				}
			}
		}
	}
}

// TestStacksFromTheCommandLine: the maps of architectures are printed with the names of their axes, and drawn.
func TestStacksFromTheCommandLine(t *testing.T) {
	v := view{weights: smallModels(t), Text: "The cat sat."}
	for _, c := range []struct{ id, mapName, pattern string }{
		{"universal", "effective weights", `^universal, effective weights\n  step 1 +\S+ \d\.\d{3} · `},
		{"universal", "running", `^universal, running\n  step 1 +\[CLS\] (goes on|halts) · `},
		{"sandwich", "sublayers", `^sandwich, sublayers\n +1 s s: mixes words · 2 s s: mixes words · 3 f f: `},
		{"reversible", "reconstruction error", `(?m)^reversible, reconstruction error\n  layer 1 +\S+ \d\.\S+ · `},
		{"gpt2", "rollout", `(?m)^gpt2, layer 1, rollout\n  \[CLS\] comes from \[CLS\] 1\.000 · `},
	} {
		var out bytes.Buffer
		must(t, (&attendCmd{view: v, Mechanism: []string{c.id}, Map: []string{c.mapName}}).Run(context.Background(),
			streams{out: &out, err: &out}))
		if !regexp.MustCompile(c.pattern).MatchString(out.String()) {
			t.Errorf("%s %s prints\n%s", c.id, c.mapName, &out)
		}
		file := filepath.Join(t.TempDir(), "map.png")
		must(t, (&renderCmd{view: v, Mechanism: c.id, Map: c.mapName, Out: file}).Run(context.Background(),
			streams{out: &out, err: &out}))
		raw, err := os.ReadFile(file)
		must(t, err)
		if _, err := png.Decode(bytes.NewReader(raw)); err != nil {
			t.Errorf("%s %s: %v", c.id, c.mapName, err)
		}
	}
}

// TestSummariesLeaveNothingOut: the command also prints the other statements of cards about a text, and every value
// of maps with one value for each token.
func TestSummariesLeaveNothingOut(t *testing.T) {
	small := smallModels(t)
	for _, c := range []struct{ id, text, pattern string }{
		{"bert", "The cat sat. ||| It ran.", `(?m)^bert, next sentence\n  (follows|from elsewhere) \d\.\d{3} · (follows|from elsewhere) \d\.\d{3}$`},
		{"albert", "The cat sat. ||| It ran.", `(?m)^albert, sentence order\n  (in order|swapped) \d\.\d{3} · (in order|swapped) \d\.\d{3}$`},
		{"gpt2", "The cat sat.", `(?m)^gpt2: Always causal: `},
		{"universal", "The cat sat.", `(?m)^universal, ponder cost\n  \d\S*$`},
		{"universal", "The cat sat.", `(?m)^universal, updates\n +\[CLS\] [1-3] · The [1-3] · cat [1-3] · sat [1-3] · \. [1-3] · \[SEP\] [1-3]$`},
		{"universal", "The cat sat.", `(?m)^universal, remainders\n +\[CLS\] [01]\.\d{3} · The [01]\.\d{3} · cat \S+ · sat \S+ · \. \S+ · \[SEP\] [01]\.\d{3}$`},
	} {
		var out bytes.Buffer
		v := view{weights: small, Text: c.text}
		must(t, (&attendCmd{view: v, Mechanism: []string{c.id}}).Run(context.Background(), streams{out: &out, err: &out}))
		if !regexp.MustCompile(c.pattern).MatchString(out.String()) {
			t.Errorf("%s lacks %s:\n%s", c.id, c.pattern, &out)
		}
	}
}

// TestStacksInTheBrowser: opened maps of an architecture are drawn next to those of its layers, with the values of
// the API. A deeper layer keeps the cards of the other models.
func TestStacksInTheBrowser(t *testing.T) {
	server := smallStacks(t)
	ctx := tab(t)
	must(t, chromedp.Do(ctx, chromedp.Navigate(server+"/?theme=light&m=universal,sandwich,gpt2&text=The+cat+sat")))
	eventually(t, ctx, `document.documentElement.dataset.ready === 'true'`)
	ask[bool](t, ctx, `document.querySelectorAll('.more > summary').forEach((s) => s.click()) || true`)
	eventually(t, ctx, `[...document.querySelectorAll('.view .sheet')].length >= 10
		&& [...document.querySelectorAll('.view .sheet')].every((s) => s.querySelector('canvas'))`)
	p := newPage(t, ctx)
	p.point("universal", "running", 0, 1)
	p.says("universal", "running", "step 1 · The: goes on", "step 1 · The: halts")
	p.point("sandwich", "residual norms", 2, 1)
	p.says("sandwich", "residual norms", "3 f · The: ")
	p.point("sandwich", "sublayers", 0, 2)
	p.says("sandwich", "sublayers", "3 f: f: feed-forward sublayer")
	p.do(`const s = document.getElementById('c-show'); s.value = 'rollout'; s.dispatchEvent(new Event('change', { bubbles: true }))`)
	eventually(t, ctx, `location.search.includes('show=rollout')
		&& document.querySelectorAll('.map[data-map=rollout] canvas.under').length === 3`)
}

// TestFlippingThroughDepth: links, arrow keys and the button cycle through the layers that share weights. Visitors
// who prefer reduced motion have no button.
func TestFlippingThroughDepth(t *testing.T) {
	server := smallStacks(t)
	ctx := tab(t)
	open := func() {
		must(t, chromedp.Do(ctx, chromedp.Navigate(server+"/m/albert?theme=light&text=The+cat+sat")))
		eventually(t, ctx, `document.documentElement.dataset.ready === 'true'`)
	}
	at := func(layer int) {
		t.Helper()
		eventually(t, ctx, fmt.Sprintf(`document.querySelector('.depth-text').textContent.startsWith('Layer %d of 3, with the same weights') && document.getElementById('c-layer').value === '%[1]d' && document.querySelector('#map-albert canvas')`, layer))
	}
	open()
	at(1)
	if !ask[bool](t, ctx, `document.getElementById('depth-back').href.includes('layer=3')
		&& document.getElementById('depth-next').href.includes('layer=2') && !document.getElementById('depth-play').hidden`) {
		t.Error("without scripts the links lead elsewhere, or there is no button")
	}
	must(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS("#depth-next"))))
	at(2)
	becomes(t, ctx, `document.activeElement.id`, "depth-next")
	newPage(t, ctx).key("ArrowLeft")
	at(1)
	length := ask[int](t, ctx, `history.length`)
	must(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS("#depth-play"))))
	at(3)
	if got := ask[string](t, ctx, `document.getElementById('depth-play').getAttribute('aria-pressed') + history.length`); got != fmt.Sprint("true", length) {
		t.Errorf("pressed and history: %s, not true%d", got, length)
	}
	newPage(t, ctx).do(`document.getElementById('depth-play').focus()`)
	newPage(t, ctx).key("Escape")
	becomes(t, ctx, `document.getElementById('depth-play').textContent`, "Play")
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion",
			Value: "reduce"}}})
	must(t, err)
	open()
	if !ask[bool](t, ctx, `document.getElementById('depth-play').hidden`) {
		t.Error("there is motion that nobody wants")
	}
	must(t, chromedp.Do(ctx, chromedp.Navigate(server+"/m/bert?theme=light")))
	if !ask[bool](t, ctx, `!document.getElementById('depth-box')`) {
		t.Error("bert's layers have weights of their own")
	}
}

// TestStackPagesFitPhones: nothing is wider than the window. All controls are accessible on the wall, on the list and on
// one page; the others have the same template.
func TestStackPagesFitPhones(t *testing.T) {
	server := smallStacks(t)
	ctx := tab(t)
	must(t, chromedp.Do(ctx, chromedp.EmulateViewport(390, 900)))
	pages := []string{"/?m=bert,universal,sandwich,reversible", "/m", "/m/universal?theme=dark&layer=2"}
	for _, id := range cards() {
		pages = append(pages, "/m/"+id)
	}
	for i, page := range pages {
		must(t, chromedp.Do(ctx, chromedp.Navigate(server+page)))
		eventually(t, ctx, `document.documentElement.dataset.ready === 'true' || !document.querySelector('.wall')`)
		if strings.HasPrefix(page, "/m/") {
			eventually(t, ctx, `document.querySelector('.formula-large math')`)
		}
		settled(t, ctx)
		over := ask[[]int](t, ctx, `[document.documentElement.scrollWidth - innerWidth, ...[...document.querySelectorAll('.formula-large, .formula')].map((f) => f.scrollWidth - f.clientWidth)]`)
		for _, pixels := range over {
			if pixels > 0 {
				t.Errorf("%s: the page or a formula is too wide: %v", page, over)
				break
			}
		}
		if i > 2 {
			continue
		}
		for _, v := range violations(t, ctx) {
			t.Errorf("%s: %s", page, v)
		}
	}
}
