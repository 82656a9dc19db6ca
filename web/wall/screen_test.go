package wall_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"attnatlas/web/browsertest"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// overlapping lists the visible labels whose lines are closer than their letters are high.
const overlapping = `[...document.querySelectorAll('.label')].filter((one) => one.checkVisibility() && one.textContent.includes('\n'))
	.filter((one) => parseFloat(getComputedStyle(one).lineHeight) < 0.95 * parseFloat(getComputedStyle(one).fontSize)).map((one) => one.textContent)`

// labelled checks that this number of positions of an axis of the enlarged map have a label.
func labelled(t *testing.T, tab *browsertest.Tab, axis string, want int) {
	t.Helper()
	browsertest.Becomes(tab, `[...document.querySelectorAll('#large .labels-`+axis+
		` .label')].flatMap((one) => one.textContent.split('\n')).length`, want)
}

// TestFirstScreen: the cells of maps begin in the upper third, and the read-out covers no map: on a laptop, a
// projector, a large screen and a tablet. Words do not overlap.
func TestFirstScreen(t *testing.T) {
	tab := browsertest.Open(t)
	for _, c := range []struct {
		width, height int64
		top, side     float64 // upper bound, lower bound
	}{{1440, 900, 320, 250}, {1280, 720, 340, 215}, {2560, 1440, 340, 480}, {1024, 768, 400, 290}} {
		tab.Sized(c.width, c.height, "/?theme=light")
		bar := tab.Box("#readout")
		for _, id := range []string{"dot-product", "random"} {
			b := tab.Box("#map-" + id)
			if b[1] > c.top || b[3] > bar[1] || b[2]-b[0] < c.side {
				t.Errorf("%d×%d: the map of %s is at %v, the bar at %v", c.width, c.height, id, b, bar)
			}
		}
		if c.width > 2000 {
			if left, right := tab.Box(".card")[0], tab.Box(".card:last-child")[2]; left > 60 || right < float64(c.width)-60 {
				t.Errorf("cards stand from %v to %v of %d", left, right, c.width)
			}
		}
		if over := browsertest.Ask[[]string](tab, overlapping); len(over) > 0 {
			t.Errorf("%d×%d: labels over each other: %q", c.width, c.height, over)
		}
	}
}

// TestLinesAboveMaps: maps begin no lower below the definition of a view, or below a line about the text.
func TestLinesAboveMaps(t *testing.T) {
	tab := browsertest.Open(t)
	for _, path := range []string{"/?theme=light&show=influence&walk=6",
		"/?theme=light&show=influence&example=no-pairs-at-all&m=fastformer,dot-product&text=The+moon+rose."} {
		tab.Sized(1440, 900, path)
		tab.Eventually(`document.querySelector('.map')`) // cards are measured one by one
		tab.Settled()
		if !browsertest.Ask[bool](tab, `document.querySelector('#method .method-text').checkVisibility()
			&& document.querySelector('.look-says') !== null`) {
			t.Errorf("%s: the lines are not there", path)
		}
		if b := tab.Box(".map"); b[1] > 320 {
			t.Errorf("%s: maps begin at %v", path, b[1])
		}
	}
}

// TestGuessesAreInSight: the predictions for a masked word stand next to the map, on the first screen.
func TestGuessesAreInSight(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1440, 900, "/?theme=light&text=The+cat+sat+on+the+%5BMASK%5D+because+it+was+tired.&was=mat")
	bar := tab.Box("#readout")
	for _, id := range []string{"dot-product", "dense", "fastformer"} {
		if b := tab.Box("#card-" + id + " .prediction .likely:first-of-type"); b[3] > bar[1] {
			t.Errorf("the guess of %s is at %v, the bar at %v", id, b, bar)
		}
	}
}

