package wall_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

// influenceOf returns whether a request is for the influence of one mechanism alone.
func influenceOf(id string) func(*http.Request) bool {
	return func(r *http.Request) bool {
		query := r.URL.Query()
		return r.URL.Path == "/" && query.Get("m") == id && query.Get("show") == "influence"
	}
}

// gated serves the bundled models behind a gate. All mechanisms cost the same, except the gated one.
func gated(t *testing.T, of string) (browsertest.Gate, *httptest.Server) {
	t.Helper()
	cost := func(r engine.Request) engine.Cost {
		return engine.Cost{Operations: 2e10 * float64(len(r.Mechanisms)+strings.Count(strings.Join(r.Mechanisms, ","), of))}
	}
	return browsertest.Gated(t, cost, influenceOf(of))
}

const (
	progressText = `document.getElementById('progress').textContent`
	measuredMaps = `document.querySelectorAll('.map[data-map="influence"] canvas').length`
)

// TestCardsAreMeasuredOneByOne: after a switch to influence, the old maps are at once labelled as attention. Cards
// arrive in the order of cost. A cancelled measurement keeps the finished cards and can continue.
func TestCardsAreMeasuredOneByOne(t *testing.T) {
	tab := browsertest.Open(t)
	g, server := gated(t, "fastformer")
	tab.Visit(server.URL + "/?m=fastformer,dense,random")
	stale := browsertest.Ask[string](tab, `set('c-show', 'influence', 'change') && figures.labels()`)
	if strings.Count(stale, "This is attention. Influence is being measured.") != 3 {
		t.Errorf("the maps of attention say %s", stale)
	}
	tab.Eventually(progressText + `.includes('2 of 3 cards are measured') && ` + measuredMaps + ` === 2`)
	tab.Eventually(`!document.querySelector('[data-stale]')`) // measured maps are not labelled as attention
	browsertest.Becomes(tab, `document.querySelector('#card-fastformer .refusal-text').textContent`, "Not measured yet.")
	browsertest.Awaited(t, g.Arrived)
	tab.Trigger("#progress .cancel")
	browsertest.Awaited(t, g.Departed)
	tab.Eventually(progressText + `.includes('Cancelled: 2 of 3') && document.activeElement.matches('.resume') && ` +
		measuredMaps + ` === 2`)
	browsertest.Ask[bool](tab, `document.activeElement.click() || true`)
	browsertest.Awaited(t, g.Arrived)
	g.Open <- struct{}{}
	tab.Eventually(measuredMaps + ` === 3 && ` + progressText + ` === ''`)
	browsertest.Ask[bool](tab, `document.querySelector('.token[data-i="3"]').dispatchEvent(new Event('pointerover', { bubbles: true })) || true`)
	tab.Eventually(`document.querySelector('[data-mechanism=fastformer].reading, .reading[data-mechanism=fastformer]')?.textContent.match(/\d/)`)
}

// TestTwoTextsComeCardByCard: with a second text, every card that arrives has both of its maps.
func TestTwoTextsComeCardByCard(t *testing.T) {
	tab := browsertest.Open(t)
	g, server := gated(t, "fastformer")
	tab.Visit(server.URL + "/?m=fastformer,dense,random&show=influence&text=the+cat+sat&other=the+dog+ran")
	const both = `document.querySelectorAll('.second-map canvas').length`
	browsertest.Awaited(t, g.Arrived)
	tab.Eventually(progressText + `.includes('2 of 3 cards are measured') && ` + measuredMaps + ` === 2 && ` +
		both + ` === 4`)
	tab.Trigger("#progress .cancel")
	browsertest.Awaited(t, g.Departed)
	tab.Eventually(progressText + `.includes('Cancelled: 2 of 3') && ` + both + ` === 4`)
	tab.Trigger("#progress .resume")
	browsertest.Awaited(t, g.Arrived)
	g.Open <- struct{}{}
	tab.Eventually(measuredMaps + ` === 3 && ` + both + ` === 6 && ` + progressText +
		` === '' && /\d/.test(document.querySelector('#card-fastformer .change b')?.textContent)`)
}

// TestLeavingEndsMeasuring: another text, or another view, ends the running measurement.
func TestLeavingEndsMeasuring(t *testing.T) {
	tab := browsertest.Open(t)
	g, server := gated(t, "random")
	tab.Visit(server.URL + "/?m=random,dense&show=influence")
	tab.Eventually(progressText + `.includes('1 of 2')`)
	browsertest.Awaited(t, g.Arrived)
	tab.Choose("c-show", "maps")
	browsertest.Awaited(t, g.Departed)
	tab.Eventually(shownMaps + ` === 'weights,weights' && ` + progressText + ` === ''`)
}

// TestMeasuredWithoutScripts: without scripts, an incomplete page says so and links to the complete one. This
// holds for a wall, for a comparison with its difference, and in a frame.
func TestMeasuredWithoutScripts(t *testing.T) {
	tab := browsertest.Open(t)
	_, server := browsertest.Gated(t, browsertest.Dear, func(*http.Request) bool { return false })
	tab.WithoutScripts()
	for path, there := range map[string]string{
		"/?m=dense,random,fastformer&text=the+cat+sat&show=influence":      `document.querySelectorAll('.card .map[data-map=influence] img').length === 3`,
		"/embed?m=dense,random,fastformer&text=the+cat+ran&show=influence": `document.querySelectorAll('.card .map[data-map=influence] img').length === 3`,
		"/compare?a=dense&b=random&text=the+cat+sang&show=influence":       `document.querySelectorAll('.card .map img').length === 3 && document.querySelectorAll('#compared .fact').length > 1`,
	} {
		tab.Do(chromedp.Navigate(server.URL + path))
		tab.Eventually(`document.readyState === 'complete' && document.querySelector('.measuring')
			&& document.getElementById('rest')?.checkVisibility()`)
		tab.Do(chromedp.Click(chromedp.CSS("#rest")))
		tab.Eventually(`document.readyState === 'complete' && location.search.endsWith('&wait=1')
			&& !document.querySelector('.measuring, #rest') && ` + there)
	}
}
