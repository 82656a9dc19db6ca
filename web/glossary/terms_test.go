package glossary_test

import (
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

// TestTermsShowTheirDefinitions: a term shows its definition while the mouse is over it, while it has the focus of the
// keyboard, and after a tap, which does not follow the link.
func TestTermsShowTheirDefinitions(t *testing.T) {
	tab := browsertest.Browse(t, "/about")
	const shown = `document.getElementById('term-says')?.textContent === document.querySelector('a.term').dataset.says`
	const hidden = `!document.getElementById('term-says')`
	browsertest.Ask[bool](tab, `(document.querySelector('a.term').scrollIntoView({ block: 'center' }), true)`)
	box := tab.Box("a.term")
	tab.Eventually(hidden)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, (box[0]+box[2])/2, box[1]+8))
	tab.Eventually(shown)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, 2, 2))
	tab.Eventually(hidden)
	browsertest.Ask[bool](tab, `document.querySelector('a.term').focus({ focusVisible: true }) || true`)
	tab.Eventually(shown)
	browsertest.Ask[bool](tab, `document.querySelector('a.term').blur() || document.body.click() || true`)
	tab.Eventually(hidden)
	browsertest.Ask[bool](tab, `document.querySelector('a.term').dispatchEvent(new PointerEvent('click', `+
		`{ pointerType: 'touch', bubbles: true, cancelable: true })) || true`)
	tab.Eventually(shown + ` && location.pathname.endsWith('/about')`)
}