// TestPhoneIsNotCut: all pages can be reached. The names in the selects of a comparison, and the readings of four
// mechanisms for a pair, are complete.
func TestPhoneIsNotCut(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(390, 844, "/compare?theme=light&a=mixture-rdv&b=dense")
	if right := tab.Box(".masthead nav a:last-child")[2]; right > tab.Box(".masthead nav")[2]+1 {
		t.Errorf("the last page's link ends at %v", right)
	}
	room := browsertest.Ask[[]float64](tab, `[...document.querySelectorAll('.side')].flatMap((side) => {
		const select = side.querySelector('select'), style = getComputedStyle(select), tab = document.createElement('canvas').getContext('2d');
		tab.font = `+"`${style.fontWeight} ${style.fontSize} ${style.fontFamily}`"+`;
		return [tab.measureText(select.selectedOptions[0].text).width + 20, select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)]; // beside the text is an arrow
	})`)
	if room[0] > room[1] || room[2] > room[3] {
		t.Errorf("names need and have %v", room)
	}
	tab.Sized(360, 740, "/?theme=light&pin=9.3&m=shuffle-exchange,fastformer,linformer,dense")
	if frame, last := tab.Box("#readings-frame"), tab.Box(".reading:last-child"); last[3] > frame[3]+1 {
		t.Errorf("the last line ends at %v, their room at %v", last[3], frame[3])
	}
}

// TestFirstScreenOfAPhone: the screen shows most of a map, nothing is wider than it, and each control is one line
// high.
func TestFirstScreenOfAPhone(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(360, 740, "/?theme=light")
	b, bar := tab.Box("#map-dot-product"), tab.Box("#readout")
	if seen := min(b[3], bar[1]) - b[1]; seen < 200 {
		t.Errorf("%v pixels of the map are seen: %v above %v", seen, b, bar)
	}
	if over := browsertest.Ask[int](tab, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
		t.Errorf("the page is %d pixels wider than the screen", over)
	}
	if r := tab.Box("#examples summary"); r[3]-r[1] > 36 {
		t.Errorf("a menu's button is %v high", r[3]-r[1])
	}
	tab.Do(chromedp.Click(chromedp.CSS("#examples summary")))
	tab.Eventually(`document.getElementById('examples').open`)
	tab.Settled()
	if p := tab.Box("#example-list"); p[0] < 0 || p[2] > 360 || p[1] < 0 || p[3] > 740 {
		t.Errorf("the menu is at %v", p)
	}
}

// TestProjectorLabelsEveryWord: with four maps, two per row, every word of the first text has 18 pixels, next to
// its row and above its column. No word overlaps another or exceeds its card, and the texts of cards are complete.
// The second row is scrolled into view.
func TestProjectorLabelsEveryWord(t *testing.T) {
	tab := browsertest.Open(t)
	const every = `[...document.querySelectorAll('.card .figure > .labels')].every((box) => {
		const lines = [...box.querySelectorAll('.label')], words = lines.flatMap((one) => one.textContent.split('\n'));
		return words.length === 19 && words.every((one) => one && !one.includes('…')) && lines.every((one) => parseFloat(getComputedStyle(one).fontSize) >= 18);
	})`
	for _, size := range [][2]int64{{1280, 720}, {1440, 900}, {1920, 1080}} {
		tab.Sized(size[0], size[1], "/?theme=light&present=1&pin=9")
		tab.Settled()
		browsertest.Ask[bool](tab, `(document.getElementById('card-fastformer').scrollIntoView({ block: 'center', behavior: 'instant' }), true)`)
		tab.Eventually(every + ` && document.querySelectorAll('.card .figure > .labels').length === 8 && !` +
			overlapping + `.length`)
		tab.Eventually(`[...document.querySelectorAll('.card')].every((card) => { const edge = card.getBoundingClientRect();
			return [...card.querySelectorAll('.labels .outer, .labels-rows .label')].every((one) => one.getBoundingClientRect().left >= edge.left); })`)
		tab.Eventually(`[...document.querySelectorAll('.card .truth')].every((one) => one.scrollHeight <= one.clientHeight)`)
		browsertest.Ask[bool](tab, `(scrollTo({ top: 0, behavior: 'instant' }), true)`)
		if b, bar := tab.Box("#map-random"), tab.Box("#readout"); b[3] > bar[1] || b[2]-b[0] < 290 {
			t.Errorf("%v: the map is at %v, the bar at %v", size, b, bar)
		}
	}
	tab.Window(1024, 720) // where two lanes are needed
	tab.Eventually(`document.querySelector('#card-random .outer')`)
	tab.Trigger("#present")
	tab.Eventually(`document.documentElement.dataset.present === 'false' && !document.querySelector('.outer')`)
}

