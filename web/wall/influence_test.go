package wall_test

import (
	"fmt"
	"testing"

	"attnatlas/engine/messages"
	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

const choose = `(() => { const s = document.getElementById('c-show'); s.value = '%s'; s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`

const shownMaps = `[...document.querySelectorAll('.map')].map((m) => m.dataset.map).join()`

// TestInfluenceControl: a switch to influence and back changes the address, maps, read-out and table.
func TestInfluenceControl(t *testing.T) {
	tab := browsertest.Browse(t, "/?layer=1&pin=3.6")
	server := browsertest.Server(t).URL
	browsertest.Ask[bool](tab, fmt.Sprintf(choose, "influence"))
	tab.Eventually(shownMaps + ` === 'influence,influence,influence,influence'
		&& document.querySelectorAll('.map canvas').length === 4`)
	tab.Eventually(`new URL(location.href).searchParams.get('show') === 'influence' && ` + pairText +
		` === 'cat3 is influenced by the6'`)
	for _, id := range []string{"dot-product", "random", "dense", "fastformer"} {
		want := messages.Number(browsertest.Value(t, server, browsertest.MapCell{ID: id, Map: "influence", Row: 2, Col: 5}))
		browsertest.Becomes(tab, readingOf(id), want)
	}
	tab.Trigger("#card-dense .as-table")
	tab.Eventually(`document.querySelector('#table-dense caption')?.textContent.includes('cat (3) is influenced by')`)
	browsertest.Becomes(tab, `document.querySelector('#card-dense .axis-rows').textContent + document.querySelectorAll('.strip').length`, "output0")
	browsertest.Ask[bool](tab, fmt.Sprintf(choose, "maps"))
	tab.Eventually(shownMaps + ` === 'weights,weights,weights,contribution'
		&& !new URL(location.href).searchParams.has('show')`)
	tab.Back(1)
	tab.Eventually(shownMaps + ` === 'influence,influence,influence,influence'
		&& document.getElementById('c-show').value === 'influence'`)
}

// TestTypingInInfluenceMode: of many texts, the page waits only for the last one.
func TestTypingInInfluenceMode(t *testing.T) {
	tab := browsertest.Browse(t, "/?show=influence")
	browsertest.Ask[bool](tab, `typing.many()`)
	tab.Eventually(`document.getElementById('controls').ariaBusy !== 'true'
		&& [...document.querySelectorAll('.token')].some((c) => c.textContent.includes('6'))`)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, 5, 5))
	browsertest.Becomes(tab, shownMaps, "influence,influence,influence,influence") // cards arrive one by one
}
