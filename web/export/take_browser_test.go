package export_test

import (
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestTakePreview: with the keyboard, another choice shows its file, size, picture and snippets at
// once. An impossible choice shows the reason, and Back restores the last one.
func TestTakePreview(t *testing.T) {
	tab := browsertest.Browse(t, "/take/dense?text=the+old+cat&theme=light")
	tab.Eventually(`document.querySelector('.take-form button').hidden
		&& document.querySelector('.copy-text').hidden === false`)
	size := browsertest.Ask[string](tab, `document.querySelector('.take-size').textContent`)
	picture := func(with string) string {
		return `(() => { const one = document.querySelector('#take-preview img'); return one && one.complete && one.naturalWidth > 0 && one.src.includes('` + with + `'); })()`
	}
	tab.Do(chromedp.Focus(chromedp.CSS(`.take-form select[name=theme]`)), chromedp.KeyEvent("d"),
		chromedp.KeyEvent(kb.Tab))
	tab.Eventually(picture("theme=dark") + ` && location.search.includes('theme=dark')`)
	choose := func(name, value string) {
		browsertest.Ask[bool](tab, `(() => { const s = document.querySelector('.take-form select[name=`+name+
			`]'); s.value = '`+value+`'; s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`)
	}
	choose("format", "pdf")
	tab.Eventually(`document.querySelector('.take-file').href.includes('.pdf?')
		&& document.querySelector('.take-size').textContent !== '` + size + `' && document.getElementById('text-curl').textContent.includes('.pdf')`)
	choose("format", "csv")
	tab.Eventually(`document.querySelector('.take-file').href.includes('.csv?')
		&& !document.querySelector('#take-preview img')`)
	tab.Back(1)
	tab.Eventually(picture("theme=dark") + ` && document.querySelector('.take-form select[name=format]').value === 'pdf'
		&& document.querySelector('.take-file').href.includes('.pdf?')`)
	browsertest.Ask[bool](tab, `(() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; document.querySelector('[data-of=text-curl]').click(); return true; })()`)
	tab.Eventually(`window.copied?.includes('.pdf') && document.querySelector('[data-of=text-curl]').textContent !== document.querySelector('[data-of=text-viz]').textContent`)
	tab.Visit(browsertest.Server(t).URL + "/take/dense?text=the+old+cat&dpi=1200")
	tab.Eventually(`document.querySelector('.take-form button').hidden`)
	choose("preset", "a1")
	tab.Eventually(`document.querySelector('#take-file .refusal')?.textContent.length > 20
		&& document.querySelector('.take-form select[name=preset]').value === 'a1'`)
}
