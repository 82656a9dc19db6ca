package mechanism_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"attnatlas/web/browsertest"
	"attnatlas/web/mechanism"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestStepsFollowTheHand: steps are selected by click, keys and slider, without loading. Maps show the numbers of the
// API under the pointer, and typing writes a new text.
func TestStepsFollowTheHand(t *testing.T) {
	server := browsertest.ServeFolder(t, browsertest.Folder(t, "encoder-decoder"))
	tab := browsertest.Open(t)
	tab.Visit(server + "/m/encoder-decoder?text=the+cat+sat&layer=1&head=2&theme=light")
	tab.Eventually(`document.documentElement.dataset.ready === 'true'`)
	tab.Eventually(`document.querySelectorAll('.writing-map canvas.under').length === 4`)
	now := func(step int) string {
		return fmt.Sprintf(`document.querySelector('.step[aria-current=step]').dataset.step === '%d' &&
			[...document.querySelectorAll('.step-panel')].every((p) => p.hidden !== (p.id === 'step-%d')) &&
			[...document.querySelectorAll('.marked rect')].length === 4 && [...document.querySelectorAll('.marked rect')].every((r) => r.getAttribute('y') === '%d')`, step, step, step-1)
	}
	tab.Eventually(now(1))
	browsertest.Ask[bool](tab, `document.querySelector('.step[data-step="3"]').click() || true`)
	tab.Eventually(now(3) + ` && location.search.includes('step=3')`)
	tab.Do(chromedp.Focus(chromedp.CSS(`.step[data-step="3"]`)), chromedp.KeyEvent(kb.ArrowRight),
		chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowLeft))
	tab.Eventually(now(4) + ` && document.activeElement.dataset.step === '4' && location.search.includes('step=4')`)
	browsertest.Ask[bool](tab, `(() => { const s = document.querySelector('#slider input'); s.value = 2; s.dispatchEvent(new Event('input', { bubbles: true })); return true; })()`)
	tab.Eventually(now(2))
	browsertest.Ask[bool](tab, `(() => { const a = document.querySelectorAll('.thumb')[6]; a.focus(); a.click(); return true; })()`)
	tab.Eventually(now(2) + ` && location.search.includes('head=1')
		&& document.querySelectorAll('.thumb')[6].getAttribute('aria-current') === 'true' && document.activeElement === document.querySelectorAll('.thumb')[6]`)
	browsertest.Ask[bool](tab, `document.querySelectorAll('.thumb')[2].click() || true`)
	tab.Eventually(now(2) + ` && location.search.includes('layer=1') && location.search.includes('head=2')
		&& document.querySelectorAll('.writing-map canvas.under').length === 4`)
	var answer struct {
		Steps []struct{ Label string }
		Maps  []struct {
			Of     string
			Shape  []int
			Values []float64
		}
	}
	_, body := browsertest.Fetch(t, server+"/api/v1/write?text=the+cat+sat&layer=1&head=2&map=cross")
	browsertest.Must(t, json.Unmarshal([]byte(body), &answer))
	tab.Settled()
	at := browsertest.Ask[[]float64](tab, `(() => { let b = document.querySelector('#view-encoder-decoder-cross .sheet'); b.scrollIntoView({ block: 'center' }); b = b.getBoundingClientRect(); return [b.left + 2.5 * b.width / 5, b.top + 1.5 * b.height / `+fmt.Sprint(len(answer.Steps))+`]; })()`)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1]))
	tab.Eventually(fmt.Sprintf(`document.querySelector('#view-encoder-decoder-cross .view-read').textContent.includes(%q) && document.querySelector('#view-encoder-decoder-cross .view-read b')`, answer.Steps[1].Label+" → cat: "))
	got := browsertest.Ask[string](tab, `document.querySelector('#view-encoder-decoder-cross .view-read').textContent + '|' + document.querySelector('#view-encoder-decoder-cross .view-read b').title`)
	var value float64
	before, title, _ := strings.Cut(got, "|")
	fmt.Sscan(title, &value)
	if want := answer.Maps[0].Values[5+2]; value != want || !strings.Contains(before, answer.Steps[1].Label+" → cat: ") {
		t.Errorf("the map reads %q, the value is %v", got, want)
	}
	browsertest.Ask[bool](tab, `(() => { const box = document.getElementById('c-text'); box.focus(); box.setSelectionRange(11, 11); return true; })()`)
	tab.Do(chromedp.SendKeys(chromedp.CSS("#c-text"), " down"))
	tab.Eventually(`document.querySelectorAll('.source .token').length === 6
		&& new URL(location.href).searchParams.get('text') === 'the cat sat down'`)
	tab.Eventually(`document.querySelectorAll('.writing-map canvas.under').length === 4 && ` + now(1))
	tab.Back(1)
	tab.Eventually(`document.querySelectorAll('.source .token').length === 5
		&& document.getElementById('c-text').value === 'the cat sat'`)
}

