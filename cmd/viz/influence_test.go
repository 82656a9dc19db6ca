package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/chromedp/chromedp"

	"attnatlas/engine/messages"
)

const choose = `(() => { const s = document.getElementById('c-show'); s.value = '%s'; s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`

const shownMaps = `[...document.querySelectorAll('.map')].map((m) => m.dataset.map).join()`

// TestInfluenceControl switches the wall to influence and back: address, maps,
// read-out and table follow.
func TestInfluenceControl(t *testing.T) {
	ctx := browse(t, "/?pin=3.6")
	server := pages(t).URL
	ask[bool](t, ctx, fmt.Sprintf(choose, "influence"))
	eventually(t, ctx, shownMaps+` === 'influence,influence,influence,influence' && document.querySelectorAll('.map canvas').length === 4`)
	eventually(t, ctx, `new URL(location.href).searchParams.get('show') === 'influence' && `+pairText+` === 'cat3 moves with the6'`)
	for _, id := range []string{"dot-product", "random", "dense", "fastformer"} {
		want := messages.Number(valueOf(t, server, id, "influence", 2, 5))
		becomes(t, ctx, readingOf(id), want)
	}
	ask[bool](t, ctx, `document.querySelector('#card-dense .as-table').click() || true`)
	eventually(t, ctx, `document.querySelector('#table-dense caption')?.textContent.includes('What cat (3) moves with')`)
	becomes(t, ctx, `document.querySelector('#card-dense .axis-rows').textContent + document.querySelectorAll('.strip').length`, "output0")
	ask[bool](t, ctx, fmt.Sprintf(choose, "maps"))
	eventually(t, ctx, shownMaps+` === 'weights,weights,weights,contribution' && !new URL(location.href).searchParams.has('show')`)
	ask[bool](t, ctx, `history.back() || true`)
	eventually(t, ctx, shownMaps+` === 'influence,influence,influence,influence' && document.getElementById('c-show').value === 'influence'`)
}

// TestTypingInInfluenceMode: only the last of many texts is waited for.
func TestTypingInInfluenceMode(t *testing.T) {
	ctx := browse(t, "/?show=influence")
	ask[bool](t, ctx, `(async () => {
		const box = document.getElementById('c-text');
		for (let i = 1; i <= 6; i++) {
			box.value = 'the cat sat on the mat because it was tired and the dog saw it '.repeat(3).slice(0, 150 + i) + ' end' + i;
			document.getElementById('controls').requestSubmit();
			await new Promise((r) => setTimeout(r, 60));
		}
		return true;
	})()`)
	eventually(t, ctx, `document.getElementById('controls').ariaBusy !== 'true' && [...document.querySelectorAll('.token')].some((c) => c.textContent.includes('6'))`)
	must(t, chromedp.Do(ctx, chromedp.MouseEvent(chromedp.MouseMoved, 5, 5)))
	becomes(t, ctx, shownMaps, "influence,influence,influence,influence") // one after the other
}

// TestInfluenceOnTheCommandLine: the same bytes as the server's.
func TestInfluenceOnTheCommandLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.png")
	if status, _, errs := viz(t, "render", "--text", "The cat sat.", "--mechanism", "fastformer", "--map", "influence", "--out", path); status != 0 {
		t.Fatal(errs)
	}
	drawn, err := os.ReadFile(path)
	must(t, err)
	response, err := http.Get(pages(t).URL + "/export/fastformer.png?text=The+cat+sat.&map=influence")
	must(t, err)
	defer response.Body.Close()
	served, err := io.ReadAll(response.Body)
	must(t, err)
	if !bytes.Equal(drawn, served) {
		t.Error("the command line and the server draw different files")
	}
	_, out, errs := viz(t, "attend", "--text", "The cat sat.", "-m", "fastformer", "--map", "influence")
	if !regexp.MustCompile(`^fastformer, layer 1, influence\n  \[CLS\] moves with +\S+ \d+\.\d{3} · `).MatchString(out) {
		t.Error(out, errs)
	}
	_, out, _ = viz(t, "attend", "--text", "The cat sat.", "-m", "random", "--map", "influence", "--json")
	var answer struct {
		Mechanisms []struct {
			Layers []struct{ Maps []struct{ Name string } }
		}
	}
	must(t, json.Unmarshal([]byte(out), &answer))
	if l := answer.Mechanisms[0].Layers; len(l) != 1 || len(l[0].Maps) != 1 || l[0].Maps[0].Name != "influence" {
		t.Errorf("%.300s", out)
	}
}
