package compare_test

import (
	"fmt"
	"strings"
	"testing"

	"attnatlas/engine/messages"
	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

// TestComparisonByHand: one cross-hair covers three maps, whose values are those of the API. The sides are chosen
// and swapped without loading another page, and a sentence pins its cell.
func TestComparisonByHand(t *testing.T) {
	tab := browsertest.Browse(t, "/compare?a=dense&b=dot-product")
	tab.Eventually(`document.querySelectorAll('.map canvas.under').length === 3`)
	x, y := tab.Cell("difference", 2, 5)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, x, y))
	tab.Eventually(`shown.pair()` + ` === 'cat3 attends to the6'`)
	value := func(id string) float64 {
		return browsertest.Value(t, browsertest.Server(t).URL, browsertest.MapCell{ID: id, Map: "weights", Row: 2, Col: 5})
	}
	a, b := value("dense"), value("dot-product")
	for id, want := range map[string]float64{"a": a, "b": b, "difference": float64(float32(a) - float32(b))} {
		browsertest.Becomes(tab, fmt.Sprintf(`shown.reading(%q)`, id), messages.Number(want))
	}
	tab.Trigger(".compared-cells a")
	tab.Eventually(`document.querySelector('.compared-cells a').getAttribute('aria-current') === 'true'
		&& document.getElementById('readout').dataset.pinned === 'true'`)
	tab.Trigger("#swap a")
	tab.Eventually(`location.search.startsWith('?a=dot-product&b=dense')
		&& document.getElementById('name-a').textContent.includes('Dot product') && document.getElementById('c-a').value === 'dot-product'`)
	tab.Choose("c-a", "bert")
	tab.Eventually(`document.getElementById('c-a.layer').options.length === 4
		&& document.getElementById('name-a').textContent.includes('BERT')`)
	tab.Choose("c-a.layer", "4")
	tab.Eventually(`location.search.startsWith('?a=bert%3A4&b=dense')`)
	tab.Choose("c-a", "random")
	tab.Eventually(`location.search.startsWith('?a=random') && !document.querySelector('#problem .message')
		&& document.querySelectorAll('.map canvas.under').length === 3`)
}

// TestComparePageWithoutScripts: the page has three pictures, and the form chooses the sides.
func TestComparePageWithoutScripts(t *testing.T) {
	tab := browsertest.Open(t)
	tab.WithoutScripts()
	tab.Do(chromedp.Navigate(browsertest.Server(t).URL + "/compare?theme=light&a=dense&b=random"))
	loaded := `document.querySelectorAll('.card img').length === 3 && [...document.querySelectorAll('.card img')].every((i) => i.complete && i.naturalWidth > 0 && i.offsetWidth > 200 && i.alt)`
	tab.Eventually(loaded)
	browsertest.Ask[bool](tab, `Boolean(document.getElementById('c-b').value = 'linear')`)
	button := browsertest.Ask[[]float64](tab, `(() => { const b = document.querySelector('button.render').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`)
	tab.Do(chromedp.MouseClickXY(button[0], button[1]))
	tab.Eventually(`document.getElementById('name-b').textContent.includes('Linear')`)
	tab.Eventually(loaded)
}

// TestPickingTwoMaps: two maps are chosen by pressing a key on each, or by dragging a card's link onto another
// card. Esc discards the first choice.
func TestPickingTwoMaps(t *testing.T) {
	tab := browsertest.Browse(t, "/?layer=2&head=3")
	focus := func(id string) {
		browsertest.Ask[bool](tab, fmt.Sprintf(`document.getElementById('map-%s').focus() || true`, id))
	}
	focus("dense")
	tab.Do(chromedp.KeyEvent("c"))
	tab.Eventually(`document.querySelector('#card-dense.is-picked')
		&& document.getElementById('message').textContent.includes('Dense synthesizer')`)
	tab.Do(chromedp.KeyEvent("\x1b"))
	tab.Eventually(`!document.querySelector('.is-picked') && document.getElementById('message').hidden`)
	tab.Do(chromedp.KeyEvent("c"))
	focus("random")
	tab.Do(chromedp.KeyEvent("c"))
	tab.Eventually(`location.pathname === '/compare' && document.documentElement.dataset.ready === 'true'`)
	if got := browsertest.Ask[string](tab, `location.search`); !strings.HasPrefix(got,
		"?a=dense%3A2%3A3&b=random%3A2%3A3") {
		t.Errorf("keys compare %s", got)
	}
	tab.Visit(browsertest.Server(t).URL + "/?layer=2&head=3")
	browsertest.Ask[bool](tab, `(() => { const data = new DataTransfer(), send = (kind, to) => to.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));
		send('dragstart', document.querySelector('#card-fastformer .compare-with'));
		const onto = document.querySelector('#map-dot-product'), free = !send('dragover', onto);
		send('drop', onto); return free; })()`)
	tab.Eventually(`location.pathname === '/compare' && location.search.startsWith('?a=fastformer%3A2%3A3&b=dot-product%3A2%3A3')`)
	tab.Eventually(`document.querySelector('#card-difference .refusal')
		&& document.querySelector('.compared-links a.enhance')`)
}
