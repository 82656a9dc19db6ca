package wall_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"attnatlas/engine/figure"
	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

// TestEveryCanvasEqualsItsImage: canvases equal the pictures in every normalisation, for shares, signed numbers,
// classes, orders, strips and stacks. The normalisation of one page is changed.
func TestEveryCanvasEqualsItsImage(t *testing.T) {
	server := browsertest.Untrained(t).URL
	tab := open(t, server+"/?theme=dark&cmap=viridis&norm=absolute&mask=none&m=dot-product,reformer,longformer,fastformer")
	browsertest.Ask[bool](tab, `document.querySelectorAll('.more > summary').forEach((s) => s.click()) || true`)
	for _, norm := range figure.Norms() {
		tab.Choose("c-norm", norm.String())
		tab.Eventually(fmt.Sprintf(`!document.getElementById('controls').hasAttribute('aria-busy')
			&& (new URL(document.getElementById('main').dataset.src, location.href).searchParams.get('norm') ?? 'row') === '%s'`, norm))
		tab.Eventually(`[...document.querySelectorAll('.map, .strip, .view .sheet')].every((s) => s.querySelector('canvas.under')?.width > 1)`)
		browsertest.Becomes(tab, `drawings.differing()`, []string{"of 18"})
	}
}

// TestColoursFetchNothing: another colour map or theme repaints without requests. The page then equals the
// server's page, also after Back.
func TestColoursFetchNothing(t *testing.T) {
	server := browsertest.ServeFolder(t, browsertest.Folder(t, "dot-product", "reformer", "encoder-decoder"))
	tab := browsertest.Open(t)
	text := "&text=" + url.QueryEscape("the cat's 100% *sat* ~ (on) it? & = + 小猫")
	for _, path := range []string{"/?m=dot-product,reformer&was=a&head=2&pin=2.3" + text, "/m/reformer?norm=map" + text,
		"/m/encoder-decoder?step=2&layer=1" + text} {
		tab.Visit(server + path)
		tab.Eventually(`document.querySelector('canvas.under')?.width > 1`)
		tab.Settled() // so that the canvas keeps its size
		browsertest.Ask[bool](tab, `counting()`)
		picture := func() string {
			return browsertest.Ask[string](tab, `document.querySelector('canvas.under').toDataURL()`)
		}
		first := picture()
		before := browsertest.Ask[string](tab, `location.search`)
		for _, change := range [][2]string{{"c-cmap", "magma"}, {"c-theme", "dark"}, {"c-cmap", "cividis"},
			{"c-theme", "auto"}} {
			tab.Choose(change[0], change[1])
			tab.Eventually(fmt.Sprintf(`document.getElementById('controls').elements.%s.value === %q`, change[0][2:], change[1]))
			browsertest.Becomes(tab, `drawings.unlikeFresh()`, []string{})
		}
		if picture() != first {
			t.Errorf("%s: the first colours look different", path)
		}
		for range 2 {
			tab.Do(chromedp.NavigateBack())
		}
		tab.Eventually(`location.search.includes('cmap=magma') && location.search.includes('theme=dark')
			&& document.documentElement.dataset.theme === 'dark'`)
		browsertest.Becomes(tab, `drawings.unlikeFresh()`, []string{})
		if picture() == first {
			t.Errorf("%s, back: other colours look the same", path)
		}
		tab.Back(2)
		tab.Eventually(`location.search === ` + fmt.Sprintf("%q", before) +
			` && document.documentElement.dataset.theme === 'auto'`)
		if got := browsertest.Ask[[]string](tab, `asked`); len(got) != 0 {
			t.Errorf("%s fetched %q", path, got)
		}
	}
}

// TestNormalisationFetchesCells: the numbers are known, stay the same, and are not sent again.
func TestNormalisationFetchesCells(t *testing.T) {
	tab := browsertest.Browse(t, "/?layer=1&pin=3.4")
	exact := `document.querySelector('#readings [data-mechanism="dense"] dd').title`
	tab.Eventually(exact)
	before := browsertest.Ask[string](tab, exact)
	want := browsertest.Ask[string](tab, `fetch('/api/v1/attend?layer=1&head=auto&m=dense&map=weights&text=' + encodeURIComponent(document.getElementById('c-text').value)).then((r) => r.json()).then((a) => String(a.mechanisms[0].layers[0].maps[0].values[2 * 19 + 3]))`)
	if before != want {
		t.Errorf("the page reads %s, the API %s", before, want)
	}
	tab.Settled() // so that the canvas keeps its size
	picture := browsertest.Ask[string](tab, `document.querySelector('canvas.under').toDataURL()`)
	browsertest.Ask[bool](tab, `counting()`)
	tab.Choose("c-norm", "log")
	tab.Eventually(`location.search.includes('norm=log') && document.querySelector('canvas.under').toDataURL() !== ` +
		fmt.Sprintf("%q", picture))
	tab.Eventually(exact + ` === ` + fmt.Sprintf("%q", want))
	if got := browsertest.Ask[[]string](tab, `asked`); len(got) != 2 || !strings.HasPrefix(got[1], "./api/v1/drawing?") ||
		!strings.HasSuffix(got[1], "&values=0") {
		t.Errorf("fetched %q", got)
	}
	tab.Choose("c-norm", "row")
	tab.Eventually(`!location.search.includes('norm') && document.querySelector('canvas.under').toDataURL() === ` +
		fmt.Sprintf("%q", picture))
	if got := browsertest.Ask[[]string](tab, `asked`); len(got) != 3 {
		t.Errorf("fetched %q", got)
	}
}
