package wall_test

import (
	"bytes"
	"image/color"
	"image/png"
	"net/url"
	"strings"
	"testing"

	"attnatlas/web/browsertest"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// lettersOf defines letters, which returns the boxes of a text's letters in text order, from an index on.
const lettersOf = `const letters = (text, from, to) => { const range = document.createRange(); range.setStart(text, from); range.setEnd(text, to); return range.getBoundingClientRect(); };`

// TestLabelsAfterHebrew: after a right-to-left word, the brackets of [SEP] are drawn like those of [CLS]. The
// drawn letters are compared, because the boxes are correct even if the brackets are mirrored.
func TestLabelsAfterHebrew(t *testing.T) {
	tab := browsertest.Browse(t, "/?theme=light&m=dot-product&text="+url.QueryEscape("שלום"))
	const label = `#card-dot-product .labels-rows .label`
	tab.Eventually(`document.querySelector('` + label + `')?.textContent.endsWith('\n[SEP]')`)
	tab.Settled()
	var share [2]float64
	for i, which := range []string{"indexOf", "lastIndexOf"} {
		b := browsertest.Ask[[4]float64](tab, `(() => { `+lettersOf+`
			const text = document.querySelector('`+label+`').firstChild, at = text.data.`+which+`('['), b = letters(text, at, at + 1);
			return [b.left + scrollX, b.top + scrollY, b.width, b.height]; })()`)
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

// titles lists the axis titles that are partly covered.
const titles = `[...document.querySelectorAll('#card-dot-product .axis-title')].filter((title) => {
	const range = document.createRange();
	range.selectNodeContents(title);
	const a = range.getBoundingClientRect();
	return [...document.querySelectorAll('#card-dot-product .cover:not([hidden])')].some((cover) => {
		const b = cover.getBoundingClientRect();
		return a.left < b.right - 1 && a.right > b.left + 1 && a.top < b.bottom - 3 && a.bottom > b.top + 3;
	});
}).map((title) => title.textContent).join(', ')`

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
	const overlaps = `(() => { ` + lettersOf + `
		const lanes = [...document.querySelectorAll('#card-dot-product .labels-rows > .label')], near = lanes[0].firstChild, out = [];
		const boxes = [];
		for (let from = 0; from < near.data.length;) {
			const to = (near.data + '\n').indexOf('\n', from);
			boxes.push(letters(near, from, to));
			from = to + 1;
		}
		for (const outer of lanes[1].querySelectorAll('.outer')) {
			const a = letters(outer.firstChild, 0, outer.firstChild.data.length);
			for (const b of boxes) if (a.right > b.left + 1 && Math.abs((a.top + a.bottom - b.top - b.bottom) / 2) < 14) out.push(outer.textContent);
		}
		return out.join(); })()`
	browsertest.Becomes(tab, overlaps, "")
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
		const cut = `(() => { ` + lettersOf + `
			const cut = [], card = document.querySelector('#card-dot-product');
			for (const [axis, from, to] of [['row', 'top', 'bottom'], ['col', 'left', 'right']]) {
				const pill = card.querySelector('.pill-' + axis), over = pill.getBoundingClientRect(), cover = card.querySelector('.cover-' + axis).getBoundingClientRect();
				const across = axis === 'row' ? ['left', 'right'] : ['top', 'bottom'];
				const walker = document.createTreeWalker(card.querySelector('.labels-' + axis + 's'), NodeFilter.SHOW_TEXT);
				for (let text; (text = walker.nextNode());) {
					for (let i = 0; i < text.data.length; i++) {
						if (text.data[i] === '\n') continue;
						let end = text.data.indexOf('\n', i);
						if (end < 0) end = text.data.length;
						const b = letters(text, i, end), middle = (b[from] + b[to]) / 2, ink = 0.37 * parseFloat(getComputedStyle(text.parentElement).fontSize);
						const [low, high] = [middle - ink, middle + ink], own = Math.abs(middle - (over[from] + over[to]) / 2) < 2;
						const meets = low < over[to] - 1 && high > over[from] + 1 && b[across[0]] < over[across[1]] - 3 && b[across[1]] > over[across[0]] + 3;
						const hidden = [cover, over].some((box) => low >= box[from] - 1 && high <= box[to] + 1 && b[across[0]] >= box[across[0]] - 1 && b[across[1]] <= box[across[1]] + 3);
						if (meets && !own && !hidden) cut.push(text.data.slice(i, end));
						i = end;
					}
				}
			}
			return cut.join(', '); })()`
		if got := browsertest.Ask[string](tab, cut); got != "" {
			t.Errorf("%s: pinned words cut %s", c.path, got)
		}
		if got := browsertest.Ask[bool](tab, `Boolean(document.querySelector('#card-dot-product .cover:not([hidden])'))`); got != c.covers {
			t.Errorf("%s: labels are covered: %v", c.path, got)
		}
		if got := browsertest.Ask[string](tab, titles); got != "" {
			t.Errorf("%s: covered: %s", c.path, got)
		}
	}
}
