package wall_test

import (
	"fmt"
	"strings"
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

// giveMatrix drops a file on the page, or pastes its text.
func giveMatrix(tab *browsertest.Tab, how, name, text string) {
	browsertest.Ask[bool](tab, fmt.Sprintf(`(() => { const data = new DataTransfer();
		if (%[1]q === 'drop') data.items.add(new File([%[3]q], %[2]q)); else data.setData('text', %[3]q);
		const event = %[1]q === 'drop' ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }) : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
		document.body.dispatchEvent(event); return true; })()`, how, name, text))
}

// TestOwnMatrix: a dropped or pasted matrix becomes a card. If it has the size of the text, it shares the pointer
// with the others. It survives changes of the page, its files have its numbers, and invalid input is reported.
func TestOwnMatrix(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1440, 900, "/?theme=light&m=dense,random&text=The+cat+sat.")
	read := `document.querySelector('#card-matrix .view-read').textContent`
	giveMatrix(tab, "drop", "own.csv", ",a,b,c\nx,1,0.25,\ny,0,2,4\n")
	tab.Eventually(`document.querySelector('#card-matrix .sheet canvas')?.width > 100
		&& document.querySelector('#cards').dataset.count === '3'`)
	at := browsertest.Ask[[]float64](tab, `(() => { const b = document.querySelector('#card-matrix .sheet').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 4]; })()`)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1]))
	browsertest.Becomes(tab, read, "x · b: 0.250")
	browsertest.Ask[bool](tab, `(() => { const make = URL.createObjectURL; window.kept = {}; URL.createObjectURL = (blob) => { blob.text().then((text) => { window.kept[blob.type] = text; }); return make(blob); }; HTMLAnchorElement.prototype.click = () => {}; return true; })()`)
	for _, format := range []string{"CSV", "JSON", "PNG"} {
		tab.Trigger(`#card-matrix [data-format="` + format + `"]`)
	}
	browsertest.Becomes(tab, `window.kept['text/csv'] ?? ''`, ",a,b,c\nx,1,0.25,\ny,0,2,4\n")
	browsertest.Becomes(tab, `window.kept['application/json'] ?? ''`,
		`{"rows":["x","y"],"cols":["a","b","c"],"values":[[1,0.25,null],[0,2,4]]}`)
	tab.Eventually(`window.kept['image/svg+xml'].includes('<image') && window.kept['image/png'].length > 500`)

	giveMatrix(tab, "paste", "", "1,2\n3,four,5")
	browsertest.Becomes(tab, `document.querySelector('#card-matrix [role=alert]').textContent`,
		"Row 2 is not as long as the first row (3 and 2 cells). All rows need the same length.")
	tab.Eventually(`document.querySelector('#card-matrix .view').hidden`)

	words := browsertest.Ask[int](tab, `document.querySelectorAll('#tokens > *').length`)
	row := strings.Repeat("0.5,", words-1) + "0.75\n"
	giveMatrix(tab, "paste", "", strings.Repeat(row, words))
	cell := func() { // the last word, in the row of the first
		x, y := tab.Cell("dense", 0, words-1)
		tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, x, y))
	}
	tab.Eventually(`!document.querySelector('#card-matrix .view').hidden`)
	cell()
	browsertest.Becomes(tab, read, "[CLS] → [SEP]: 0.750")
	tab.Choose("c-norm", "log")
	tab.Eventually(`location.search.includes('norm=log') && document.querySelector('#card-matrix .legend-title').textContent.includes('logarithmic')`)
	cell()
	browsertest.Becomes(tab, read, "[CLS] → [SEP]: 0.750")
	tab.Trigger(".matrix-remove")
	tab.Eventually(`!document.querySelector('#card-matrix') && document.querySelector('#cards').dataset.count === '2'`)
}

// TestOwnMatrixEnlarged: the enlarged own matrix shows its own labels and values. Its address does not name it, and if it
// has the size of the text, it pins pairs of words like other maps.
func TestOwnMatrixEnlarged(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1440, 900, "/?theme=light&m=dense,random&text=The+cat+sat.&pin=2.3")
	giveMatrix(tab, "drop", "own.csv", ",a,b,c\nx,1,0.25,\ny,0,2,4\n")
	tab.Eventually(`document.querySelector('#card-matrix .sheet canvas')?.width > 100`)
	open := func() {
		tab.Trigger("#card-matrix .enlarge")
		tab.Eventually(`document.getElementById('large').open && document.querySelector('#large-map canvas')?.width > 300`)
	}
	over := func(across, down float64) (x, y float64) {
		b := tab.Box("#large-map")
		return b[0] + (b[2]-b[0])*across, b[1] + (b[3]-b[1])*down
	}
	open()
	x, y := over(0.5, 0.25)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, x, y))
	browsertest.Becomes(tab, `document.querySelector('#large-row h3')?.textContent ?? ''`, "x · b: 0.250")
	browsertest.Becomes(tab, `document.querySelector('#large-row .row-word').textContent`, "a1")
	tab.Eventually(`document.querySelector('#large .labels-rows').textContent.includes('y')
		&& !document.querySelector('#large .stepper[data-control]:not([hidden])')`)
	tab.Do(chromedp.MouseClickXY(x, y))
	if at := browsertest.Ask[string](tab, `location.search`); !strings.Contains(at, "pin=2.3") ||
		strings.Contains(at, "large") {
		t.Errorf("the address is %s", at)
	}
	tab.Trigger("#large-close")
	tab.Eventually(`!document.getElementById('large').open`)

	words := browsertest.Ask[int](tab, `document.querySelectorAll('#tokens > *').length`)
	giveMatrix(tab, "paste", "", strings.Repeat(strings.Repeat("0.5,", words-1)+"0.75\n", words))
	tab.Eventually(fmt.Sprintf(`document.querySelector('#card-matrix .truth').textContent.includes('%[1]d × %[1]d')`, words))
	open()
	tab.Do(chromedp.MouseClickXY(over(0.99, 0.01)))
	browsertest.Becomes(tab, `new URL(location.href).searchParams.get('pin')`, fmt.Sprintf("1.%d", words))
	tab.Eventually(`document.querySelector('#large-row .row-value').textContent === '0.750'`)
}

// TestOwnMatrixByTheMenu: the menu of changes adds the card, with a field for text.
func TestOwnMatrixByTheMenu(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(390, 844, "/?theme=light&m=dense,random")
	tab.Trigger("#changes summary")
	tab.Trigger("#matrix-begin")
	tab.Eventually(`document.activeElement.matches('#card-matrix input') && !document.getElementById('changes').open`)
	browsertest.Ask[bool](tab, `(() => { const box = document.querySelector('#card-matrix textarea'); box.value = '[[1, -2]]'; return box.dispatchEvent(new Event('input', { bubbles: true })); })()`)
	tab.Eventually(`document.querySelector('#card-matrix .bar-diverging')
		&& document.querySelector('#card-matrix .truth').textContent === 'pasted, 1 × 2'`)
	tab.Fits("a wall with an own matrix")
}
