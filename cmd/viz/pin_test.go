package main

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"attnatlas/engine/messages"
)

const noMessage = `document.getElementById('message').hidden && !document.querySelector('#problem .message')`

// TestAWordPinsItsRow: by mouse and by keys; it says what the word reads most, in the bar and
// on the cards, with the values of the API; Back undoes it.
func TestAWordPinsItsRow(t *testing.T) {
	ctx := browse(t, "/")
	clickWord(t, ctx, "it")
	eventually(t, ctx, pinShown+` === '9' && `+pairText+` === 'it9 attends most to'`)
	server := pages(t).URL
	best, at := 0.0, 0
	for col := range 19 {
		if v := valueOf(t, server, "dense", "weights", 8, col); v > best {
			best, at = v, col
		}
	}
	label := ask[string](t, ctx, fmt.Sprintf(`document.getElementById('tokens').children[%d].dataset.label`, at))
	want := label + " " + messages.Number(best) + " · "
	for _, where := range []string{`#readings [data-mechanism=dense] dd`, `#card-dense .card-read`} {
		eventually(t, ctx, `document.querySelector('`+where+fmt.Sprintf(`').textContent.startsWith(%q)`, want))
	}
	becomes(t, ctx, `document.querySelectorAll('.word[aria-pressed=true]').length`, 1)
	clickWord(t, ctx, "dog")
	eventually(t, ctx, pinShown+` === '15'`)
	ask[bool](t, ctx, `history.back() || true`)
	eventually(t, ctx, pinShown+` === '9' && `+pairText+` === 'it9 attends most to'`)
	clickWord(t, ctx, "it")
	eventually(t, ctx, pinShown+` === '' && document.querySelectorAll('.word[aria-pressed=true]').length === 0`)
	must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS(".word[tabindex='0']")), chromedp.KeyEvent(kb.End), chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.Enter)))
	eventually(t, ctx, pinShown+` === '18' && `+pairText+` === '.18 attends most to'`)
}

const (
	// linesWritten is whether scripts have written all lines of the bar: those out of sight come when the hand rests.
	linesWritten = `[...document.querySelectorAll('.reading')].every((r) => r.querySelector('dd').style.getPropertyValue('--share') !== '')`
	// cutReadings are the lines that are cut off.
	cutReadings = `[...document.querySelectorAll('.reading')].filter((r) => r.scrollWidth > r.clientWidth).map((r) => r.textContent)`
)

// firstWord is what a mechanism reads most, as the bar says it.
func firstWord(id string) string {
	return fmt.Sprintf(`document.querySelector('#readings [data-mechanism="%s"] dd bdi').textContent`, id)
}

// TestARowWithoutScripts: a word sends the form, and what it reads most is in the HTML.
func TestARowWithoutScripts(t *testing.T) {
	ctx := tab(t)
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	must(t, err)
	must(t, chromedp.Do(ctx, chromedp.Navigate(pages(t).URL+"/?m=dense,shuffle-exchange&pin=3.4")))
	clickWord(t, ctx, "it")
	eventually(t, ctx, `location.search.includes('pin=9') && `+pairText+` === 'it9 attends most to'`)
	eventually(t, ctx, `document.readyState === 'complete'`)
	if got := ask[string](t, ctx, firstWord("dense")); !strings.HasPrefix(got, "[CLS] 0.") {
		t.Errorf("the row reads %q", got)
	}
	if got := ask[string](t, ctx, firstWord("shuffle-exchange")); !strings.HasPrefix(got, "meets ") || !strings.HasSuffix(got, " after 1 stage") {
		t.Errorf("of stages the fewest are the most, but it says %q", got)
	}
	if !ask[bool](t, ctx, `document.querySelector('#card-dense .card-read').offsetWidth > 0`) {
		t.Error("the card does not say it")
	}
	clickWord(t, ctx, "it")
	eventually(t, ctx, `document.getElementById('readout').dataset.pinned === 'false'`)
}