// TestFormulasLeaveNoBlanks: the maps of a row begin at the same height, close below the names, whatever the texts
// of their mechanisms.
func TestFormulasLeaveNoBlanks(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1440, 900, "/?m=random,fastformer,reformer,linear")
	heads := browsertest.Ask[[]float64](tab, `[...document.querySelectorAll('.card')].map((one) => one.querySelector('.map').getBoundingClientRect().top - one.getBoundingClientRect().top)`)
	for _, h := range heads {
		if h != heads[0] || h > 130 {
			t.Errorf("maps begin %v below their cards", heads)
		}
	}
}

// TestReadingsOfACellAreWhole: the read-out shows the readings of four cards for a pinned pair without scrolling,
// with complete names and values, also on a projector.
func TestReadingsOfACellAreWhole(t *testing.T) {
	tab := browsertest.Open(t)
	for _, query := range []string{"", "&present=1", "&m=linformer,dense,fastformer,random",
		"&m=linformer,dense,fastformer,random&present=1"} {
		tab.Sized(1280, 720, "/?theme=light&pin=9.3"+query)
		tab.Eventually(linesWritten + ` && readout.whole()`)
	}
}

// TestReadingsOfACellOnScreens: on other screens, too, they need no scrolling, and names are complete.
func TestReadingsOfACellOnScreens(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1200, 900, "/?theme=light&pin=8.7")
	for _, size := range [][2]int64{{1200, 900}, {1280, 1024}, {1366, 768}, {1440, 900}, {1920, 1080}} {
		tab.Window(size[0], size[1])
		tab.Eventually(linesWritten + ` && readout.whole()`)
	}
}

// TestReadingsOnASmallScreen: at 1024×768 the read-out shows four readings of a pinned cell or row without
// scrolling. Names are complete, and so is the value, or the first word of the row with its value.
func TestReadingsOnASmallScreen(t *testing.T) {
	tab := browsertest.Open(t)
	for _, pin := range []string{"9.3", "9", "4"} {
		tab.Sized(1024, 768, "/?theme=light&pin="+pin)
		tab.Eventually(linesWritten + ` && readout.readable()`)
	}
}

// TestPaper: the values of controls are printed. A wall of four takes two pages, also with a pinned row or cell.
func TestPaper(t *testing.T) {
	tab := browsertest.Open(t)
	for _, pin := range []string{"&pin=9", "&pin=9.3", ""} {
		tab.Sized(1440, 900, "/?theme=light&layer=2&head=3&example="+pin)
		pdf, err := chromedp.Call(tab, cdppage.PrintToPDF, cdppage.PrintToPDFParams{})
		browsertest.Must(t, err)
		if n := strings.Count(string(pdf.Data), "/Type /Page\n"); n != 2 {
			t.Errorf("%q: %d pages", pin, n)
		}
	}
	if got := browsertest.Ask[string](tab, `document.getElementById('printed').textContent.replace(/\s+/g, ' ')`); !strings.Contains(got, "Layer 2") || !strings.Contains(got, "Head 3") {
		t.Errorf("printed: %q", got)
	}
}

// TestPaperLabels: words stand next to the rows of a map, although it is smaller on paper.
func TestPaperLabels(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(760, 900, "/?theme=light") // where the map is larger
	pdf, err := chromedp.Call(tab, cdppage.PrintToPDF, cdppage.PrintToPDFParams{})
	browsertest.Must(t, err)
	path := filepath.Join(t.TempDir(), "wall.pdf")
	browsertest.Must(t, os.WriteFile(path, pdf.Data, 0o644))
	places := browsertest.Poppler(t, "pdftotext", "-bbox", "-f", "1", "-l", "1", path, "-")
	at := func(word string) (last float64) { // of the last such word on the page
		for _, m := range regexp.MustCompile(`yMin="([\d.]+)" xMax="[\d.]+" yMax="[\d.]+">`+word+
			`<`).FindAllStringSubmatch(places, -1) {
			y, err := strconv.ParseFloat(m[1], 64)
			browsertest.Must(t, err)
			last = max(last, y)
		}
		return last
	}
	if cat, saw, caption := at("cat"), at("saw"), at("Head"); cat == 0 || saw < cat+50 || caption < saw+5 {
		t.Errorf("cat is printed at %v, saw at %v, what is below the map at %v", cat, saw, caption)
	}
}

