package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// onlyMaps is whether of every card there are to be seen its name, its map and what is read of it.
const onlyMaps = `[...document.querySelectorAll('.card')].every((c) => [c.querySelector('h2'), c.querySelector('.map')].every((one) => one.checkVisibility()) &&
	[...c.querySelectorAll('.truth, .axis-title, .labels, .heads, .legend, .badge, .note, .card-foot, .facts, .more, .caption > :not(.card-read)')].every((one) => !one.checkVisibility()))`

// TestMapsOnly: of all mechanisms the maps and names are in sight at once, on a desk and before an audience, and on a
// phone beside each other; a key leads there and back, links and controls keep it, and it goes on without scripts.
func TestMapsOnly(t *testing.T) {
	ctx := tab(t)
	all, _, _ := strings.Cut(benchAddress(everyCard(), 19, 1), "&text=")
	for _, window := range [][2]int64{{1440, 900}, {2560, 1440}} {
		sized(t, ctx, window[0], window[1], all)
		must(t, chromedp.Do(ctx, chromedp.KeyEvent("v")))
		eventually(t, ctx, `location.search.includes('compact=1') && document.querySelectorAll('.card').length >= 26 && `+onlyMaps)
		eventually(t, ctx, `[...document.querySelectorAll('.card')].every((c) => c.getBoundingClientRect().bottom <= document.getElementById('readout').getBoundingClientRect().top)`) // once the rows have their heights
		eventually(t, ctx, `Math.min(...[...document.querySelectorAll('.map')].map((m) => m.getBoundingClientRect().width)) >= 0.085 * innerWidth`)
	}
	x, y := centre(t, ctx, "bert", 4, 3)
	must(t, chromedp.Do(ctx, chromedp.MouseEvent(chromedp.MouseMoved, x, y)))
	const said = `document.querySelector('#card-bert .card-read').textContent`
	eventually(t, ctx, said+` && document.querySelector('#card-bert .cross > :not([hidden])')`)
	eventually(t, ctx, said+` === document.querySelector('#readings [data-mechanism=bert] dd')?.textContent`) // lines of the bar that are out of sight come later
	must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS("#map-bert")), chromedp.KeyEvent(kb.Enter)))
	eventually(t, ctx, `document.getElementById('large').open && document.querySelector('#large-about .legend').checkVisibility() && document.querySelector('#large-about .caption').innerText.includes('reads')`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.Escape)))
	eventually(t, ctx, `!document.getElementById('large').open`)
	newPage(t, ctx).do(`const s = document.getElementById('c-layer'); s.value = '2'; s.dispatchEvent(new Event('change', { bubbles: true }))`)
	eventually(t, ctx, `location.search.includes('layer=2') && location.search.includes('compact=1') && `+onlyMaps)
	must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS("#map-bert")), chromedp.KeyEvent("v")))
	eventually(t, ctx, `!location.search.includes('compact') && document.querySelector('#card-bert .legend').checkVisibility() && document.activeElement.id === 'map-bert'`)
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	must(t, err)
	must(t, chromedp.Do(ctx, chromedp.EmulateViewport(390, 844), chromedp.Navigate(pages(t).URL+all+"&compact=1&pin=3.2")))
	eventually(t, ctx, `document.querySelectorAll('.card').length >= 26 && `+onlyMaps+` && [...document.querySelectorAll('.map img')].length >= 26`)
	eventually(t, ctx, `document.readyState === 'complete'`)
	if got := ask[[]float64](t, ctx, `['#card-dot-product', '#card-random'].map((id) => document.querySelector(id).getBoundingClientRect()).flatMap((b) => [b.left, b.top, b.right])`); got[1] != got[4] || got[5] > 390 || got[3] < got[2] {
		t.Errorf("on a phone two cards are not beside each other: %v", got)
	}
	eventually(t, ctx, said) // what is pinned, without scripts
}

// TestEnlargedHead: the buttons and keys of the window go to another head of the enlarged card, and of no other.
func TestEnlargedHead(t *testing.T) {
	ctx := tab(t)
	for _, more := range []string{"", "&compact=1", "&present=1"} {
		sized(t, ctx, 1440, 900, "/?layer=1&m=dot-product,random&head=1"+more)
		must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS("#map-random")), chromedp.KeyEvent("f")))
		eventually(t, ctx, `document.getElementById('large').open`)
		shows := func(head string) {
			t.Helper()
			eventually(t, ctx, fmt.Sprintf(`document.querySelector('.stepper[data-control="c-head"] output').textContent === 'Head %[1]s' && new URLSearchParams(location.search).get('random.head') === '%[1]s' &&
				new URLSearchParams(location.search).get('head') === '1' && document.getElementById('large').open && location.search.includes('large=random') && `+
				`document.querySelector('#card-dot-product .head[aria-current=true]').textContent === '1'`, head))
		}
		must(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS(`.stepper[data-control="c-head"] [data-by="1"]`))))
		shows("2")
		must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS("#large-map")), chromedp.KeyEvent("=")))
		shows("3")
	}
}