// TestReadingsAreSortedByUnit: shares stand before lengths and stages, each sorted by itself;
// the page as it is sent and as the scripts have it say the same in the same order.
func TestReadingsAreSortedByUnit(t *testing.T) {
	ctx := tab(t)
	for _, pin := range []string{"9.3", "9"} {
		visit(t, ctx, pages(t).URL+"/?m=dot-product,random,dense,fastformer,shuffle-exchange,linformer,bert&pin="+pin)
		const lines = `[...%s.querySelectorAll('.reading')].map((r) => [r.dataset.mechanism, r.querySelector('dt').textContent,
			r.querySelector('dd').textContent.replace(/\s+/g, ' ').replace(/ α.*/, '').trim(), Number(r.querySelector('rect')?.getAttribute('width') ?? 100 * r.querySelector('dd').style.getPropertyValue('--share')).toFixed(1)].join('|'))`
		eventually(t, ctx, `document.querySelectorAll('.reading').length === 7 && `+linesWritten)
		now := ask[[]string](t, ctx, fmt.Sprintf(lines, "document"))
		sent := ask[[]string](t, ctx, `fetch(location.href).then((r) => r.text()).then((html) => { const page = new DOMParser().parseFromString(html, 'text/html'); return `+fmt.Sprintf(lines, "page")+`; })`)
		if strings.Join(now, "\n") != strings.Join(sent, "\n") {
			t.Errorf("pin=%s: the scripts say\n%s\nthe server\n%s", pin, strings.Join(now, "\n"), strings.Join(sent, "\n"))
		}
		last := 100.0
		for i, line := range now[:4] { // the shares
			fields, bar := strings.Split(line, "|"), 0.0
			fmt.Sscan(fields[3], &bar)
			if bar > last || i == 0 && bar != 100 {
				t.Errorf("pin=%s: the shares are not sorted: %q", pin, now)
			}
			last = bar
		}
		if !strings.HasPrefix(now[4], "fastformer|") || !strings.HasPrefix(now[5], "shuffle-exchange|") || !strings.HasPrefix(now[6], "linformer|") {
			t.Errorf("pin=%s: %q", pin, now)
		}
	}
}

// TestReadingsOfAWall: with every mechanism the bar is as high as with four, all of it can be
// reached by keys, and nothing is wider than the bar.
func TestReadingsOfAWall(t *testing.T) {
	ctx := tab(t)
	height := 0.0
	for _, m := range []string{"dense", strings.Join(shippedIDs(), ",")} {
		visit(t, ctx, pages(t).URL+"/?pin=3.2&text=The+cat+sat&m="+m)
		eventually(t, ctx, fmt.Sprintf(`document.querySelectorAll('.reading').length === %d && `, 1+strings.Count(m, ","))+linesWritten)
		settled(t, ctx)
		if height == 0 {
			height = ask[float64](t, ctx, `document.getElementById('readout').offsetHeight`)
		}
	}
	becomes(t, ctx, `document.getElementById('readout').offsetHeight`, height)
	const frame = `document.getElementById('readings-frame')`
	must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS("#readings-frame"))))
	if !comes(func() bool { // by one press or more: a browser that is busy may let one go by
		must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.End)))
		return ask[bool](t, ctx, frame+`.scrollTop > 0 && `+frame+`.scrollTop + `+frame+`.clientHeight >= `+frame+`.scrollHeight - 2`)
	}) {
		t.Errorf("the end is not reached: %v", ask[[]float64](t, ctx, `[`+frame+`.scrollTop, `+frame+`.clientHeight, `+frame+`.scrollHeight]`))
	}
	becomes(t, ctx, cutReadings, []string{})
}

