package wall_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/web/api"
	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const insured = "/?text=what+is+the+capital+gain+on+my+insurance&m=dot-product,dense,fastformer&layer=2"

const (
	cutShown = `(new URL(location.href).searchParams.get('cut') ?? '')`
	ownCut   = `(new URL(location.href).searchParams.get('dense.cut') ?? '')`
	idle     = `!document.getElementById('controls').hasAttribute('aria-busy')`
)

// topicOf returns a mechanism's topic for a text, and its probability as pages write it.
func topicOf(t *testing.T, query, id string) (class, p string) {
	t.Helper()
	resp, err := http.Get(browsertest.Server(t).URL + "/api/v1/attend?map=weights&head=1&" +
		strings.TrimPrefix(query, "/?"))
	browsertest.Must(t, err)
	defer resp.Body.Close()
	var a api.Attend
	browsertest.Must(t, json.NewDecoder(resp.Body).Decode(&a))
	for _, m := range a.Mechanisms {
		for _, g := range m.Guesses {
			if m.ID == id && g.Task == encoder.Topic {
				return g.Classes[0].Name, messages.Number(g.Classes[0].P)
			}
		}
	}
	t.Fatalf("%s says no topic", id)
	return "", ""
}

// answersOf returns a card's text about its predictions before and after an ablation.
func answersOf(id string) string {
	return fmt.Sprintf(`(document.querySelector('#card-%s .answers li')?.textContent.replace(/\s+/g, ' ') ?? '')`, id)
}

// TestCutWithKeys: keys block the cell and the word with the focus, on its card only. The card says so, and the
// ablation can be undone.
func TestCutWithKeys(t *testing.T) {
	tab := browsertest.Browse(t, insured)
	tab.Do(chromedp.Focus(chromedp.CSS("#map-dense")), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown),
		chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent("x"))
	tab.Eventually(ownCut + `.match(/^cell:2\.\d\.3\.2$/) && ` + cutShown + ` === '' && ` + idle)
	tab.Eventually(readingOf("dense") + ` === 'blocked' && ` + readingOf("dot-product") + ` !== 'blocked'`)
	browsertest.Becomes(tab, `document.activeElement.id`, "map-dense")
	tab.Do(chromedp.KeyEvent(kb.End), chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent("X"))
	tab.Eventually(ownCut + `.startsWith('word:9,cell:2.') && document.querySelectorAll('.cuts li').length === 2
		&& ` + idle)
	was, wasP := topicOf(t, insured, "dense")
	is, isP := topicOf(t, insured+"&dense.cut="+browsertest.Ask[string](tab, ownCut), "dense")
	if was == is {
		t.Fatalf("the topic remains %s", is)
	}
	tab.Eventually(answersOf("dense") + fmt.Sprintf(`.includes(%q) && `, was+" "+
		wasP) + answersOf("dense") + fmt.Sprintf(`.includes(%q)`, is+" "+isP))
	if got := browsertest.Ask[string](tab, answersOf("dot-product")); got != "" {
		t.Errorf("nothing is cut in dot product, yet it says %q", got)
	}
	tab.Do(chromedp.Focus(chromedp.CSS("#restore-all")), chromedp.KeyEvent(kb.Enter))
	tab.Eventually(ownCut + ` === '' && !document.querySelector('.cuts, .cut-change') && ` + idle)
	tab.Back(1)
	tab.Eventually(`document.querySelectorAll('.cuts li').length === 2`)
}

// TestCutWhatIsPinned: the links in the read-out follow the pin and ablate in all cards. A card without cells says
// why.
func TestCutWhatIsPinned(t *testing.T) {
	tab := browsertest.Browse(t, insured)
	tab.Eventually(`document.getElementById('cut-word').hidden && document.getElementById('cut-cell').hidden`)
	tab.Settled()
	tab.ClickWord("insurance")
	tab.Eventually(`!document.getElementById('cut-word').hidden && document.getElementById('cut-cell').hidden`)
	tab.Trigger("#cut-word")
	tab.Eventually(cutShown + ` === 'word:9' && document.querySelectorAll('.cut-change').length === 3
		&& document.querySelector('.token.cut').dataset.label === 'insurance' && ` + idle)
	x, y := tab.Cell("dense", 3, 4)
	tab.Do(chromedp.MouseClickXY(x, y))
	tab.Eventually(pinShown + ` === '4.5' && !document.getElementById('cut-cell').hidden`)
	tab.Trigger("#cut-cell")
	tab.Eventually(cutShown + ` === 'word:9,cell:4.5' && document.querySelector('#card-fastformer .refusal-text').textContent.includes('never forms pairs') && !document.querySelector('#card-dense .refusal-text') && ` + idle)
	browsertest.Ask[bool](tab, `[...document.querySelectorAll('.restore')].at(-1).click() || true`)
	tab.Eventually(cutShown + ` === 'word:9' && !document.querySelector('.refusal-text') && ` + idle)
	browsertest.Ask[bool](tab, `(document.querySelector('#card-dense .cut-menu').open = true, document.querySelector('#card-dense .cut-menu a[data-cut=head]')).click() || true`)
	tab.Eventually(ownCut + `.match(/^head:2\.\d$/) && document.querySelectorAll('.cut-of').length === 1 && ` + idle)
}

