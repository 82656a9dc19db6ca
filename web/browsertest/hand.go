package browsertest

import (
	"fmt"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Do does what chromedp can do.
func (b *Tab) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	Must(b.t, chromedp.Do(b, steps...))
}

// Visit opens a page in a tab that may have shown others, which is faster than a new one, and waits for its scripts.
func (b *Tab) Visit(address string) {
	b.t.Helper()
	b.Do(chromedp.Navigate(address))
	b.Eventually(`document.documentElement.dataset.ready === 'true' || !document.querySelector('.wall')`)
}

// WithoutScripts has the scripts of pages that are opened from now on not run.
func (b *Tab) WithoutScripts() {
	b.t.Helper()
	_, err := chromedp.Call(b, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true})
	Must(b.t, err)
}

// Window gives the window a size in pixels.
func (b *Tab) Window(width, height int64) {
	b.t.Helper()
	b.Do(chromedp.EmulateViewport(width, height))
}

// Sized opens a page of the shared server in a window of a size, and waits until it is settled.
func (b *Tab) Sized(width, height int64, path string) {
	b.t.Helper()
	b.Window(width, height)
	b.Visit(Server(b.t).URL + path)
	b.Settled()
}

// Box is where an element is in the window: left, top, right and bottom.
func (b *Tab) Box(selector string) [4]float64 {
	b.t.Helper()
	return Ask[[4]float64](b, fmt.Sprintf(`box(%q)`, selector))
}

// Trigger clicks an element as a script does, whatever covers it.
func (b *Tab) Trigger(selector string) {
	b.t.Helper()
	Ask[bool](b, fmt.Sprintf(`document.querySelector(%q).click() || true`, selector))
}

// Follow clicks what leads to another document, and waits for that document: what is true of both says nothing of the
// second.
func (b *Tab) Follow(selector string) {
	b.t.Helper()
	Ask[bool](b, `document.left = true`)
	b.Do(chromedp.Click(chromedp.CSS(selector)))
	b.Eventually(`!document.left && document.readyState === 'complete'`)
}

// Choose gives a control the value that a visitor chooses.
func (b *Tab) Choose(id, value string) { b.set(id, value, "change") }

// Slide gives a slider or a field the value that a visitor moves it to, or types.
func (b *Tab) Slide(id, value string) { b.set(id, value, "input") }

func (b *Tab) set(id, value, event string) {
	b.t.Helper()
	Ask[bool](b, fmt.Sprintf(`set(%q, %q, %q)`, id, value, event))
}

// Rewrite puts another text into the box, as somebody who types does, and waits for its page.
func (b *Tab) Rewrite(text string) {
	b.t.Helper()
	b.Slide("c-text", text)
	b.Eventually(fmt.Sprintf(`shown.text() === %q && !document.getElementById('controls').hasAttribute('aria-busy')`, text))
}

// ClickWord clicks the word of the strip that has a label.
func (b *Tab) ClickWord(label string) {
	b.t.Helper()
	word := fmt.Sprintf(`.token[data-label=%q] .word`, label)
	b.Eventually(fmt.Sprintf(`document.readyState === 'complete' && document.querySelector(%q)`, word))
	at := Ask[[]float64](b, fmt.Sprintf(`middle(%q)`, word))
	b.Do(chromedp.MouseClickXY(at[0], at[1]))
}

// Cell is the middle of a cell of a card's map, in the window.
func (b *Tab) Cell(id string, row, col int) (x, y float64) {
	b.t.Helper()
	at := Ask[[]float64](b, fmt.Sprintf(`cell(%q, %d, %d)`, id, row, col))
	return at[0], at[1]
}