// TestKeysKeepTheCell: what changes layer, head or colour leaves the cross-hair where it is,
// whether hand or keys brought it there.
func TestKeysKeepTheCell(t *testing.T) {
	ctx := browse(t, "/")
	must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS("#map-dense")), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowRight)))
	eventually(t, ctx, pairText+` === 'cat3 reads The2'`)
	head := "=" // to the next head, or from the last to the one before
	if ask[bool](t, ctx, `[...document.querySelectorAll('#card-dense .head')].at(-1).getAttribute('aria-current') === 'true'`) {
		head = "-"
	}
	for _, press := range [][2]string{{head, "dense.head="}, {"n", "norm=log"}, {".", "layer=2"}} {
		key, now := press[0], press[1]
		must(t, chromedp.Do(ctx, chromedp.KeyEvent(key)))
		eventually(t, ctx, fmt.Sprintf(`location.search.includes(%q) && !document.getElementById('controls').hasAttribute('aria-busy') && document.activeElement.id === 'map-dense'`, now))
		eventually(t, ctx, pairText+` === 'cat3 reads The2'`)
	}
	must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.ArrowDown)))
	eventually(t, ctx, pairText+` === 'sat4 reads The2'`)
	x, y := centre(t, ctx, "random", 4, 6)
	must(t, chromedp.Do(ctx, chromedp.MouseEvent(chromedp.MouseMoved, x, y)))
	eventually(t, ctx, pairText+` === 'on5 reads mat7'`)
	selectOption(t, ctx, "c-layer", "1")
	eventually(t, ctx, `!location.search.includes('layer=2') && !document.getElementById('controls').hasAttribute('aria-busy')`)
	eventually(t, ctx, pairText+` === 'on5 reads mat7'`)
}

// TestAPinFollowsItsWord: words that are written before it move it; a word that is gone takes
// it along, without a complaint; where both words are gone there is none.
func TestAPinFollowsItsWord(t *testing.T) {
	ctx := browse(t, "/?text="+url.QueryEscape("The cat sat on the mat.")+"&pin=4.7")
	rewrite(t, ctx, "The big old cat sat on the mat.")
	eventually(t, ctx, pinShown+` === '6.9' && `+pairText+` === 'sat6 reads mat9'`)
	eventually(t, ctx, `document.querySelector('input[name=pin]').value === '6.9'`)
	rewrite(t, ctx, "The cat sat on the rug.")
	eventually(t, ctx, pinShown+` === '4' && `+pairText+` === 'sat4 attends most to'`)
	rewrite(t, ctx, "hello world")
	eventually(t, ctx, pinShown+` === '' && document.getElementById('readout').dataset.pinned === 'false' && !document.querySelector('input[name=pin]')`)
	eventually(t, ctx, noMessage)
	visit(t, ctx, pages(t).URL+"/?text=hello&pin=15.3")
	if !ask[bool](t, ctx, noMessage) || ask[string](t, ctx, pinShown) != "15.3" {
		t.Error("a pin that is not there is complained of")
	}
}

// TestAPinnedRowIsAboveTheBar: on a phone the bar is high when something is pinned. The page scrolls so that the row
// is in sight, when it comes with the address and when a word is pressed.
func TestAPinnedRowIsAboveTheBar(t *testing.T) {
	inSight := func(row int) string {
		return fmt.Sprintf(`document.getElementById('readout').dataset.pinned === 'true' && (() => {
			const map = document.getElementById('map-dot-product').getBoundingClientRect(), high = map.height / %d, top = map.top + %d * high;
			return top >= 0 && top + high <= document.getElementById('readout').getBoundingClientRect().top;
		})()`, 19, row)
	}
	ctx := tab(t)
	must(t, chromedp.Do(ctx, chromedp.EmulateViewport(390, 844)))
	visit(t, ctx, pages(t).URL+"/?pin=16.15")
	eventually(t, ctx, inSight(15))
	ask[bool](t, ctx, `document.querySelector('.token[data-label=cat]').click() || true`)
	eventually(t, ctx, inSight(2))
	ask[bool](t, ctx, `document.querySelector('.token[data-label=saw]').click() || true`)
	eventually(t, ctx, inSight(15))
}

