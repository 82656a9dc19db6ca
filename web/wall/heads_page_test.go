package wall_test

import (
	"fmt"
	"strings"
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestHeadsOfCards: a click or a key on a small map gives its card a head. The focus and the other cards stay,
// Back undoes it, and the control for all cards changes all.
func TestHeadsOfCards(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Visit(browsertest.Server(t).URL + "/?m=dot-product,random&text=the+old+man+and+the+sea")
	distinctive := browsertest.Ask[[]string](tab, `['dot-product', 'random'].map((id) => document.querySelector('#card-' + id + ' .head.distinctive').textContent)`)
	for i, id := range []string{"dot-product", "random"} {
		tab.Eventually(fmt.Sprintf(`heads.shown('%[1]s') === 'Head %[2]s of 4, the most distinctive | %[2]s'`, id,
			distinctive[i]))
	}
	tab.Settled() // so that canvases keep their sizes
	before, beside := browsertest.Ask[string](tab, `heads.pixels('random')`), browsertest.Ask[string](tab,
		`heads.pixels('dot-product')`)
	browsertest.Becomes(tab, `[...document.querySelectorAll('.heads-sheet')].map((s) => { const c = s.querySelector('canvas'); return s.querySelector('img') ? 0 : c.width / c.height; })`, []int{5, 5})
	tab.Do(chromedp.Click(chromedp.CSS("#head-random-mean")))
	tab.Eventually(`heads.shown('random') === 'Mean of 4 heads | mean' && location.search.includes('random.head=mean')`)
	tab.Eventually(fmt.Sprintf(`heads.pixels('random') !== %q`, before))
	if got := browsertest.Ask[string](tab, `heads.pixels('dot-product')`); got != beside {
		t.Error("the card beside has changed")
	}
	tab.Do(chromedp.Focus(chromedp.CSS("#map-random")), chromedp.KeyEvent("="), chromedp.KeyEvent("="))
	tab.Eventually(`heads.shown('random') === 'Head 2 | 2' && location.search.includes('random.head=2')
		&& document.activeElement.id === 'map-random'`)
	tab.Do(chromedp.Focus(chromedp.CSS("#head-random-4")), chromedp.KeyEvent(kb.Enter))
	tab.Eventually(`heads.shown('random') === 'Head 4 | 4' && document.activeElement.id === 'head-random-4'`)
	tab.Back(1)
	tab.Eventually(`heads.shown('random') === 'Head 2 | 2'`)
	tab.Do(chromedp.Focus(chromedp.CSS("#c-text")), chromedp.KeyEvent("ran "))
	tab.Eventually(`document.querySelectorAll('.token').length === 9 && location.search.includes('random.head=2')`)
	tab.Choose("c-head", "3")
	tab.Eventually(`heads.shown('random') === 'Head 3 | 3' && heads.shown('dot-product') === 'Head 3 | 3'`)
	if got := browsertest.Ask[string](tab, `location.search`); strings.Contains(got, "random.head") {
		t.Error(got)
	}
}

// TestHeadsTogether: if heads have no maps of their own, there is no choice, and the chosen head is kept.
func TestHeadsTogether(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Visit(browsertest.Server(t).URL + "/?m=random,shuffle-exchange&show=rollout&head=2&random.head=3&text=one+two+three")
	browsertest.Becomes(tab, `heads.says() + document.querySelectorAll('.head').length + document.getElementById('c-head').textContent`, "All heads together0all together")
	tab.Choose("c-show", "maps")
	tab.Eventually(`heads.shown('random') === 'Head 3 | 3' && location.search.includes('head=2')
		&& heads.says().endsWith('Without heads')`)
}
