package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"attnatlas/engine/messages"
)

// TestComparePage: one cross-hair over three maps, the values of which are those of the API; the
// sides are chosen and swapped without another page, and a sentence pins its cell.
func TestComparePage(t *testing.T) {
	ctx := browse(t, "/compare?a=dense&b=dot-product")
	eventually(t, ctx, `document.querySelectorAll('.map canvas.under').length === 3`)
	x, y := centre(t, ctx, "difference", 2, 5)
	must(t, chromedp.Do(ctx, chromedp.MouseEvent(chromedp.MouseMoved, x, y)))
	eventually(t, ctx, pairText+` === 'cat3 reads the6'`)
	a, b := valueOf(t, pages(t).URL, "dense", "weights", 2, 5), valueOf(t, pages(t).URL, "dot-product", "weights", 2, 5)
	for id, want := range map[string]float64{"a": a, "b": b, "difference": float64(float32(a) - float32(b))} {
		becomes(t, ctx, readingOf(id), messages.Number(want))
	}
	ask[bool](t, ctx, `document.querySelector('.compared-cells a').click() || true`)
	eventually(t, ctx, `document.querySelector('.compared-cells a').getAttribute('aria-current') === 'true' && document.getElementById('readout').dataset.pinned === 'true'`)
	ask[bool](t, ctx, `document.querySelector('#swap a').click() || true`)
	eventually(t, ctx, `location.search.startsWith('?a=dot-product&b=dense') && document.getElementById('name-a').textContent.includes('Dot product') && document.getElementById('c-a').value === 'dot-product'`)
	ask[bool](t, ctx, `(() => { const s = document.getElementById('c-a'); s.value = 'bert'; s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`)
	eventually(t, ctx, `document.getElementById('c-a.layer').options.length === 4 && document.getElementById('name-a').textContent.includes('BERT')`)
	ask[bool](t, ctx, `(() => { const s = document.getElementById('c-a.layer'); s.value = '4'; s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`)
	eventually(t, ctx, `location.search.startsWith('?a=bert%3A4&b=dense')`)
	ask[bool](t, ctx, `(() => { const s = document.getElementById('c-a'); s.value = 'random'; s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`)
	eventually(t, ctx, `location.search.startsWith('?a=random') && !document.querySelector('#problem .message') && document.querySelectorAll('.map canvas.under').length === 3`)
}

// TestComparePageWithoutScripts: three pictures, and the form chooses.
func TestComparePageWithoutScripts(t *testing.T) {
	ctx := tab(t)
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	must(t, err)
	must(t, chromedp.Do(ctx, chromedp.Navigate(pages(t).URL+"/compare?theme=light&a=dense&b=random")))
	loaded := `document.querySelectorAll('.card img').length === 3 && [...document.querySelectorAll('.card img')].every((i) => i.complete && i.naturalWidth > 0 && i.offsetWidth > 200 && i.alt)`
	eventually(t, ctx, loaded)
	ask[bool](t, ctx, `Boolean(document.getElementById('c-b').value = 'linear')`)
	button := ask[[]float64](t, ctx, `(() => { const b = document.querySelector('button.render').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`)
	must(t, chromedp.Do(ctx, chromedp.MouseClickXY(button[0], button[1])))
	eventually(t, ctx, `document.getElementById('name-b').textContent.includes('Linear')`)
	eventually(t, ctx, loaded)
}

// TestPickingTwoMaps: by a key on one map and then on another, and by dragging a card's link onto
// another card; Esc forgets the first.
func TestPickingTwoMaps(t *testing.T) {
	ctx := browse(t, "/?layer=2&head=3")
	focus := func(id string) {
		ask[bool](t, ctx, fmt.Sprintf(`document.getElementById('map-%s').focus() || true`, id))
	}
	focus("dense")
	must(t, chromedp.Do(ctx, chromedp.KeyEvent("c")))
	eventually(t, ctx, `document.querySelector('#card-dense.is-picked') && document.getElementById('message').textContent.includes('Dense synthesizer')`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent("\x1b")))
	eventually(t, ctx, `!document.querySelector('.is-picked') && document.getElementById('message').hidden`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent("c")))
	focus("random")
	must(t, chromedp.Do(ctx, chromedp.KeyEvent("c")))
	eventually(t, ctx, `location.pathname === '/compare' && document.documentElement.dataset.ready === 'true'`)
	if got := ask[string](t, ctx, `location.search`); !strings.HasPrefix(got, "?a=dense%3A2%3A3&b=random%3A2%3A3") {
		t.Errorf("keys compare %s", got)
	}
	visit(t, ctx, pages(t).URL+"/?layer=2&head=3")
	ask[bool](t, ctx, `(() => { const data = new DataTransfer(), send = (kind, to) => to.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));
		send('dragstart', document.querySelector('#card-fastformer .compare-with'));
		const onto = document.querySelector('#map-dot-product'), free = !send('dragover', onto);
		send('drop', onto); return free; })()`)
	eventually(t, ctx, `location.pathname === '/compare' && location.search.startsWith('?a=fastformer%3A2%3A3&b=dot-product%3A2%3A3')`)
	eventually(t, ctx, `document.querySelector('#card-difference .refusal') && document.querySelector('.compared-links a.enhance')`)
}

// TestCompareCommand: the numbers and sentences of the API, or a figure; what is wrong is said.
func TestCompareCommand(t *testing.T) {
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"compare", "dense:2:3", "dense:2:3", "a cat"}, &out, &errs); status != 0 || !strings.Contains(out.String(), "A: dense, layer 2, head 3; B: dense, layer 2, head 3") || !strings.Contains(out.String(), "rank correlation 1\n") {
		t.Errorf("%d: %s%s", status, out.String(), errs.String())
	}
	out.Reset()
	if status := run(t.Context(), []string{"compare", "dense:2:3", "random:1:2", "a cat"}, &out, &errs); status != 0 || !strings.Contains(out.String(), "A: dense, layer 2, head 3; B: random, layer 1, head 2") || strings.Contains(out.String(), "rank correlation 1\n") {
		t.Errorf("%d: %s%s", status, out.String(), errs.String())
	}
	if status := run(t.Context(), []string{"compare", "dense:9", "random", "a cat"}, &out, &errs); status != failed || !strings.Contains(errs.String(), "2 layers") {
		t.Errorf("%d: %s", status, errs.String())
	}
	file := filepath.Join(t.TempDir(), "two.png")
	if status := run(t.Context(), []string{"compare", "dense", "random", "a cat", "--out", file}, &out, &errs); status != 0 {
		t.Errorf("%d: %s", status, errs.String())
	}
	if data, err := os.ReadFile(file); err != nil || !bytes.HasPrefix(data, []byte("\x89PNG")) {
		t.Errorf("no figure: %v", err)
	}
}
