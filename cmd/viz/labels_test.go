package main

import (
	"bytes"
	"context"
	"image/color"
	"image/png"
	"net/url"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// lettersOf has where the letters of labels are: of what they say from from on, the boxes of its letters, in the order of the text.
const lettersOf = `const letters = (text, from, to) => { const range = document.createRange(); range.setStart(text, from); range.setEnd(text, to); return range.getBoundingClientRect(); };`

// TestLabelsAfterHebrew: the brackets of [SEP] are drawn as those of [CLS] are after a word that is read from right to left, too,
// for which its letters must be looked at: their boxes are where they should be when they are turned around.
func TestLabelsAfterHebrew(t *testing.T) {
	ctx := browse(t, "/?theme=light&m=dot-product&text="+url.QueryEscape("שלום"))
	const label = `#card-dot-product .labels-rows .label`
	eventually(t, ctx, `document.querySelector('`+label+`')?.textContent.endsWith('\n[SEP]')`)
	settled(t, ctx)
	var share [2]float64
	for i, which := range []string{"indexOf", "lastIndexOf"} {
		b := ask[[4]float64](t, ctx, `(() => { `+lettersOf+`
			const text = document.querySelector('`+label+`').firstChild, at = text.data.`+which+`('['), b = letters(text, at, at + 1);
			return [b.left + scrollX, b.top + scrollY, b.width, b.height]; })()`)
		share[i] = inkOnTheLeft(t, ctx, cdppage.Viewport{X: b[0], Y: b[1], Width: b[2], Height: b[3], Scale: 8})
	}
	if share[0] < 0.5 || share[1] < 0.5 {
		t.Errorf("[ has its stroke on the left: there is %.2f of the ink of that of [CLS], %.2f of that of [SEP]", share[0], share[1])
	}
}

// inkOnTheLeft is the share of what is dark in a part of the page that is dark in its left half.
func inkOnTheLeft(t *testing.T, ctx context.Context, clip cdppage.Viewport) float64 {
	t.Helper()
	shot, err := chromedp.Call(ctx, cdppage.CaptureScreenshot, cdppage.CaptureScreenshotParams{Clip: &clip})
	must(t, err)
	picture, err := png.Decode(bytes.NewReader(shot.Data))
	must(t, err)
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

// TestPinnedWordsCutNoLabel: the word of a pinned row or column, which is shown in full, hides no part of another label, but
// all of it or nothing: with labels for all words, for each second or third, and in two lanes.
func TestPinnedWordsCutNoLabel(t *testing.T) {
	ctx := tab(t)
	const thirty = "the cat sat on the mat while the dog who was very tired ran to the garden and its friend said that it was too late to play now"
	long := url.QueryEscape(thirty)
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
	} {
		sized(t, ctx, c.width, c.height, c.path)
		eventually(t, ctx, `document.querySelectorAll('#card-dot-product :is(.pill-row, .pill-col):not([hidden])').length === 2`)
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
						const hidden = low >= cover[from] - 1 && high <= cover[to] + 1 && b[across[0]] >= cover[across[0]] - 1;
						if (meets && !own && !hidden) cut.push(text.data.slice(i, end));
						i = end;
					}
				}
			}
			return cut.join(', '); })()`
		if got := ask[string](t, ctx, cut); got != "" {
			t.Errorf("%s: pinned words cut %s", c.path, got)
		}
		if got := ask[bool](t, ctx, `Boolean(document.querySelector('#card-dot-product .cover:not([hidden])'))`); got != c.covers {
			t.Errorf("%s: labels are covered: %v", c.path, got)
		}
	}
}
