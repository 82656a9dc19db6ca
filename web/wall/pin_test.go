package wall_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"attnatlas/engine/messages"
	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const noMessage = `document.getElementById('message').hidden && !document.querySelector('#problem .message')`

// TestAWordPinsItsRow: by mouse and by keys. The read-out and the cards name the words with the most attention,
// with the values of the API, and Back undoes the pin.
func TestAWordPinsItsRow(t *testing.T) {
	tab := browsertest.Browse(t, "/?layer=1")
	tab.ClickWord("it")
	tab.Eventually(pinShown + ` === '9' && ` + pairText + ` === 'it9 attends most to'`)
	server := browsertest.Server(t).URL
	best, at := 0.0, 0
	for col := range 19 {
		if v := browsertest.Value(t, server, browsertest.MapCell{ID: "dense", Map: "weights", Row: 8, Col: col}); v > best {
			best, at = v, col
		}
	}
	label := browsertest.Ask[string](tab, fmt.Sprintf(`document.getElementById('tokens').children[%d].dataset.label`, at))
	want := label + " " + messages.Number(best) + " · "
	for _, where := range []string{`#readings [data-mechanism=dense] dd`, `#card-dense .card-read`} {
		tab.Eventually(`document.querySelector('` + where + fmt.Sprintf(`').textContent.startsWith(%q)`, want))
	}
	browsertest.Becomes(tab, `document.querySelectorAll('.word[aria-pressed=true]').length`, 1)
	tab.ClickWord("dog")
	tab.Eventually(pinShown + ` === '15'`)
	tab.Back(1)
	tab.Eventually(pinShown + ` === '9' && ` + pairText + ` === 'it9 attends most to'`)
	tab.ClickWord("it")
	tab.Eventually(pinShown + ` === '' && document.querySelectorAll('.word[aria-pressed=true]').length === 0`)
	tab.Do(chromedp.Focus(chromedp.CSS(".word[tabindex='0']")), chromedp.KeyEvent(kb.End), chromedp.KeyEvent(kb.ArrowLeft),
		chromedp.KeyEvent(kb.Enter))
	tab.Eventually(pinShown + ` === '18' && ` + pairText + ` === '.18 attends most to'`)
}

const (
	// linesWritten checks that scripts have written all lines of the read-out. Invisible lines follow when the
	// pointer rests.
	linesWritten = `[...document.querySelectorAll('.reading')].every((r) => r.querySelector('dd').style.getPropertyValue('--share') !== '')`
	// cutReadings lists the lines that are cut off.
	cutReadings = `[...document.querySelectorAll('.reading')].filter((r) => r.scrollWidth > r.clientWidth).map((r) => r.textContent)`
)

// firstWord returns the word that gets most attention from a mechanism, as the read-out has it.
func firstWord(id string) string {
	return fmt.Sprintf(`document.querySelector('#readings [data-mechanism="%s"] dd bdi').textContent`, id)
}

// TestARowWithoutScripts: a word submits the form, and the HTML names the words with the most attention.
func TestARowWithoutScripts(t *testing.T) {
	tab := browsertest.Open(t)
	tab.WithoutScripts()
	tab.Do(chromedp.Navigate(browsertest.Server(t).URL + "/?m=dense,shuffle-exchange&pin=3.4"))
	tab.ClickWord("it")
	tab.Eventually(`location.search.includes('pin=9') && ` + pairText + ` === 'it9 attends most to'`)
	tab.Eventually(`document.readyState === 'complete'`)
	if got := browsertest.Ask[string](tab, firstWord("dense")); !strings.HasPrefix(got, "[CLS] 0.") {
		t.Errorf("the row reads %q", got)
	}
	if got := browsertest.Ask[string](tab, firstWord("shuffle-exchange")); !strings.HasPrefix(got, "meets ") ||
		!strings.HasSuffix(got, " after 1 stage") {
		t.Errorf("of stages the fewest are the most, but it says %q", got)
	}
	if !browsertest.Ask[bool](tab, `document.querySelector('#card-dense .card-read').offsetWidth > 0`) {
		t.Error("the card does not say it")
	}
	tab.ClickWord("it")
	tab.Eventually(`document.getElementById('readout').dataset.pinned === 'false'`)
}