const long64 = "the old man who lived by the sea told us that the storm had taken his boat and all of his nets but not his songs and when the children asked him why he could sing he said that what the sea takes from a man it gives back in the end to his friends and"

// TestEnlarge: a button, a double click or a key enlarges a map. Then each of 64 words has a label, values are
// read and cells pinned. Escape returns to the previous focus.
func TestEnlarge(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1280, 720, "/?theme=light&m=dot-product,fastformer&text="+url.QueryEscape(long64))
	tab.Do(chromedp.Click(chromedp.CSS("#card-fastformer .enlarge")))
	tab.Eventually(`document.getElementById('large').open && location.search.includes('large=fastformer')`)
	tab.Settled()
	tokens := browsertest.Ask[int](tab, `document.querySelectorAll('#tokens > li').length`)
	if tokens < 55 || tokens > 64 {
		t.Fatalf("the text has %d tokens", tokens)
	}
	for _, axis := range []string{"rows", "cols"} {
		labelled(t, tab, axis, tokens)
	}
	if over := browsertest.Ask[[]string](tab, overlapping); len(over) > 0 {
		t.Errorf("labels over each other: %q", over)
	}
	if b, bar := tab.Box("#large-strips .strip:last-child"), tab.Box("#large .readout"); b[3] > bar[1] || bar[3] > 720 {
		t.Errorf("the last strip ends at %v, the bar is at %v", b, bar)
	}
	if says := tab.Box("#large-about .heads-says"); says[3]-says[1] > 40 {
		t.Errorf("the line that says the head is %v high", says[3]-says[1])
	}
	b := tab.Box("#large-map")
	cell := (b[2] - b[0]) / float64(tokens)
	tab.Do(chromedp.MouseClickXY(b[0]+4.5*cell, b[1]+2.5*cell))
	tab.Eventually(`location.search.includes('pin=3.5') && ` + pairText + `.startsWith('old3 attends to who5')`)
	tab.Do(chromedp.KeyEvent(kb.Escape))
	tab.Eventually(`!document.getElementById('large').open && !location.search.includes('large')
		&& document.activeElement.id === 'map-fastformer'`)
	tab.Eventually(`document.querySelector('main > #readout')`) // it is back at its place
	tab.Do(chromedp.KeyEvent(kb.Enter))
	tab.Eventually(`document.getElementById('large').open && document.activeElement.id === 'large-map'`)
	tab.Do(chromedp.KeyEvent("f"))
	tab.Eventually(`!document.getElementById('large').open`)
	browsertest.Ask[bool](tab, `document.getElementById('map-dot-product').dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))`)
	tab.Eventually(`location.search.includes('large=dot-product')
		&& document.getElementById('large-name').textContent === 'Dot product'`)
	tab.Back(1)
	tab.Eventually(`!document.getElementById('large').open`)
}

// TestZoom: zooming keeps the cell under the pointer, and cells, labels and read-out agree.
func TestZoom(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1440, 900, "/?large=dense")
	tab.Eventually(`document.getElementById('large').open`)
	tab.Settled()
	b := tab.Box("#large-map")
	at := func(row, col float64) (x, y float64) { return b[0] + col*(b[2]-b[0])/19, b[1] + row*(b[3]-b[1])/19 }
	x, y := at(6.5, 3.5)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, x, y))
	tab.Eventually(pairText + ` === 'mat7 attends to sat4'`)
	wheel := func(by int) {
		browsertest.Ask[bool](tab, fmt.Sprintf(`document.getElementById('large-map').dispatchEvent(new WheelEvent('wheel', { clientX: %v, clientY: %v, deltaY: %d, bubbles: true, cancelable: true })) || true`, x, y, by))
	}
	wheel(-400)
	tab.Eventually(`parseInt(document.getElementById('large-zoom').textContent) > 200`)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, x+1, y))
	tab.Eventually(pairText + ` === 'mat7 attends to sat4'`)
	const labels = `[...document.querySelectorAll('#large .labels-rows .label')].map((one) => one.textContent).join(' ')`
	tab.Eventually(labels + `.includes('mat') && !` + labels + `.includes('[SEP]')`) // of the visible rows
	tab.Do(chromedp.Focus(chromedp.CSS("#large-map")), chromedp.KeyEvent(kb.End))
	tab.Do(chromedp.KeyEvent("0"))
	tab.Eventually(`document.getElementById('large-zoom').textContent.startsWith('100')`)
	tab.Eventually(labels + `.includes('[SEP]')`) // of all rows
}

