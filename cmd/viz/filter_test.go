package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestFilterByHand: sinks are set aside without asking for the numbers again; they are
// hatched, read as what they are, and Back brings them back.
func TestFilterByHand(t *testing.T) {
	ctx := browse(t, "/?m=dense&theme=light&head=1")
	value := valueOf(t, pages(t).URL, "dense", "weights", 8, 0)
	if value == 0 {
		t.Fatal("there is nothing to set aside")
	}
	const pixel = `(() => { const c = document.querySelector('#map-dense canvas.under'), size = c.width / 19;
		return [...c.getContext('2d').getImageData(Math.round(size * %COL + 3), Math.round(size * 8 + 4), 8, 8).data]; })()`
	paper := func(col string) bool {
		white := 0
		data := ask[[]int](t, ctx, strings.Replace(pixel, "%COL", col, 1))
		for i := 0; i < len(data); i += 4 {
			if data[i] == 255 && data[i+1] == 255 && data[i+2] == 255 {
				white++
			}
		}
		return white > 20
	}
	settled(t, ctx)
	if paper("0") {
		t.Fatal("[CLS] is paper before it is set aside")
	}
	selectOption(t, ctx, "c-sinks", "aside")
	eventually(t, ctx, `location.search.includes('sinks=aside') && document.querySelector('#card-dense .legend-title').textContent.includes('[CLS], [SEP] hold')`)
	eventually(t, ctx, `document.getElementById('filter-on').textContent === 'on'`)
	if !paper("0") || paper("8") {
		t.Error("[CLS] is not hatched, or a word is")
	}
	// the numbers are not asked for again
	eventually(t, ctx, `performance.getEntriesByType('resource').map((e) => e.name).filter((name) => name.includes('/api/v1/drawing')).at(-1).includes('values=0')`)
	x, y := centre(t, ctx, "dense", 8, 0)
	must(t, chromedp.Do(ctx, chromedp.MouseEvent(chromedp.MouseMoved, x, y)))
	eventually(t, ctx, pairText+` === 'it9 reads [CLS]1' && document.querySelector('#readings dd').textContent.endsWith('of its row · excluded')`)
	ask[bool](t, ctx, `history.back() || true`)
	eventually(t, ctx, `!location.search.includes('sinks') && document.getElementById('c-sinks').value === 'shown'`)
	if paper("0") {
		t.Error("Back does not bring the sink back")
	}
}

// TestFilterOnTheCommandLine: what is set aside is not among the strongest, and in the figure
// the cells are those of the page's.
func TestFilterOnTheCommandLine(t *testing.T) {
	args := []string{"attend", "-t", "The cat sat.", "-m", "dense", "--map", "weights", "--layer", "1"}
	_, all, _ := viz(t, args...)
	_, out, errs := viz(t, append(args, "--sinks", "aside", "--top", "1")...)
	if !strings.Contains(all, " [CLS] 0.") || strings.Contains(out, " [CLS] 0.") || !regexp.MustCompile(`cat reads +The 0\.\d+\n`).MatchString(out) {
		t.Errorf("%s%s%s", all, out, errs)
	}
	if status, _, errs := viz(t, append(args, "--mass", "2")...); status == 0 || !strings.Contains(errs, "must be a number between 0 and 1") {
		t.Errorf("a share of 2: %d %s", status, errs)
	}
}