// TestReadingsAreSortedByUnit: shares precede lengths and stages, each group sorted by itself. The server and the
// scripts write the same lines in the same order.
func TestReadingsAreSortedByUnit(t *testing.T) {
	tab := browsertest.Open(t)
	for _, pin := range []string{"9.3", "9"} {
		tab.Visit(browsertest.Server(t).URL + "/?m=dot-product,random,dense,fastformer,shuffle-exchange,linformer,bert&pin=" + pin)
		const lines = `[...%s.querySelectorAll('.reading')].map((r) => [r.dataset.mechanism, r.querySelector('dt').textContent,
			r.querySelector('dd').textContent.replace(/\s+/g, ' ').replace(/ α.*/, '').trim(), Number(r.querySelector('rect')?.getAttribute('width') ?? 100 * r.querySelector('dd').style.getPropertyValue('--share')).toFixed(1)].join('|'))`
		tab.Eventually(`document.querySelectorAll('.reading').length === 7 && ` + linesWritten)
		now := browsertest.Ask[[]string](tab, fmt.Sprintf(lines, "document"))
		sent := browsertest.Ask[[]string](tab, `fetch(location.href).then((r) => r.text()).then((html) => { const page = new DOMParser().parseFromString(html, 'text/html'); return `+fmt.Sprintf(lines, "page")+`; })`)
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
		if !strings.HasPrefix(now[4], "fastformer|") || !strings.HasPrefix(now[5], "shuffle-exchange|") ||
			!strings.HasPrefix(now[6], "linformer|") {
			t.Errorf("pin=%s: %q", pin, now)
		}
	}
}

// TestReadingsOfAWall: with all mechanisms the read-out is as high as with four, keys reach all of it, and nothing
// is wider than it.
func TestReadingsOfAWall(t *testing.T) {
	tab := browsertest.Open(t)
	height := 0.0
	for _, m := range []string{"dense", strings.Join(browsertest.Shipped(), ",")} {
		tab.Visit(browsertest.Server(t).URL + "/?pin=3.2&text=The+cat+sat&m=" + m)
		tab.Eventually(fmt.Sprintf(`document.querySelectorAll('.reading').length === %d && `,
			1+strings.Count(m, ",")) + linesWritten)
		tab.Settled()
		if height == 0 {
			height = browsertest.Ask[float64](tab, `document.getElementById('readout').offsetHeight`)
		}
	}
	browsertest.Becomes(tab, `document.getElementById('readout').offsetHeight`, height)
	const frame = `document.getElementById('readings-frame')`
	tab.Do(chromedp.Focus(chromedp.CSS("#readings-frame")))
	if !browsertest.Comes(func() bool { // by one or more presses, because a busy browser may lose one
		tab.Do(chromedp.KeyEvent(kb.End))
		return browsertest.Ask[bool](tab, frame+`.scrollTop > 0 && `+frame+`.scrollTop + `+frame+`.clientHeight >= `+frame+
			`.scrollHeight - 2`)
	}) {
		t.Errorf("the end is not reached: %v", browsertest.Ask[[]float64](tab, `[`+frame+`.scrollTop, `+frame+
			`.clientHeight, `+frame+`.scrollHeight]`))
	}
	browsertest.Becomes(tab, cutReadings, []string{})
}