// TestEnlargedFollowsControls: the window shows another head, by its buttons and by keys.
func TestEnlargedFollowsControls(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1440, 900, "/?large=dot-product&layer=1&head=1")
	tab.Eventually(`document.getElementById('large').open`)
	tab.Do(chromedp.Click(chromedp.CSS(`.stepper[data-control="c-head"] [data-by="1"]`)))
	tab.Eventually(`location.search.includes('head=2') && location.search.includes('large=dot-product')
		&& document.querySelector('.stepper[data-control="c-head"] output').textContent === 'Head 2'`)
	tab.Do(chromedp.Focus(chromedp.CSS("#large-map")), chromedp.KeyEvent("."))
	tab.Eventually(`location.search.includes('layer=2') && document.getElementById('large').open`)
}

// TestPresenting: on a projector four maps are at least 1.3 times as large, and every label has at least 18
// pixels. The controls are one row, and digits and arrows select cards, heads and layers.
func TestPresenting(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1280, 720, "/?theme=light")
	tab.Settled()
	const width = `Math.min(...[...document.querySelectorAll('.figure .map')].map((map) => map.getBoundingClientRect().width))`
	before := browsertest.Ask[float64](tab, width)
	tab.Trigger("#present")
	tab.Eventually(`location.search.includes('present=1') && document.documentElement.dataset.present === 'true'`)
	large := `[...document.querySelectorAll('.labels')].filter((one) => one.checkVisibility()).map((one) => parseFloat(getComputedStyle(one).fontSize)).every((size) => size >= 18)`
	tab.Eventually(large + ` && document.querySelectorAll('.labels').length > 0`)
	tab.Settled()
	if now := browsertest.Ask[float64](tab, width); now < 1.3*before {
		t.Errorf("the smallest map is %.0f pixels wide, and was %.0f", now, before)
	}
	if rows := browsertest.Ask[int](tab, `new Set([...document.querySelectorAll('.controls :is(.entry-text, .render, .control, .menu > summary, #present)')].filter((one) => one.checkVisibility()).map((one) => { const b = one.getBoundingClientRect(); return Math.round((b.top + b.bottom) / 40); })).size`); rows != 1 {
		t.Errorf("controls stand in %d rows", rows)
	}
	if over := browsertest.Ask[[]string](tab, overlapping); len(over) > 0 {
		t.Errorf("labels over each other: %q", over)
	}
	if b, bar := tab.Box("#map-random"), tab.Box("#readout"); b[3] > bar[1] {
		t.Errorf("the map ends at %v, the bar begins at %v", b[3], bar[1])
	}
	browsertest.Ask[bool](tab, `document.activeElement.blur() || true`)
	tab.Do(chromedp.KeyEvent("2"))
	tab.Eventually(`document.getElementById('large').open && location.search.includes('large=random') && ` + large)
	labelled(t, tab, "rows", 19)
	tab.Do(chromedp.KeyEvent(kb.ArrowDown))
	tab.Eventually(`location.search.includes('layer=2') && location.search.includes('present=1')`)
	tab.Do(chromedp.KeyEvent("2"))
	tab.Eventually(`!document.getElementById('large').open`)
	tab.Do(chromedp.KeyEvent(kb.PageDown))
	tab.Eventually(`location.search.includes('walk=1') && location.search.includes('present=1')`)
	tab.Trigger("#present")
	tab.Eventually(`!location.search.includes('present') && document.documentElement.dataset.present === 'false'`)
}
