package wall_test

import (
	"fmt"
	"net/url"
	"testing"

	"attnatlas/web/address"
	"attnatlas/web/browsertest"
	"attnatlas/web/scene"

	"github.com/chromedp/chromedp"
)

// changeOf returns a card's sentence about the second text.
func changeOf(id string) string {
	return fmt.Sprintf(`(document.querySelector('#card-%s .change')?.textContent.replace(/\s+/g, ' ').trim() ?? '')`, id)
}

// TestSecondTextLive: a button opens the line with one word of the first text changed. Learned random does not
// change by a bit, the others do. The maps follow the typed text, and the caret stays.
func TestSecondTextLive(t *testing.T) {
	tab := browsertest.Browse(t, "/?layer=2")
	tab.Trigger("#second-begin a")
	tab.Eventually(changeOf("random") + `.startsWith('0, bit-identical')`)
	tab.Eventually(`document.querySelectorAll('.second-map canvas.under').length === 8`)
	for _, id := range []string{"dot-product", "dense", "fastformer"} {
		tab.Eventually(changeOf(id) + `.startsWith('0.')`)
	}
	browsertest.Becomes(tab, `document.getElementById('c-other').value`, scene.OneWordChanged)
	before := browsertest.Ask[string](tab, changeOf("dense"))
	tab.Do(chromedp.Focus(chromedp.CSS("#c-other")))
	browsertest.Ask[bool](tab, `(() => { const o = document.getElementById('c-other'); o.value = document.getElementById('c-text').value; o.setSelectionRange(4, 7); return true; })()`)
	tab.Do(chromedp.SendKeys(chromedp.CSS("#c-other"), "dog"))
	tab.Eventually(fmt.Sprintf(`new URL(location.href).searchParams.get('other') === %q`, "The dog"+
		address.DefaultText[7:]))
	tab.Eventually(changeOf("dense") + ` !== ` + fmt.Sprintf("%q", before) +
		` && !document.getElementById('controls').hasAttribute('aria-busy')`)
	browsertest.Becomes(tab, `document.activeElement.id + ' ' + document.activeElement.selectionStart`, "c-other 7")
	x, y := tab.Cell("dense", 2, 2)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, x, y))
	tab.Eventually(`[...document.querySelectorAll('#card-dense .second-read')].every((one) => one.textContent)`)
	browsertest.Ask[bool](tab, `(document.activeElement.blur(), [...document.querySelectorAll('#second-tools a')].at(-1)).click() || true`)
	tab.Eventually(`!document.querySelector('.second') && !location.search.includes('other')
		&& document.getElementById('c-other').offsetHeight === 0`)
}

// TestSecondTextWithoutScripts: both maps and the difference are pictures, and the form submits both texts.
func TestSecondTextWithoutScripts(t *testing.T) {
	tab := browsertest.Open(t)
	tab.WithoutScripts()
	tab.Do(chromedp.Navigate(browsertest.Server(t).URL + "/?theme=light&other=" +
		url.QueryEscape("The dog sat on the mat because it was tired, and the cat saw it.")))
	tab.Eventually(`document.querySelectorAll('.second-map img').length === 8
		&& [...document.querySelectorAll('.second-map img')].every((i) => i.complete && i.naturalWidth > 0 && i.offsetWidth > 50 && i.alt)`)
	browsertest.Ask[bool](tab, `Boolean(document.getElementById('c-other').value = 'The')`)
	tab.Eventually(`document.readyState === 'complete'`)
	button := browsertest.Ask[[]float64](tab, `(() => { const b = document.querySelector('button.render').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`)
	tab.Do(chromedp.MouseClickXY(button[0], button[1]))
	tab.Eventually(`document.querySelector('.second-lengths')?.textContent.includes('19 tokens, the second 3 tokens')`)
	tab.Trigger(".second-lengths a")
	tab.Eventually(`document.querySelector('#card-random .change.same')`)
}
