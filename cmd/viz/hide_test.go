package main

import (
	"context"
	"fmt"
	"net/url"
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const (
	pressWord = `(() => { const b = [...document.querySelectorAll('.hide')].find((b) => b.getAttribute('aria-label') === %q); b.scrollIntoView({ block: 'nearest', inline: 'nearest' }); const r = b.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`
)

// press clicks the button of a word.
func press(t *testing.T, ctx context.Context, label string) {
	t.Helper()
	eventually(t, ctx, fmt.Sprintf(`document.readyState === 'complete' && [...document.querySelectorAll('.hide')].some((b) => b.getAttribute('aria-label') === %q)`, label))
	at := ask[[]float64](t, ctx, fmt.Sprintf(pressWord, label))
	must(t, chromedp.Do(ctx, chromedp.MouseClickXY(at[0], at[1])))
}

// TestHidingByHand: by mouse and by keys; Back undoes it, the focus stays on the word,
// and a click on the word itself still pins its row.
func TestHidingByHand(t *testing.T) {
	server := served(t, folder(t, "dot-product", "bert", "gpt2"))
	ctx := open(t, server+"/?m=dot-product,bert,gpt2&text=The+recondite+cat+sat")
	ask[bool](t, ctx, `Boolean(window.stays = true)`)
	press(t, ctx, "Mask “recondite”")
	eventually(t, ctx, textShown+` === 'The [MASK][MASK][MASK] cat sat' && document.querySelectorAll('#card-bert .prediction').length === 3`)
	becomes(t, ctx, `document.getElementById('c-text').value`, "The [MASK][MASK][MASK] cat sat")
	eventually(t, ctx, `document.activeElement.matches('.hide.back')`) // the focus stays on the word
	must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent("m")))
	eventually(t, ctx, textShown+` === 'The [MASK][MASK][MASK] [MASK] sat' && new URL(location.href).searchParams.getAll('was').join() === 'recondite,cat' && document.activeElement.matches('.hide.back')`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.Enter)))
	eventually(t, ctx, textShown+` === 'The [MASK][MASK][MASK] cat sat'`)
	becomes(t, ctx, `[...document.querySelectorAll('.hide')].filter((b) => b.tabIndex === 0).length`, 1) // stop of the Tab key in the strip
	ask[bool](t, ctx, `history.back() || true`)
	eventually(t, ctx, textShown+` === 'The [MASK][MASK][MASK] [MASK] sat'`)
	ask[bool](t, ctx, `history.go(-2) || true`)
	eventually(t, ctx, textShown+` === 'The recondite cat sat' && document.querySelectorAll('#card-bert .prediction').length === 0`)
	at := ask[[]float64](t, ctx, `(() => { const b = document.querySelector('.token[data-label=cat] .word').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`)
	must(t, chromedp.Do(ctx, chromedp.MouseClickXY(at[0], at[1])))
	eventually(t, ctx, `/[?&]pin=6(&|$)/.test(location.search)`)
	eventually(t, ctx, `document.querySelector('#card-gpt2 .prediction.now .piece').textContent === 'cat'`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.Escape)))
	eventually(t, ctx, `!location.search.includes('pin')`)
	if !ask[bool](t, ctx, `window.stays === true`) {
		t.Error("the page was loaded anew")
	}
}

// TestHidingWithoutScripts: the button sends the form.
func TestHidingWithoutScripts(t *testing.T) {
	server := served(t, folder(t, "dot-product"))
	ctx := tab(t)
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	must(t, err)
	must(t, chromedp.Do(ctx, chromedp.Navigate(server+"/?m=dot-product&layer=1&text="+url.QueryEscape("The cat\nsat"))))
	press(t, ctx, "Mask “sat”")
	eventually(t, ctx, textShown+`.replace(/\r/g, '') === 'The cat\n[MASK]' && document.querySelectorAll('#card-dot-product .prediction').length === 1`)
	press(t, ctx, "Show “sat” again")
	eventually(t, ctx, textShown+`.replace(/\r/g, '') === 'The cat\nsat'`)
}

// TestWritingIsAccessible: with a model, of which the page of the accessibility test may
// have none.
func TestWritingIsAccessible(t *testing.T) {
	axe := browsertest.Axe(t)
	server := served(t, folder(t, "encoder-decoder", "bert", "gpt2"))
	ctx := tab(t)
	for _, path := range []string{"/m/encoder-decoder?theme=light&text=the+cat", "/m/encoder-decoder?theme=dark&text=the+cat&step=2", "/m/encoder-decoder?text=", "/?theme=light&m=bert,gpt2&text=the+%5BMASK%5D+%7C%7C%7C+cat&was=big"} {
		for _, width := range []int64{1440, 390} {
			must(t, chromedp.Do(ctx, chromedp.EmulateViewport(width, 900)))
			visit(t, ctx, server+path)
			fits(t, ctx, path)
			for _, v := range violations(t, ctx, axe) {
				t.Errorf("%s at %d pixels: %s", path, width, v)
			}
		}
	}
}