// TestKeysKeepTheCell: a change of layer, head or colour keeps the position of the cross-hair, whether the pointer
// or keys set it.
func TestKeysKeepTheCell(t *testing.T) {
	tab := browsertest.Browse(t, "/")
	tab.Do(chromedp.Focus(chromedp.CSS("#map-dense")), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown),
		chromedp.KeyEvent(kb.ArrowRight))
	tab.Eventually(pairText + ` === 'cat3 attends to The2'`)
	head := "=" // to the next head, or from the last to the previous one
	if browsertest.Ask[bool](tab, `[...document.querySelectorAll('#card-dense .head')].at(-1).getAttribute('aria-current') === 'true'`) {
		head = "-"
	}
	for _, press := range [][2]string{{head, "dense.head="}, {"n", "norm=log"}, {".", "layer=2"}} {
		key, now := press[0], press[1]
		tab.Do(chromedp.KeyEvent(key))
		tab.Eventually(fmt.Sprintf(`location.search.includes(%q)
			&& !document.getElementById('controls').hasAttribute('aria-busy') && document.activeElement.id === 'map-dense'`, now))
		tab.Eventually(pairText + ` === 'cat3 attends to The2'`)
	}
	tab.Do(chromedp.KeyEvent(kb.ArrowDown))
	tab.Eventually(pairText + ` === 'sat4 attends to The2'`)
	x, y := tab.Cell("random", 4, 6)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, x, y))
	tab.Eventually(pairText + ` === 'on5 attends to mat7'`)
	tab.Choose("c-layer", "1")
	tab.Eventually(`!location.search.includes('layer=2') && !document.getElementById('controls').hasAttribute('aria-busy')`)
	tab.Eventually(pairText + ` === 'on5 attends to mat7'`)
}

// TestAPinFollowsItsWord: words that are inserted before it move the pin. Without its column's or row's word, it
// keeps the other one, without a message. Without both words it disappears.
func TestAPinFollowsItsWord(t *testing.T) {
	tab := browsertest.Browse(t, "/?text="+url.QueryEscape("The cat sat on the mat.")+"&pin=4.7")
	tab.Rewrite("The big old cat sat on the mat.")
	tab.Eventually(pinShown + ` === '6.9' && ` + pairText + ` === 'sat6 attends to mat9'`)
	tab.Eventually(`document.querySelector('input[name=pin]').value === '6.9'`)
	tab.Rewrite("The cat sat on the rug.")
	tab.Eventually(pinShown + ` === '4' && ` + pairText + ` === 'sat4 attends most to'`)
	tab.Rewrite("hello world")
	tab.Eventually(pinShown + ` === '' && document.getElementById('readout').dataset.pinned === 'false'
		&& !document.querySelector('input[name=pin]')`)
	tab.Eventually(noMessage)
	tab.Visit(browsertest.Server(t).URL + "/?text=hello&pin=15.3")
	if !browsertest.Ask[bool](tab, noMessage) || browsertest.Ask[string](tab, pinShown) != "15.3" {
		t.Error("a pin that is not there is complained of")
	}
}

// TestAPinnedRowIsAboveTheBar: on a phone the read-out is high while something is pinned. The page scrolls to make
// the row visible, after loading and after a tap on a word.
func TestAPinnedRowIsAboveTheBar(t *testing.T) {
	inSight := func(row int) string {
		return fmt.Sprintf(`document.getElementById('readout').dataset.pinned === 'true' && (() => {
			const map = document.getElementById('map-dot-product').getBoundingClientRect(), high = map.height / %d, top = map.top + %d * high;
			return top >= 0 && top + high <= document.getElementById('readout').getBoundingClientRect().top;
		})()`, 19, row)
	}
	tab := browsertest.Open(t)
	tab.Window(390, 844)
	tab.Visit(browsertest.Server(t).URL + "/?pin=16.15")
	tab.Eventually(inSight(15))
	tab.Trigger(".token[data-label=cat]")
	tab.Eventually(inSight(2))
	tab.Trigger(".token[data-label=saw]")
	tab.Eventually(inSight(15))
}