// TestCutWithoutScripts: links ablate and undo; maps are pictures.
func TestCutWithoutScripts(t *testing.T) {
	tab := browsertest.Open(t)
	tab.WithoutScripts()
	tab.Do(chromedp.Navigate(browsertest.Server(t).URL + insured + "&pin=4.5"))
	follow := func(selector string) {
		tab.Eventually(fmt.Sprintf(`document.readyState === 'complete'
			&& document.querySelector(%q)?.checkVisibility()`, selector))
		at := browsertest.Ask[[]float64](tab, fmt.Sprintf(`(() => { const a = document.querySelector(%q); a.scrollIntoView({ block: 'center' }); const b = a.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`, selector))
		tab.Do(chromedp.MouseClickXY(at[0], at[1]))
	}
	follow("#cut-word")
	tab.Eventually(cutShown + ` === 'word:5' && ` + pairText +
		` === 'the4 attends to capital5' && [...document.querySelectorAll('.map img')].every((i) => i.complete && i.naturalWidth > 0) && ` + answersOf("dense") + ` !== ''`)
	follow("#card-dense .cut-menu summary")
	follow("#card-dense .cut-menu a[data-cut=cell]")
	tab.Eventually(cutShown + ` === 'word:5' && ` + ownCut + `.match(/^cell:2\.\d\.4\.5$/)`)
	follow(".restore")
	tab.Eventually(cutShown + ` === '' && document.querySelectorAll('.cuts li').length === 1`)
	follow("#restore-all")
	tab.Eventually(`!document.querySelector('.cuts')`)
}

// TestCutOnAPhone: the line, the links and the menu fit a narrow window and are large enough to tap.
func TestCutOnAPhone(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Window(360, 740)
	tab.Visit(browsertest.Server(t).URL + insured + "&pin=4.5&cut=word:9,cell:2.3&dense.cut=head:1.2")
	tab.Settled()
	browsertest.Becomes(tab, `readout.misfits()`, "")
}

// TestCutOfAWordThatGoes: if a text becomes too short for a blocked word, the page says so and continues without
// that ablation. The next text has no such message.
func TestCutOfAWordThatGoes(t *testing.T) {
	tab := browsertest.Browse(t, insured+"&cut=word:9,word:2")
	says := `(document.querySelector('#problem .message')?.textContent ?? '')`
	tab.Eventually(says + ` === '' && document.querySelectorAll('.cuts li').length === 2`)
	write := func(text string) {
		browsertest.Ask[bool](tab, fmt.Sprintf(`(document.getElementById('c-text').value = %q, document.getElementById('controls').requestSubmit(), true)`, text))
	}
	write("what is the capital")
	tab.Eventually(says + ` === 'word:9 cannot be ablated: the text has 6 tokens, and no word 9.' && ` + cutShown +
		` === 'word:2' && document.querySelectorAll('.cuts li').length === 1 && ` + idle)
	write("what is the capital gain")
	tab.Eventually(says + ` === '' && ` + cutShown +
		` === 'word:2' && document.querySelectorAll('.cuts li').length === 1 && ` + idle)
}

// TestCutOnAWall: with many cards, the ablations of a card are in its folded part, and follow the pin.
func TestCutOnAWall(t *testing.T) {
	all, _, _ := strings.Cut(browsertest.WallAddress(len(browsertest.OwnModels()), 19, 1), "&text=")
	tab := browsertest.Browse(t, all+"&text=The+cat+sat.&pin=3.2")
	tab.Trigger("#background-dense summary")
	tab.Eventually(`document.querySelector('#background-dense .cut-menu')`)
	tab.Trigger("#background-dense .cut-menu summary")
	tab.ClickWord("sat")
	tab.Eventually(pinShown + ` === '4' && document.querySelector('#background-dense a[data-cut=word]').href.includes('dense.cut=word%3A4') && document.querySelector('#background-dense a.why').hidden`)
	tab.Trigger("#background-dense a[data-cut=word]")
	tab.Eventually(ownCut + ` === 'word:4' && document.querySelectorAll('.cuts li').length === 1 && ` + idle)
}

// TestCutOfWhatIsWritten: without a word of the text the encoder–decoder writes other words, and its card lists
// them. Its page of steps uses the same ablation.
func TestCutOfWhatIsWritten(t *testing.T) {
	tab := browsertest.Open(t)
	const query = "m=encoder-decoder&text=the+old+cat+sat&cut=word:4"
	tab.Visit(browsertest.Server(t).URL + "/?" + query)
	tab.Eventually(`/written word 2\s+cat .*old /.test(document.querySelector('#card-encoder-decoder .cut-change')?.textContent.replace(/\s+/g, ' ')) && document.querySelector('#card-encoder-decoder .cut-panel')?.textContent.includes('The decoder does not attend to a blocked word')`)
	tab.Visit(browsertest.Server(t).URL + "/steps?" + query)
	tab.Eventually(`document.querySelector('main')?.textContent.includes('old')
		&& !document.querySelector('.refusal-text, .failure-detail')`)
}