// TestTaskOfWriting: the page offers the tasks that the model has learned. The selected task is in the address, and
// the whole page belongs to it.
func TestTaskOfWriting(t *testing.T) {
	tab := browsertest.Browse(t, "/m/encoder-decoder?text=the+cat+sat+on+a+mat&theme=light")
	written := `[...document.querySelectorAll('#steps a')].map((a) => a.textContent).join(' ')`
	tab.Eventually(written + ` === 'mat a on sat cat the [SEP]' && document.documentElement.dataset.ready === 'true'`)
	browsertest.Ask[bool](tab, `(() => { const s = document.querySelector('select[name=task]'); s.value = 'sort'; s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`)
	tab.Eventually(written + ` === 'a cat mat on sat the [SEP]' && location.search.includes('task=sort') && document.querySelector('select[name=task]').value === 'sort' &&
		document.body.textContent.includes('Write the words in sorted order') && document.body.textContent.includes('Right: these are the words of the text, sorted')`)
	links := browsertest.Ask[[]string](tab, `[...document.querySelectorAll('#steps a, .generation-step a[href*="steps?"], a[href*="/api/v1/write"], .thumb')].map((a) => a.getAttribute('href'))`)
	for _, link := range links {
		if !strings.Contains(link, "task=sort") {
			t.Errorf("%s has lost the task", link)
		}
	}
	if len(links) < 10 {
		t.Errorf("%d links", len(links))
	}
}

// TestCutOnThePageOfWriting: the encoder–decoder's page writes without the blocked word, lists the changed words,
// undoes the ablation, and refuses a head that does not exist. The API does the same.
func TestCutOnThePageOfWriting(t *testing.T) {
	const query = "?text=the+old+cat+sat&cut="
	tab := browsertest.Browse(t, "/m/encoder-decoder"+query+"word:4")
	tab.Eventually(`/the model writes “sat cat old the”; now “sat old the”.*written word 2\s+cat .*old /.test(document.querySelector('#written .cut-change')?.textContent.replace(/\s+/g, ' '))`)
	tab.Eventually(`[...document.querySelectorAll('a.step')].map((one) => one.textContent).join(' ') === 'sat old the [SEP]' && document.querySelector('input[name=cut]').value === 'word:4'`)
	tab.Eventually(`[...document.querySelectorAll('#training img')].length > 0
		&& [...document.querySelectorAll('#training img')].every((one) => one.naturalWidth > 0)`)
	tab.Do(chromedp.Click(chromedp.CSS("#restore-all")))
	tab.Eventually(`!location.search.includes('cut') && document.querySelectorAll('a.step').length === 5
		&& !document.querySelector('.cut-change')`)
	tab.Visit(browsertest.Server(t).URL + "/m/encoder-decoder" + query + "head:9.1")
	tab.Eventually(`document.querySelector('#written .message').textContent.includes('has 2 layers, and no layer 9')
		&& document.querySelector('.restore')`)
	tab.Visit(browsertest.Server(t).URL + "/m/encoder-decoder" + query + "word:4,cell:2.30")
	tab.Eventually(`document.querySelector('#written .message')?.textContent === 'cell:2.30 cannot be ablated: the text has 6 tokens, and no word 30.' && document.querySelectorAll('.cuts li').length === 1`)
	var a mechanism.Write
	browsertest.Must(t, json.Unmarshal([]byte(browsertest.Body(t, "/api/v1/write"+query+"word:4")), &a))
	if a.Written != "sat old the" || a.Whole == nil || *a.Whole != "sat cat old the" ||
		!slices.Equal(a.Changed, []int{2, 3, 4}) || !slices.Equal(a.Cut, []string{"word:4"}) {
		t.Errorf("%+v", a)
	}
}
