package wall_test

import (
	"fmt"
	"strings"
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// onlyMaps checks that only the name, the map and the reading of every card are visible.
const onlyMaps = `[...document.querySelectorAll('.card')].every((c) => [c.querySelector('h2'), c.querySelector('.map')].every((one) => one.checkVisibility()) &&
	[...c.querySelectorAll('.truth, .axis-title, .labels, .heads, .legend, .badge, .note, .card-foot, .facts, .more, .caption > :not(.card-read)')].every((one) => !one.checkVisibility()))`

// TestMapsOnly: all maps and names are visible at once on a desktop and in presentations, and side by side on a
// phone. A key toggles this view, links and controls keep it, and it works without scripts.
func TestMapsOnly(t *testing.T) {
	tab := browsertest.Open(t)
	all, _, _ := strings.Cut(browsertest.WallAddress(len(browsertest.OwnModels()), 19, 1), "&text=")
	for _, window := range [][2]int64{{1440, 900}, {2560, 1440}} {
		tab.Sized(window[0], window[1], all)
		tab.Do(chromedp.KeyEvent("v"))
		tab.Eventually(`location.search.includes('compact=1') && document.querySelectorAll('.card').length >= 26
			&& ` + onlyMaps)
		tab.Eventually(`[...document.querySelectorAll('.card')].every((c) => c.getBoundingClientRect().bottom <= document.getElementById('readout').getBoundingClientRect().top)`) // once the rows have their heights
		tab.Eventually(`Math.min(...[...document.querySelectorAll('.map')].map((m) => m.getBoundingClientRect().width)) >= 0.085 * innerWidth`)
	}
	x, y := tab.Cell("bert", 4, 3)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, x, y))
	const said = `document.querySelector('#card-bert .card-read').textContent`
	tab.Eventually(said + ` && document.querySelector('#card-bert .cross > :not([hidden])')`)
	tab.Eventually(said + ` === document.querySelector('#readings [data-mechanism=bert] dd')?.textContent`) // lines of the bar that are out of sight come later
	tab.Do(chromedp.Focus(chromedp.CSS("#map-bert")), chromedp.KeyEvent(kb.Enter))
	tab.Eventually(`document.getElementById('large').open && document.querySelector('#large-about .legend').checkVisibility() && document.querySelector('#large-about .caption').innerText.includes('attends to')`)
	tab.Do(chromedp.KeyEvent(kb.Escape))
	tab.Eventually(`!document.getElementById('large').open`)
	newPage(t, tab).do(`const s = document.getElementById('c-layer'); s.value = '2'; s.dispatchEvent(new Event('change', { bubbles: true }))`)
	tab.Eventually(`location.search.includes('layer=2') && location.search.includes('compact=1') && ` + onlyMaps)
	tab.Do(chromedp.Focus(chromedp.CSS("#map-bert")), chromedp.KeyEvent("v"))
	tab.Eventually(`!location.search.includes('compact') && document.querySelector('#card-bert .legend').checkVisibility()
		&& document.activeElement.id === 'map-bert'`)
	tab.WithoutScripts()
	tab.Do(chromedp.EmulateViewport(390, 844), chromedp.Navigate(browsertest.Server(t).URL+all+"&compact=1&pin=3.2"))
	tab.Eventually(`document.querySelectorAll('.card').length >= 26 && ` + onlyMaps +
		` && [...document.querySelectorAll('.map img')].length >= 26`)
	tab.Eventually(`document.readyState === 'complete'`)
	if got := browsertest.Ask[[]float64](tab, `['#card-dot-product', '#card-random'].map((id) => document.querySelector(id).getBoundingClientRect()).flatMap((b) => [b.left, b.top, b.right])`); got[1] != got[4] || got[5] > 390 || got[3] < got[2] {
		t.Errorf("on a phone two cards are not beside each other: %v", got)
	}
	tab.Eventually(said) // the pinned cell, without scripts
}

// TestEnlargedHead: the buttons and keys of the window change the head of the enlarged card, and of no other.
func TestEnlargedHead(t *testing.T) {
	tab := browsertest.Open(t)
	for _, more := range []string{"", "&compact=1", "&present=1"} {
		tab.Sized(1440, 900, "/?layer=1&m=dot-product,random&head=1"+more)
		tab.Do(chromedp.Focus(chromedp.CSS("#map-random")), chromedp.KeyEvent("f"))
		tab.Eventually(`document.getElementById('large').open`)
		shows := func(head string) {
			t.Helper()
			tab.Eventually(fmt.Sprintf(`document.querySelector('.stepper[data-control="c-head"] output').textContent === 'Head %[1]s' && new URLSearchParams(location.search).get('random.head') === '%[1]s' &&
				new URLSearchParams(location.search).get('head') === '1' && document.getElementById('large').open && location.search.includes('large=random') && `+
				`document.querySelector('#card-dot-product .head[aria-current=true]').textContent === '1'`, head))
		}
		tab.Do(chromedp.Click(chromedp.CSS(`.stepper[data-control="c-head"] [data-by="1"]`)))
		shows("2")
		tab.Do(chromedp.Focus(chromedp.CSS("#large-map")), chromedp.KeyEvent("="))
		shows("3")
	}
}