// TestKeysSpeakTheNewNumber: what a screen reader is told of a cell is its number in the head and layer that a key has chosen,
// whether the cell is pinned or has the focus only.
func TestKeysSpeakTheNewNumber(t *testing.T) {
	ctx := tab(t)
	const spoken = `document.getElementById('announce').textContent`
	for pin, begins := range map[string]string{"": "[CLS] reads The:", "pin=5.4&": "on reads on:"} {
		visit(t, ctx, pages(t).URL+"/?"+pin+"head=1&m=dot-product,random")
		eventually(t, ctx, `(document.getElementById('map-random').focus(), document.activeElement.id === 'map-random')`)
		must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.ArrowRight)))
		eventually(t, ctx, fmt.Sprintf(`%s.startsWith(%q)`, spoken, begins))
		for _, key := range [][2]string{{"=", "random.head=2"}, {".", "layer=2"}, {"=", "random.head=3"}} {
			said := ask[string](t, ctx, spoken)
			must(t, chromedp.Do(ctx, chromedp.KeyEvent(key[0])))
			eventually(t, ctx, fmt.Sprintf(`location.search.includes(%q) && !document.getElementById('controls').hasAttribute('aria-busy')`, key[1]))
			eventually(t, ctx, fmt.Sprintf(`%[1]s.startsWith(%[2]q) && %[1]s !== %[3]q && %[1]s.includes(%[4]s) && %[1]s.includes(%[5]s)`, spoken, begins, said, readingOf("random"), readingOf("dot-product")))
		}
	}
}

// TestLinksKeepThePin: what was pinned after a page came stays pinned in another head, before an audience and with another
// method, but an example is shown as it is.
func TestLinksKeepThePin(t *testing.T) {
	ctx := browse(t, "/?head=1&m=dot-product,random")
	press := func(id, has string) {
		t.Helper()
		ask[bool](t, ctx, fmt.Sprintf(`document.getElementById(%q).click() || true`, id))
		eventually(t, ctx, fmt.Sprintf(`location.search.includes(%q) && !document.getElementById('controls').hasAttribute('aria-busy')`, has))
	}
	eventually(t, ctx, `(document.getElementById('map-random').focus(), document.activeElement.id === 'map-random')`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(" ")))
	eventually(t, ctx, pinShown+` === '1.2'`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent("=")))
	eventually(t, ctx, `location.search.includes('random.head=2') && `+pinShown+` === '1.2' && document.getElementById('readout').dataset.pinned === 'true'`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.ArrowDown)))
	eventually(t, ctx, pinShown+` === '2.2'`)
	press("present", "present=1")
	eventually(t, ctx, pinShown+` === '2.2'`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.Escape)))
	eventually(t, ctx, pinShown+` === ''`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent("=")))
	eventually(t, ctx, `location.search.includes('random.head=3')`)
	becomes(t, ctx, pinShown, "")
	visit(t, ctx, pages(t).URL+"/?m=dense,random")
	eventually(t, ctx, `(document.getElementById('map-random').focus(), document.activeElement.id === 'map-random')`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(" ")))
	eventually(t, ctx, pinShown+` === '1.2'`)
	ask[bool](t, ctx, `(addEventListener('click', (event) => event.preventDefault()), document.querySelector('#card-dense a[href*="steps?"]').click() || true)`)
	becomes(t, ctx, `new URL(document.querySelector('#card-dense a[href*="steps?"]').href).searchParams.get('pin')`, "1.2")
	const example = `[...document.querySelectorAll('.example-list a')].find((link) => new URL(link.href).searchParams.has('pin'))`
	visit(t, ctx, ask[string](t, ctx, example+`.href`))
	want := ask[string](t, ctx, pinShown)
	eventually(t, ctx, `(document.querySelector('.card .map').focus(), document.activeElement.matches('.map'))`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.End)))
	eventually(t, ctx, fmt.Sprintf(`%s !== %q`, pinShown, want))
	ask[bool](t, ctx, example+`.click() || true`)
	becomes(t, ctx, pinShown, want)
}
