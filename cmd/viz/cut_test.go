package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/web/api"
)

const insured = "/?text=what+is+the+capital+gain+on+my+insurance&m=dot-product,dense,fastformer&layer=2"

const (
	cutShown = `(new URL(location.href).searchParams.get('cut') ?? '')`
	ownCut   = `(new URL(location.href).searchParams.get('dense.cut') ?? '')`
	idle     = `!document.getElementById('controls').hasAttribute('aria-busy')`
)

// topicOf is a mechanism's topic of a text, and its probability as pages write it.
func topicOf(t *testing.T, query, id string) (class, p string) {
	t.Helper()
	resp, err := http.Get(pages(t).URL + "/api/v1/attend?map=weights&head=1&" + strings.TrimPrefix(query, "/?"))
	must(t, err)
	defer resp.Body.Close()
	var a api.Attend
	must(t, json.NewDecoder(resp.Body).Decode(&a))
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

// answersOf is what a card says of its answers before and after a cut.
func answersOf(id string) string {
	return fmt.Sprintf(`(document.querySelector('#card-%s .answers li')?.textContent.replace(/\s+/g, ' ') ?? '')`, id)
}

// TestCutWithKeys: keys cut the cell and the word that they stand on out of the card with the focus, and of no
// other; what is cut says so, and is restored.
func TestCutWithKeys(t *testing.T) {
	ctx := browse(t, insured)
	must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS("#map-dense")), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent("x")))
	eventually(t, ctx, ownCut+`.match(/^cell:2\.\d\.3\.2$/) && `+cutShown+` === '' && `+idle)
	eventually(t, ctx, readingOf("dense")+` === 'cut' && `+readingOf("dot-product")+` !== 'cut'`)
	becomes(t, ctx, `document.activeElement.id`, "map-dense")
	must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.End), chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent("X")))
	eventually(t, ctx, ownCut+`.startsWith('word:9,cell:2.') && document.querySelectorAll('.cuts li').length === 2 && `+idle)
	was, wasP := topicOf(t, insured, "dense")
	is, isP := topicOf(t, insured+"&dense.cut="+ask[string](t, ctx, ownCut), "dense")
	if was == is {
		t.Fatalf("the topic remains %s", is)
	}
	eventually(t, ctx, answersOf("dense")+fmt.Sprintf(`.includes(%q) && `, was+" "+wasP)+answersOf("dense")+fmt.Sprintf(`.includes(%q)`, is+" "+isP))
	if got := ask[string](t, ctx, answersOf("dot-product")); got != "" {
		t.Errorf("nothing is cut in dot product, yet it says %q", got)
	}
	must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS("#restore-all")), chromedp.KeyEvent(kb.Enter)))
	eventually(t, ctx, ownCut+` === '' && !document.querySelector('.cuts, .cut-change') && `+idle)
	ask[bool](t, ctx, `history.back() || true`)
	eventually(t, ctx, `document.querySelectorAll('.cuts li').length === 2`)
}

// TestCutWhatIsPinned: the links in the bar follow the pin and cut in all cards; who has no cells says why.
func TestCutWhatIsPinned(t *testing.T) {
	ctx := browse(t, insured)
	eventually(t, ctx, `document.getElementById('cut-word').hidden && document.getElementById('cut-cell').hidden`)
	settled(t, ctx)
	clickWord(t, ctx, "insurance")
	eventually(t, ctx, `!document.getElementById('cut-word').hidden && document.getElementById('cut-cell').hidden`)
	ask[bool](t, ctx, `document.getElementById('cut-word').click() || true`)
	eventually(t, ctx, cutShown+` === 'word:9' && document.querySelectorAll('.cut-change').length === 3 && document.querySelector('.token.cut').dataset.label === 'insurance' && `+idle)
	x, y := centre(t, ctx, "dense", 3, 4)
	must(t, chromedp.Do(ctx, chromedp.MouseClickXY(x, y)))
	eventually(t, ctx, pinShown+` === '4.5' && !document.getElementById('cut-cell').hidden`)
	ask[bool](t, ctx, `document.getElementById('cut-cell').click() || true`)
	eventually(t, ctx, cutShown+` === 'word:9,cell:4.5' && document.querySelector('#card-fastformer .refusal-text').textContent.includes('never forms pairs') && !document.querySelector('#card-dense .refusal-text') && `+idle)
	ask[bool](t, ctx, `[...document.querySelectorAll('.restore')].at(-1).click() || true`)
	eventually(t, ctx, cutShown+` === 'word:9' && !document.querySelector('.refusal-text') && `+idle)
	ask[bool](t, ctx, `(document.querySelector('#card-dense .cut-menu').open = true, document.querySelector('#card-dense .cut-menu a[data-cut=head]')).click() || true`)
	eventually(t, ctx, ownCut+`.match(/^head:2\.\d$/) && document.querySelectorAll('.cut-of').length === 1 && `+idle)
}