// TestKeysSpeakTheNewNumber: after a key changes the head or layer, a screen reader gets the new value of the cell
// that is pinned or focused.
func TestKeysSpeakTheNewNumber(t *testing.T) {
	tab := browsertest.Open(t)
	const spoken = `document.getElementById('announce').textContent`
	for pin, begins := range map[string]string{"": "[CLS] attends to The:", "pin=5.4&": "on attends to on:"} {
		tab.Visit(browsertest.Server(t).URL + "/?" + pin + "head=1&m=dot-product,random")
		tab.Eventually(`(document.getElementById('map-random').focus(), document.activeElement.id === 'map-random')`)
		tab.Do(chromedp.KeyEvent(kb.ArrowRight))
		tab.Eventually(fmt.Sprintf(`%s.startsWith(%q)`, spoken, begins))
		for _, key := range [][2]string{{"=", "random.head=2"}, {".", "layer=2"}, {"=", "random.head=3"}} {
			said := browsertest.Ask[string](tab, spoken)
			tab.Do(chromedp.KeyEvent(key[0]))
			tab.Eventually(fmt.Sprintf(`location.search.includes(%q)
				&& !document.getElementById('controls').hasAttribute('aria-busy')`, key[1]))
			tab.Eventually(fmt.Sprintf(`%[1]s.startsWith(%[2]q) && %[1]s !== %[3]q && %[1]s.includes(%[4]s)
				&& %[1]s.includes(%[5]s)`, spoken, begins, said, readingOf("random"), readingOf("dot-product")))
		}
	}
}

// TestLinksKeepThePin: a pin that was set after loading stays in another head, in presentations and with another
// method. An example keeps its own state.
func TestLinksKeepThePin(t *testing.T) {
	tab := browsertest.Browse(t, "/?head=1&m=dot-product,random")
	press := func(id, has string) {
		t.Helper()
		browsertest.Ask[bool](tab, fmt.Sprintf(`document.getElementById(%q).click() || true`, id))
		tab.Eventually(fmt.Sprintf(`location.search.includes(%q)
			&& !document.getElementById('controls').hasAttribute('aria-busy')`, has))
	}
	tab.Eventually(`(document.getElementById('map-random').focus(), document.activeElement.id === 'map-random')`)
	tab.Do(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(" "))
	tab.Eventually(pinShown + ` === '1.2'`)
	tab.Do(chromedp.KeyEvent("="))
	tab.Eventually(`location.search.includes('random.head=2') && ` + pinShown +
		` === '1.2' && document.getElementById('readout').dataset.pinned === 'true'`)
	tab.Do(chromedp.KeyEvent(kb.ArrowDown))
	tab.Eventually(pinShown + ` === '2.2'`)
	press("present", "present=1")
	tab.Eventually(pinShown + ` === '2.2'`)
	tab.Do(chromedp.KeyEvent(kb.Escape))
	tab.Eventually(pinShown + ` === ''`)
	tab.Do(chromedp.KeyEvent("="))
	tab.Eventually(`location.search.includes('random.head=3')`)
	browsertest.Becomes(tab, pinShown, "")
	tab.Visit(browsertest.Server(t).URL + "/?m=dense,random")
	tab.Eventually(`(document.getElementById('map-random').focus(), document.activeElement.id === 'map-random')`)
	tab.Do(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(" "))
	tab.Eventually(pinShown + ` === '1.2'`)
	browsertest.Ask[bool](tab, `(addEventListener('click', (event) => event.preventDefault()), document.querySelector('#card-dense a[href*="steps?"]').click() || true)`)
	browsertest.Becomes(tab, `new URL(document.querySelector('#card-dense a[href*="steps?"]').href).searchParams.get('pin')`, "1.2")
	const example = `[...document.querySelectorAll('.example-list a')].find((link) => new URL(link.href).searchParams.has('pin'))`
	tab.Visit(browsertest.Ask[string](tab, example+`.href`))
	want := browsertest.Ask[string](tab, pinShown)
	tab.Eventually(`(document.querySelector('.card .map').focus(), document.activeElement.matches('.map'))`)
	tab.Do(chromedp.KeyEvent(kb.End))
	tab.Eventually(fmt.Sprintf(`%s !== %q`, pinShown, want))
	browsertest.Ask[bool](tab, example+`.click() || true`)
	browsertest.Becomes(tab, pinShown, want)
}
