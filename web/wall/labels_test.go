package wall_test

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"net/url"
	"strings"
	"testing"

	"attnatlas/web/browsertest"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestLabelsAfterHebrew: after a right-to-left word, the brackets of [SEP] are drawn like those of [CLS]. The
// drawn letters are compared, because the boxes are correct even if the brackets are mirrored.
func TestLabelsAfterHebrew(t *testing.T) {
	tab := browsertest.Browse(t, "/?theme=light&m=dot-product&text="+url.QueryEscape("שלום"))
	const label = `#card-dot-product .labels-rows .label`
	tab.Eventually(`document.querySelector('` + label + `')?.textContent.endsWith('\n[SEP]')`)
	tab.Settled()
	var share [2]float64
	for i, which := range []string{"indexOf", "lastIndexOf"} {
		b := browsertest.Ask[[4]float64](tab, fmt.Sprintf(`labels.bracket(%q)`, which))
		share[i] = inkOnTheLeft(t, tab, cdppage.Viewport{X: b[0], Y: b[1], Width: b[2], Height: b[3], Scale: 8})
	}
	if share[0] < 0.5 || share[1] < 0.5 {
		t.Errorf("[ has its stroke on the left: there is %.2f of the ink of that of [CLS], %.2f of that of [SEP]",
			share[0], share[1])
	}
}

// inkOnTheLeft returns the fraction of dark pixels that lie in the left half of a part of the page.
func inkOnTheLeft(t *testing.T, tab *browsertest.Tab, clip cdppage.Viewport) float64 {
	t.Helper()
	shot, err := chromedp.Call(tab, cdppage.CaptureScreenshot, cdppage.CaptureScreenshotParams{Clip: &clip})
	browsertest.Must(t, err)
	picture, err := png.Decode(bytes.NewReader(shot.Data))
	browsertest.Must(t, err)
	size, left, all := picture.Bounds(), 0.0, 0.0
	for y := range size.Dy() {
		for x := range size.Dx() {
			ink := 255 - float64(color.GrayModel.Convert(picture.At(x, y)).(color.Gray).Y)
			if all += ink; x < size.Dx()/2 {
				left += ink
			}
		}
	}
	return left / all
}

// TestNumbersOfAnAxisHaveOneSize: the first number of a long text is as large as the others.
func TestNumbersOfAnAxisHaveOneSize(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1440, 900, "/?m=dot-product,linear&text="+url.QueryEscape(strings.Repeat("one two three four ", 50)))
	browsertest.Becomes(tab, `[...new Set([...document.querySelectorAll('#card-dot-product .label.ruler')].map((one) => getComputedStyle(one).fontSize))].join()`, "11px")
}

// TestTwoLanesOfSquareLetters: words in two lanes do not overlap if their letters are square, such as Chinese
// characters and emoji.
func TestTwoLanesOfSquareLetters(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1024, 720, "/?present=1&text="+url.QueryEscape("猫坐在垫子上 because 🙂 it was tired"))
	tab.Eventually(`document.querySelectorAll('#card-dot-product .labels-rows .outer').length > 5`)
	browsertest.Becomes(tab, `labels.overlapping()`, "")
}

// TestLargeWordsOfArcs: in presentations the words on both sides are equally large, and stay inside the drawing.
func TestLargeWordsOfArcs(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1280, 720, "/?present=1&draw=arcs&layer=1&dot-product.head=4&pin=9")
	tab.Eventually(`[...document.querySelectorAll('#card-dot-product .arcs text')].map((one) => one.textContent).includes('because')`)
	tab.Eventually(`(() => { const svg = document.querySelector('#card-dot-product .arcs'), all = [...svg.querySelectorAll('text')], box = svg.getBoundingClientRect();
		return all.every((one) => parseFloat(getComputedStyle(one).fontSize) * box.width / 100 >= 18 && one.getBoundingClientRect().right <= box.right + 1); })()`)
}

// TestBytesAreColoured: the byte tokens of a Hebrew word are coloured by a pinned row like words.
func TestBytesAreColoured(t *testing.T) {
	tab := browsertest.Browse(t, "/?pin=2&text="+url.QueryEscape("שלום the cat"))
	tab.Eventually(`document.querySelectorAll('.token.byte.tinted').length > 3`)
	browsertest.Becomes(tab, `[...document.querySelectorAll('.token.byte.tinted')].filter((one) => getComputedStyle(one).backgroundImage !== 'none').length`, 0)
}

// TestPinnedWordsCutNoLabel: the full word of a pinned row or column hides other labels completely or not at all.
// This holds with all labels, with every second or third label, and in two lanes.
func TestPinnedWordsCutNoLabel(t *testing.T) {
	tab := browsertest.Open(t)
	const thirty = "the cat sat on the mat while the dog who was very tired ran to the garden and its friend said that it was too late to play now"
	const six = "one two three four five six "
	long := url.QueryEscape(thirty)
	forty, fifty := url.QueryEscape(strings.Repeat(six, 6)), url.QueryEscape(strings.Repeat(six, 8))
	for _, c := range []struct {
		width, height int64
		path          string
		covers        bool
	}{
		{1440, 900, "/?pin=9.6&text=" + long, true},
		{1440, 900, "/?pin=9.5&text=" + long, false},
		{1440, 900, "/?pin=5.3&m=dot-product,random&text=" + long + "+" + long, false},
		{1440, 900, "/?pin=6.4&m=dot-product,random&text=" + long + "+" + long, true},
		{1280, 720, "/?present=1&pin=9.3&show=influence", false},
		{1280, 720, "/?present=1&pin=10.4", false},
		{1280, 720, "/?present=1&pin=2.2&text=" + forty, false},
		{1280, 720, "/?present=1&pin=20.20&text=" + forty, false},
		{1280, 720, "/?present=1&pin=2.2&text=" + fifty, true},
		{1280, 720, "/?present=1&pin=22.22&text=" + fifty, false},
	} {
		tab.Sized(c.width, c.height, c.path)
		tab.Eventually(`document.querySelectorAll('#card-dot-product :is(.pill-row, .pill-col):not([hidden])').length === 2`)
		if got := browsertest.Ask[string](tab, `labels.cut()`); got != "" {
			t.Errorf("%s: pinned words cut %s", c.path, got)
		}
		if got := browsertest.Ask[bool](tab, `Boolean(document.querySelector('#card-dot-product .cover:not([hidden])'))`); got != c.covers {
			t.Errorf("%s: labels are covered: %v", c.path, got)
		}
		if got := browsertest.Ask[string](tab, `labels.covered()`); got != "" {
			t.Errorf("%s: covered: %s", c.path, got)
		}
	}
}