// TestCutWithoutScripts: links cut and restore; maps are pictures.
func TestCutWithoutScripts(t *testing.T) {
	ctx := tab(t)
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	must(t, err)
	must(t, chromedp.Do(ctx, chromedp.Navigate(pages(t).URL+insured+"&pin=4.5")))
	follow := func(selector string) {
		eventually(t, ctx, fmt.Sprintf(`document.readyState === 'complete' && document.querySelector(%q)?.checkVisibility()`, selector))
		at := ask[[]float64](t, ctx, fmt.Sprintf(`(() => { const a = document.querySelector(%q); a.scrollIntoView({ block: 'center' }); const b = a.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`, selector))
		must(t, chromedp.Do(ctx, chromedp.MouseClickXY(at[0], at[1])))
	}
	follow("#cut-word")
	eventually(t, ctx, cutShown+` === 'word:5' && `+pairText+` === 'the4 reads capital5' && [...document.querySelectorAll('.map img')].every((i) => i.complete && i.naturalWidth > 0) && `+answersOf("dense")+` !== ''`)
	follow("#card-dense .cut-menu summary")
	follow("#card-dense .cut-menu a[data-cut=cell]")
	eventually(t, ctx, cutShown+` === 'word:5' && `+ownCut+`.match(/^cell:2\.\d\.4\.5$/)`)
	follow(".restore")
	eventually(t, ctx, cutShown+` === '' && document.querySelectorAll('.cuts li').length === 1`)
	follow("#restore-all")
	eventually(t, ctx, `!document.querySelector('.cuts')`)
}

// TestCutOnAPhone: the line, the links and the menu fit a narrow window and can be hit with a finger.
func TestCutOnAPhone(t *testing.T) {
	ctx := tab(t)
	must(t, chromedp.Do(ctx, chromedp.EmulateViewport(360, 740)))
	visit(t, ctx, pages(t).URL+insured+"&pin=4.5&cut=word:9,cell:2.3&dense.cut=head:1.2")
	settled(t, ctx)
	becomes(t, ctx, `(() => { // what is too small or outside
		const small = [...document.querySelectorAll('.restore, #restore-all, #cut-cell, #cut-word, .cut-menu summary')].filter((e) => e.offsetHeight && (e.offsetHeight < 24 || e.offsetWidth < 24));
		const out = [...document.querySelectorAll('.cuts *, .readout *, #card-dot-product .cut-change *')].filter((e) => e.getBoundingClientRect().right > 361 && !e.closest('.readings-frame'));
		return [...small, ...out].map((e) => e.className || e.id).join(' ') + (document.documentElement.scrollWidth > 360 ? ' wide' : '');
	})()`, "")
}

// TestCutOfAWordThatGoes: a text that is made shorter than what was cut of it says so, goes on without that cut, and the next
// text has no complaint.
func TestCutOfAWordThatGoes(t *testing.T) {
	ctx := browse(t, insured+"&cut=word:9,word:2")
	says := `(document.querySelector('#problem .message')?.textContent ?? '')`
	eventually(t, ctx, says+` === '' && document.querySelectorAll('.cuts li').length === 2`)
	write := func(text string) {
		ask[bool](t, ctx, fmt.Sprintf(`(document.getElementById('c-text').value = %q, document.getElementById('controls').requestSubmit(), true)`, text))
	}
	write("what is the capital")
	eventually(t, ctx, says+` === 'word:9 cannot be ablated: the text has 6 tokens, and no word 9.' && `+cutShown+` === 'word:2' && document.querySelectorAll('.cuts li').length === 1 && `+idle)
	write("what is the capital gain")
	eventually(t, ctx, says+` === '' && `+cutShown+` === 'word:2' && document.querySelectorAll('.cuts li').length === 1 && `+idle)
}

// TestCutFlag: the command line cuts what the server cuts, and says what is wrong.
func TestCutFlag(t *testing.T) {
	_, whole, _ := viz(t, "attend", "--text", "The food was not good.", "-m", "dense")
	status, cut, errs := viz(t, "attend", "--text", "The food was not good.", "-m", "dense", "--cut", "word:5,head:1.2")
	if status != 0 || !strings.Contains(whole, "negative 0.99") || !strings.Contains(cut, "positive 0.9") {
		t.Errorf("%d %s\n%s\n%s", status, errs, whole, cut)
	}
	if status, _, errs := viz(t, "attend", "--text", "a", "-m", "dense", "--cut", "tooth:1"); status == 0 || !strings.Contains(errs, `"tooth:1" in cut is no cut`) {
		t.Errorf("%d %s", status, errs)
	}
}

