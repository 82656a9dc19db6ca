package wall_test

import (
	"strings"
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

// TestFilterByHand: sinks are excluded without requesting the numbers again. They are hatched, their reading says
// so, and Back shows them again.
func TestFilterByHand(t *testing.T) {
	tab := browsertest.Browse(t, "/?m=dense&theme=light&head=1")
	value := browsertest.Value(t, browsertest.Server(t).URL,
		browsertest.MapCell{ID: "dense", Map: "weights", Row: 8, Col: 0})
	if value == 0 {
		t.Fatal("there is nothing to set aside")
	}
	const pixel = `(() => { const c = document.querySelector('#map-dense canvas.under'), size = c.width / 19;
		return [...c.getContext('2d').getImageData(Math.round(size * %COL + 3), Math.round(size * 8 + 4), 8, 8).data]; })()`
	paper := func(col string) bool {
		white := 0
		data := browsertest.Ask[[]int](tab, strings.Replace(pixel, "%COL", col, 1))
		for i := 0; i < len(data); i += 4 {
			if data[i] == 255 && data[i+1] == 255 && data[i+2] == 255 {
				white++
			}
		}
		return white > 20
	}
	tab.Settled()
	if paper("0") {
		t.Fatal("[CLS] is paper before it is set aside")
	}
	tab.Choose("c-sinks", "aside")
	tab.Eventually(`location.search.includes('sinks=aside')
		&& document.querySelector('#card-dense .legend-title').textContent.includes('[CLS], [SEP] hold')`)
	tab.Eventually(`document.getElementById('displayed').textContent.includes('filtered')`)
	if !paper("0") || paper("8") {
		t.Error("[CLS] is not hatched, or a word is")
	}
	// the numbers are not requested again
	tab.Eventually(`performance.getEntriesByType('resource').map((e) => e.name).filter((name) => name.includes('/api/v1/drawing')).at(-1).includes('values=0')`)
	x, y := tab.Cell("dense", 8, 0)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, x, y))
	tab.Eventually(pairText + ` === 'it9 attends to [CLS]1'
		&& document.querySelector('#readings dd').textContent.endsWith('of its row · excluded')`)
	tab.Back(1)
	tab.Eventually(`!location.search.includes('sinks') && document.getElementById('c-sinks').value === 'shown'`)
	if paper("0") {
		t.Error("Back does not bring the sink back")
	}
}
