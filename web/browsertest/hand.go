package browsertest

import (
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Do runs actions of chromedp.
func (b *Tab) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	Must(b.t, chromedp.Do(b, steps...))
}

// Visit opens a page in a tab that may have shown other pages, and waits for its scripts. This is faster than a
// new tab.
func (b *Tab) Visit(address string) {
	b.t.Helper()
	b.Do(chromedp.Navigate(address))
	b.Eventually(`document.documentElement.dataset.ready === 'true' || !document.querySelector('.wall')`)
}

// Back goes back in the tab's history by this many entries. The page may be gone before it answers.
func (b *Tab) Back(entries int) {
	b.t.Helper()
	_, err := Evaluate[bool](b, fmt.Sprintf(`history.go(-%d) || true`, entries))
	if err != nil && !strings.Contains(err.Error(), "navigated or closed") {
		b.t.Fatal(err)
	}
}

// WithoutScripts disables the scripts of pages that are opened from now on.
func (b *Tab) WithoutScripts() {
	b.t.Helper()
	_, err := chromedp.Call(b, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true})
	Must(b.t, err)
}

// Window sets the size of the window in pixels.
func (b *Tab) Window(width, height int64) {
	b.t.Helper()
	b.Do(chromedp.EmulateViewport(width, height))
}

// Sized opens a page of the shared server in a window of this size, and waits until it is settled.
func (b *Tab) Sized(width, height int64, path string) {
	b.t.Helper()
	b.Window(width, height)
	b.Visit(Server(b.t).URL + path)
	b.Settled()
}

// Box returns the position of an element in the window: left, top, right and bottom.
func (b *Tab) Box(selector string) [4]float64 {
	b.t.Helper()
	return Ask[[4]float64](b, fmt.Sprintf(`box(%q)`, selector))
}

// Trigger clicks an element by script, even if another element covers it.
func (b *Tab) Trigger(selector string) {
	b.t.Helper()
	Ask[bool](b, fmt.Sprintf(`document.querySelector(%q).click() || true`, selector))
}

// Follow clicks a link to another document and waits for that document. A condition that holds for both documents
// could not tell that the second one is there.
func (b *Tab) Follow(selector string) {
	b.t.Helper()
	Ask[bool](b, `document.left = true`)
	b.Do(chromedp.Click(chromedp.CSS(selector)))
	b.Eventually(`!document.left && document.readyState === 'complete'`)
}

// Choose sets a control to a value, like a visitor's choice.
func (b *Tab) Choose(id, value string) { b.set(id, value, "change") }

// Slide sets a slider or a field to a value, like a visitor's movement or typing.
func (b *Tab) Slide(id, value string) { b.set(id, value, "input") }

func (b *Tab) set(id, value, event string) {
	b.t.Helper()
	Ask[bool](b, fmt.Sprintf(`set(%q, %q, %q)`, id, value, event))
}

// Rewrite replaces the text in the text field, as typing does, and waits for the new page.
func (b *Tab) Rewrite(text string) {
	b.t.Helper()
	b.Slide("c-text", text)
	b.Eventually(fmt.Sprintf(`shown.text() === %q && !document.getElementById('controls').hasAttribute('aria-busy')`, text))
}

// ClickWord clicks the word of the token strip with this label.
func (b *Tab) ClickWord(label string) {
	b.t.Helper()
	word := fmt.Sprintf(`.token[data-label=%q] .word`, label)
	b.Eventually(fmt.Sprintf(`document.readyState === 'complete' && document.querySelector(%q)`, word))
	at := Ask[[]float64](b, fmt.Sprintf(`middle(%q)`, word))
	b.Do(chromedp.MouseClickXY(at[0], at[1]))
}

// Cell returns the middle of a cell of a card's map, in the window.
func (b *Tab) Cell(id string, row, col int) (x, y float64) {
	b.t.Helper()
	at := Ask[[]float64](b, fmt.Sprintf(`cell(%q, %d, %d)`, id, row, col))
	return at[0], at[1]
}