// TestCutOnAWall: of many cards, what can be cut out of one is with all else that is said of it, and follows the pin.
func TestCutOnAWall(t *testing.T) {
	all, _, _ := strings.Cut(benchAddress(everyCard(), 19, 1), "&text=")
	ctx := browse(t, all+"&text=The+cat+sat.&pin=3.2")
	ask[bool](t, ctx, `document.querySelector('#background-dense summary').click() || true`)
	eventually(t, ctx, `document.querySelector('#background-dense .cut-menu')`)
	ask[bool](t, ctx, `document.querySelector('#background-dense .cut-menu summary').click() || true`)
	clickWord(t, ctx, "sat")
	eventually(t, ctx, pinShown+` === '4' && document.querySelector('#background-dense a[data-cut=word]').href.includes('dense.cut=word%3A4') && document.querySelector('#background-dense a.why').hidden`)
	ask[bool](t, ctx, `document.querySelector('#background-dense a[data-cut=word]').click() || true`)
	eventually(t, ctx, ownCut+` === 'word:4' && document.querySelectorAll('.cuts li').length === 1 && `+idle)
}

// TestCutOfWhatIsWritten: without a word of the text the encoder–decoder writes others, and its card says which; its page
// of steps does without it, too.
func TestCutOfWhatIsWritten(t *testing.T) {
	ctx := tab(t)
	const query = "m=encoder-decoder&text=the+old+cat+sat&cut=word:4"
	visit(t, ctx, pages(t).URL+"/?"+query)
	eventually(t, ctx, `/written word 2\s+cat .*old /.test(document.querySelector('#card-encoder-decoder .cut-change')?.textContent.replace(/\s+/g, ' ')) && document.querySelector('#card-encoder-decoder .cut-panel')?.textContent.includes('not read by the decoder')`)
	visit(t, ctx, pages(t).URL+"/steps?"+query)
	eventually(t, ctx, `document.querySelector('main')?.textContent.includes('old') && !document.querySelector('.refusal-text, .failure-detail')`)
}

// TestCutOnThePageOfWriting: the encoder–decoder's page writes without the word, says which words that changes, keeps the cut when
// another text is sent, restores it, and refuses a head that there is not; so do the API and the command.
func TestCutOnThePageOfWriting(t *testing.T) {
	const query = "?text=the+old+cat+sat&cut="
	ctx := browse(t, "/m/encoder-decoder"+query+"word:4")
	eventually(t, ctx, `/it writes “sat cat old the”; now “sat old the”.*written word 2\s+cat .*old /.test(document.querySelector('#written .cut-change')?.textContent.replace(/\s+/g, ' '))`)
	eventually(t, ctx, `[...document.querySelectorAll('a.step')].map((one) => one.textContent).join(' ') === 'sat old the [SEP]' && document.querySelector('input[name=cut]').value === 'word:4'`)
	eventually(t, ctx, `[...document.querySelectorAll('#training img')].length > 0 && [...document.querySelectorAll('#training img')].every((one) => one.naturalWidth > 0)`)
	must(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS("#restore-all"))))
	eventually(t, ctx, `!location.search.includes('cut') && document.querySelectorAll('a.step').length === 5 && !document.querySelector('.cut-change')`)
	visit(t, ctx, pages(t).URL+"/m/encoder-decoder"+query+"head:9.1")
	eventually(t, ctx, `document.querySelector('#written .message').textContent.includes('has 2 layers, and no layer 9') && document.querySelector('.restore')`)
	visit(t, ctx, pages(t).URL+"/m/encoder-decoder"+query+"word:4,cell:2.30")
	eventually(t, ctx, `document.querySelector('#written .message')?.textContent === 'cell:2.30 cannot be ablated: the text has 6 tokens, and no word 30.' && document.querySelectorAll('.cuts li').length === 1`)
	status, out, errs := viz(t, "write", "--text", "the old cat sat", "--cut", "word:4")
	if status != 0 || !strings.Contains(out, "written: sat old the\nwithout the cut: sat cat old the\n") {
		t.Errorf("%d %s %s", status, out, errs)
	}
	if status, _, errs = viz(t, "write", "--text", "the old cat sat", "--cut", "head:9.1"); status == 0 || !strings.Contains(errs, "no layer 9") {
		t.Errorf("%d %s", status, errs)
	}
	var a api.Write
	_, body := asking(t, strings.TrimPrefix(pages(t).URL, "http://"), "/api/v1/write"+query+"word:4")
	must(t, json.Unmarshal(body, &a))
	if a.Written != "sat old the" || a.Whole == nil || *a.Whole != "sat cat old the" || !slices.Equal(a.Changed, []int{2, 3, 4}) || !slices.Equal(a.Cut, []string{"word:4"}) {
		t.Errorf("%+v", a)
	}
}
