package wall_test

import (
	"fmt"
	"net/url"
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const (
	pressWord = `(() => { const b = [...document.querySelectorAll('.hide')].find((b) => b.getAttribute('aria-label') === %q); b.scrollIntoView({ block: 'nearest', inline: 'nearest' }); const r = b.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`
)

// press clicks the button of a word.
func press(t *testing.T, tab *browsertest.Tab, label string) {
	t.Helper()
	tab.Eventually(fmt.Sprintf(`document.readyState === 'complete'
		&& [...document.querySelectorAll('.hide')].some((b) => b.getAttribute('aria-label') === %q)`, label))
	at := browsertest.Ask[[]float64](tab, fmt.Sprintf(pressWord, label))
	tab.Do(chromedp.MouseClickXY(at[0], at[1]))
}

// TestHidingByHand: masking works by mouse and by keys. Back undoes it, the focus stays on the word, and a click
// on the word itself still pins its row.
func TestHidingByHand(t *testing.T) {
	server := browsertest.ServeFolder(t, browsertest.Folder(t, "dot-product", "bert", "gpt2"))
	tab := open(t, server+"/?m=dot-product,bert,gpt2&text=The+recondite+cat+sat")
	browsertest.Ask[bool](tab, `Boolean(window.stays = true)`)
	press(t, tab, "Mask “recondite”")
	tab.Eventually(textShown + ` === 'The [MASK][MASK][MASK] cat sat'
		&& document.querySelectorAll('#card-bert .prediction').length === 3`)
	browsertest.Becomes(tab, `document.getElementById('c-text').value`, "The [MASK][MASK][MASK] cat sat")
	tab.Eventually(`document.activeElement.matches('.hide.back')`) // the focus stays on the word
	tab.Do(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent("m"))
	tab.Eventually(textShown + ` === 'The [MASK][MASK][MASK] [MASK] sat'
		&& new URL(location.href).searchParams.getAll('was').join() === 'recondite,cat' && document.activeElement.matches('.hide.back')`)
	tab.Do(chromedp.KeyEvent(kb.Enter))
	tab.Eventually(textShown + ` === 'The [MASK][MASK][MASK] cat sat'`)
	browsertest.Becomes(tab, `[...document.querySelectorAll('.hide')].filter((b) => b.tabIndex === 0).length`,
		1) // tab stop in the token strip
	tab.Back(1)
	tab.Eventually(textShown + ` === 'The [MASK][MASK][MASK] [MASK] sat'`)
	tab.Back(2)
	tab.Eventually(textShown + ` === 'The recondite cat sat'
		&& document.querySelectorAll('#card-bert .prediction').length === 0`)
	at := browsertest.Ask[[]float64](tab, `(() => { const b = document.querySelector('.token[data-label=cat] .word').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`)
	tab.Do(chromedp.MouseClickXY(at[0], at[1]))
	tab.Eventually(`/[?&]pin=6(&|$)/.test(location.search)`)
	tab.Eventually(`document.querySelector('#card-gpt2 .prediction.now .piece').textContent === 'cat'`)
	tab.Do(chromedp.KeyEvent(kb.Escape))
	tab.Eventually(`!location.search.includes('pin')`)
	if !browsertest.Ask[bool](tab, `window.stays === true`) {
		t.Error("the page was loaded anew")
	}
}

// TestHidingWithoutScripts: the button submits the form.
func TestHidingWithoutScripts(t *testing.T) {
	server := browsertest.ServeFolder(t, browsertest.Folder(t, "dot-product"))
	tab := browsertest.Open(t)
	tab.WithoutScripts()
	tab.Do(chromedp.Navigate(server + "/?m=dot-product&layer=1&text=" + url.QueryEscape("The cat\nsat")))
	press(t, tab, "Mask “sat”")
	tab.Eventually(textShown + `.replace(/\r/g, '') === 'The cat\n[MASK]'
		&& document.querySelectorAll('#card-dot-product .prediction').length === 1`)
	press(t, tab, "Show “sat” again")
	tab.Eventually(textShown + `.replace(/\r/g, '') === 'The cat\nsat'`)
}
