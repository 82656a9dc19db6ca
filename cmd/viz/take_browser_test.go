package main

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestTakePreview: by keyboard, another choice shows its file, size, picture and snippets at once, one that cannot be says why,
// and Back brings the last one with its choices.
func TestTakePreview(t *testing.T) {
	ctx := browse(t, "/take/dense?text=the+old+cat&theme=light")
	eventually(t, ctx, `document.querySelector('.take-form button').hidden && document.querySelector('.copy-text').hidden === false`)
	size := ask[string](t, ctx, `document.querySelector('.take-size').textContent`)
	picture := func(with string) string {
		return `(() => { const one = document.querySelector('#take-preview img'); return one && one.complete && one.naturalWidth > 0 && one.src.includes('` + with + `'); })()`
	}
	must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS(`.take-form select[name=theme]`)), chromedp.KeyEvent("d"), chromedp.KeyEvent(kb.Tab)))
	eventually(t, ctx, picture("theme=dark")+` && location.search.includes('theme=dark')`)
	p := newPage(t, ctx)
	choose := func(name, value string) {
		p.do(`const s = document.querySelector('.take-form select[name=` + name + `]'); s.value = '` + value + `'; s.dispatchEvent(new Event('change', { bubbles: true }))`)
	}
	choose("format", "pdf")
	eventually(t, ctx, `document.querySelector('.take-file').href.includes('.pdf?') && document.querySelector('.take-size').textContent !== '`+size+`' && document.getElementById('text-curl').textContent.includes('.pdf')`)
	choose("format", "csv")
	eventually(t, ctx, `document.querySelector('.take-file').href.includes('.csv?') && !document.querySelector('#take-preview img')`)
	p.do(`history.back()`)
	eventually(t, ctx, picture("theme=dark")+` && document.querySelector('.take-form select[name=format]').value === 'pdf' && document.querySelector('.take-file').href.includes('.pdf?')`)
	p.do(`navigator.clipboard.writeText = async (text) => { window.copied = text; }; document.querySelector('[data-of=text-curl]').click()`)
	eventually(t, ctx, `window.copied?.includes('.pdf') && document.querySelector('[data-of=text-curl]').textContent !== document.querySelector('[data-of=text-viz]').textContent`)
	visit(t, ctx, pages(t).URL+"/take/dense?text=the+old+cat&dpi=1200")
	eventually(t, ctx, `document.querySelector('.take-form button').hidden`)
	choose("preset", "a1")
	eventually(t, ctx, `document.querySelector('#take-file .refusal')?.textContent.length > 20 && document.querySelector('.take-form select[name=preset]').value === 'a1'`)
}
