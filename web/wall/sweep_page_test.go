package wall_test

import (
	"testing"
	"time"

	"attnatlas/web/browsertest"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

const pinOfPage = `new URL(location.href).searchParams.get('pin') ?? ''`

// dragged drags the mouse through points.
func dragged(tab *browsertest.Tab, points ...[2]float64) {
	tab.Do(chromedp.MouseEvent(chromedp.MousePressed, points[0][0], points[0][1], chromedp.ButtonLeft, chromedp.ClickCount(1)))
	for _, p := range points[1:] {
		tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, p[0], p[1], chromedp.ButtonLeft,
			func(p *input.DispatchMouseEventParams) { p.Buttons = 1 }))
	}
	last := points[len(points)-1]
	tab.Do(chromedp.MouseEvent(chromedp.MouseReleased, last[0], last[1], chromedp.ButtonLeft, chromedp.ClickCount(1)))
}

// TestSweepMaps: a drag over the cells of a map, of the enlarged map, or over its labels pins several rows, and does not
// pin a cell besides. The list of the enlarged map and the table show the mean that the card shows.
func TestSweepMaps(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1440, 900, "/?theme=light&layer=1&m=dense,random")
	cell := func(row, col int) [2]float64 {
		x, y := tab.Cell("dense", row, col)
		return [2]float64{x, y}
	}
	dragged(tab, cell(1, 2), cell(2, 4), cell(4, 3))
	browsertest.Becomes(tab, pinOfPage, "2-5")
	tab.Do(chromedp.Sleep(50 * time.Millisecond)) // a click would have pinned a cell
	browsertest.Becomes(tab, pinOfPage, "2-5")
	dragged(tab, cell(3, 1), cell(3, 5)) // within a row: as a click
	browsertest.Becomes(tab, pinOfPage, "4.6")

	browsertest.Ask[bool](tab, `document.querySelector('#card-dense .enlarge').click() || true`)
	tab.Eventually(`document.getElementById('large').open && document.querySelector('.large-rows .label')`)
	at := func(box string, row int) [2]float64 {
		b := tab.Box(box)
		return [2]float64{(b[0] + b[2]) / 2, b[1] + (b[3]-b[1])*(float64(row)+0.5)/float64(browsertest.Ask[int](tab,
			`Number(document.getElementById('large-map').dataset.rows)`))}
	}
	dragged(tab, at("#large-map", 5), at("#large-map", 4), at("#large-map", 3))
	browsertest.Becomes(tab, pinOfPage, "4-6")
	dragged(tab, at(".large-rows", 1), at(".large-rows", 2), at(".large-rows", 3))
	browsertest.Becomes(tab, pinOfPage, "2-4")
	tab.Eventually(`document.querySelector('#large-row h3').textContent.includes('mean of 3 rows')`)
	first := browsertest.Ask[string](tab, `document.querySelector('#large-row .row-value').textContent`)
	tab.Eventually(`document.querySelector('.reading[data-mechanism=dense] dd').textContent.includes('` + first + `')`)
	dragged(tab, at(".large-rows", 6))
	browsertest.Becomes(tab, pinOfPage, "7")

	dragged(tab, at(".large-rows", 1), at(".large-rows", 2), at(".large-rows", 3))
	browsertest.Ask[bool](tab, `document.getElementById('large-close').click()
		|| document.querySelector('#card-dense .as-table').click() || true`)
	tab.Eventually(`document.querySelector('#table-dense caption')?.textContent.includes('mean of 3 rows')`)
	tab.Eventually(`document.querySelector('#table-dense tbody td:last-child').textContent === '` + first + `'`)
}

// TestSweepFinger: a finger that rests on a word and is then dragged pins several rows, without scrolling; one that moves
// at once does not.
func TestSweepFinger(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(390, 844, "/?theme=light&layer=1&m=dense,random")
	touch := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		_, err := chromedp.Call(tab, input.DispatchTouchEvent,
			input.DispatchTouchEventParams{Type: kind, TouchPoints: append([]*input.TouchPoint{}, points...)})
		browsertest.Must(t, err)
	}
	word := func(label string) *input.TouchPoint {
		b := tab.Box(`.token[data-label="` + label + `"] .word`)
		return &input.TouchPoint{X: (b[0] + b[2]) / 2, Y: (b[1] + b[3]) / 2}
	}
	drag := func(rest time.Duration) {
		touch(input.DispatchTouchEventTypeTouchStart, word("cat"))
		tab.Do(chromedp.Sleep(rest))
		touch(input.DispatchTouchEventTypeTouchMove, word("sat"))
		touch(input.DispatchTouchEventTypeTouchMove, word("on"))
		touch(input.DispatchTouchEventTypeTouchEnd)
	}
	drag(0)
	tab.Do(chromedp.Sleep(500 * time.Millisecond))
	browsertest.Becomes(tab, pinOfPage, "")
	drag(600 * time.Millisecond)
	browsertest.Becomes(tab, pinOfPage, "3-5")
}
