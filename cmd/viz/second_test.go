package main

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"attnatlas/web/address"
)

// changeOf is what a card says of the second text.
func changeOf(id string) string {
	return fmt.Sprintf(`(document.querySelector('#card-%s .change')?.textContent.replace(/\s+/g, ' ').trim() ?? '')`, id)
}

// TestSecondTextLive: a button opens the line with the words shuffled; Random does not change by
// a bit, the others do; what is typed into it is followed, with the caret where it was.
func TestSecondTextLive(t *testing.T) {
	ctx := browse(t, "/?layer=2")
	ask[bool](t, ctx, `document.querySelector('#second-begin a').click() || true`)
	eventually(t, ctx, changeOf("random")+`.startsWith('0, bit-identical')`)
	eventually(t, ctx, `document.querySelectorAll('.second-map canvas.under').length === 8`)
	for _, id := range []string{"dot-product", "dense", "fastformer"} {
		eventually(t, ctx, changeOf(id)+`.startsWith('0.')`)
	}
	if words := ask[bool](t, ctx, `document.getElementById('c-other').value.split(' ').sort().join() === document.getElementById('c-text').value.split(' ').sort().join()`); !words {
		t.Errorf("the second text is %q", ask[string](t, ctx, `document.getElementById('c-other').value`))
	}
	before := ask[string](t, ctx, changeOf("dense"))
	must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS("#c-other"))))
	ask[bool](t, ctx, `(() => { const o = document.getElementById('c-other'); o.value = document.getElementById('c-text').value; o.setSelectionRange(4, 7); return true; })()`)
	must(t, chromedp.Do(ctx, chromedp.SendKeys(chromedp.CSS("#c-other"), "dog")))
	eventually(t, ctx, fmt.Sprintf(`new URL(location.href).searchParams.get('other') === %q`, "The dog"+address.DefaultText[7:]))
	eventually(t, ctx, changeOf("dense")+` !== `+fmt.Sprintf("%q", before)+` && !document.getElementById('controls').hasAttribute('aria-busy')`)
	becomes(t, ctx, `document.activeElement.id + ' ' + document.activeElement.selectionStart`, "c-other 7")
	x, y := centre(t, ctx, "dense", 2, 2)
	must(t, chromedp.Do(ctx, chromedp.MouseEvent(chromedp.MouseMoved, x, y)))
	eventually(t, ctx, `[...document.querySelectorAll('#card-dense .second-read')].every((one) => one.textContent)`)
	ask[bool](t, ctx, `(document.activeElement.blur(), [...document.querySelectorAll('#second-tools a')].at(-1)).click() || true`)
	eventually(t, ctx, `!document.querySelector('.second') && !location.search.includes('other') && document.getElementById('c-other').offsetHeight === 0`)
}

// TestSecondTextWithoutScripts: both maps and the difference are pictures, and the form sends both
// texts.
func TestSecondTextWithoutScripts(t *testing.T) {
	ctx := tab(t)
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	must(t, err)
	must(t, chromedp.Do(ctx, chromedp.Navigate(pages(t).URL+"/?theme=light&other="+url.QueryEscape("The dog sat on the mat because it was tired, and the cat saw it."))))
	eventually(t, ctx, `document.querySelectorAll('.second-map img').length === 8 && [...document.querySelectorAll('.second-map img')].every((i) => i.complete && i.naturalWidth > 0 && i.offsetWidth > 50 && i.alt)`)
	ask[bool](t, ctx, `Boolean(document.getElementById('c-other').value = 'The')`)
	eventually(t, ctx, `document.readyState === 'complete'`)
	button := ask[[]float64](t, ctx, `(() => { const b = document.querySelector('button.render').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`)
	must(t, chromedp.Do(ctx, chromedp.MouseClickXY(button[0], button[1])))
	eventually(t, ctx, `document.querySelector('.second-lengths')?.textContent.includes('19 tokens, the second 3 tokens')`)
	ask[bool](t, ctx, `document.querySelector('.second-lengths a').click() || true`)
	eventually(t, ctx, `document.querySelector('#card-random .change.same')`)
}
