package unroll_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"attnatlas/engine/unroll"
	"attnatlas/web/browsertest"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// looking is the id of the selected frame.
const looking = `document.querySelector('.frame[aria-current=step]')?.id`

// TestHashingAnswers: errors are shown, all input is escaped, and one URL has one response.
func TestHashingAnswers(t *testing.T) {
	for query, want := range map[string]int{
		"": 200, "m=reformer&layer=2&head=3&rounds=8&seed=5&round=8&k=16&pin=4": 200, "m=reversible": 200, "mask=causal": 200,
		"cut=word:3": 200, "seed=&rounds=": 200, "text=a+dog": 200, "head=mean": 200,
		"rounds=9": 400, "rounds=0": 400, "rounds=x": 400, "seed=-1": 400, "seed=1e9": 400, "k=99": 400, "thing=1": 400,
		"text=": 400, "layer=x": 400,
		"layer=9": 404, "head=9": 404, "round=3": 404, "pin=99": 404, "m=thing": 404, "m=dense": 422,
		"m=encoder-decoder": 422,
		"text=" + url.QueryEscape(strings.Repeat("word ", 200)): 422, "text=" +
			url.QueryEscape("<script>alert(1)</script>"): 200, "text=%FF%FE": 200,
	} {
		status, page := browsertest.Fetch(t, browsertest.Server(t).URL+"/hashing?"+query)
		if status != want || strings.Contains(page, "<script>alert") || strings.Contains(page, "hashing.") && want == 200 {
			t.Errorf("%s: %d, not %d", query, status, want)
		}
		if _, again := browsertest.Fetch(t, browsertest.Server(t).URL+"/hashing?"+query); want == 200 && again != page {
			t.Errorf("%s: another page for the same address", query)
		}
	}
	if status, _ := browsertest.Fetch(t, browsertest.Server(t).URL+"/api/v1/hashing"); status != 400 {
		t.Errorf("without a text: %d", status)
	}
	var h unroll.Hashing
	_, body := browsertest.Fetch(t, browsertest.Server(t).URL+"/hashing.json?rounds=3&seed=4&k=2")
	browsertest.Must(t, json.Unmarshal([]byte(body), &h))
	if h.Version != 1 || len(h.List) != 3 || h.Seed != 4 || h.Top != 2 || len(h.Words[0]) != 2 || len(h.Recall) != 8 {
		t.Errorf("%d rounds, seed %d, k %d", len(h.List), h.Seed, h.Top)
	}
	for _, id := range []string{"reformer", "reversible"} {
		if !strings.Contains(browsertest.Body(t, "/m/"+id), "../hashing?layer=1&amp;m="+id) {
			t.Errorf("the page of %s does not lead to its hashing", id)
		}
	}
}

// TestHashingByHand: keys move through the frames and the words; a slider and a link redraw without
// leaving the frame.
func TestHashingByHand(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1440, 900, "/hashing?head=2&pin=3")
	key := func(k string) { browsertest.Must(t, chromedp.Do(tab, chromedp.KeyEvent(k))) }
	tab.Eventually(`!document.getElementById('unrolled-go').hidden && ` + looking + ` === 'frame-directions'`)
	key(kb.ArrowRight)
	tab.Eventually(looking + ` === 'frame-buckets' && location.hash === '#frame-buckets'`)
	key("]")
	tab.Eventually(`location.search.includes('pin=4') && document.querySelector('#frame-buckets .chip.marked bdi').textContent === 'sat' && ` + looking + ` === 'frame-buckets'`)
	key(kb.End)
	tab.Eventually(looking + ` === 'frame-recall' && document.querySelector('[data-go="1"]').disabled`)
	tab.Do(chromedp.Click(chromedp.CSS(`#unrolled-links a`)))
	tab.Eventually(`location.search.includes('seed=1') && document.getElementById('hash-seed').value === '1' && ` +
		looking + ` === 'frame-recall'`)
	browsertest.Ask[bool](tab, `(() => { const s = document.getElementById('hash-rounds'); s.value = '6'; s.dispatchEvent(new Event('input', { bubbles: true })); return true; })()`)
	tab.Eventually(`location.search.includes('rounds=6') && location.search.includes('seed=1')
		&& location.search.includes('head=2') && document.querySelectorAll('#unrolled-choices .choices:last-child a').length === 6`)
	key(kb.Home)
	tab.Eventually(looking + ` === 'frame-directions'`)
	tab.Do(chromedp.Click(chromedp.CSS(`#unrolled-play`)))
	tab.Eventually(looking + ` === 'frame-buckets'`)
	tab.Do(chromedp.Click(chromedp.CSS(`#unrolled-play`)))
	tab.Eventually(`document.getElementById('unrolled-play').getAttribute('aria-pressed') === 'false'`)
	browsertest.Ask[bool](tab, `(() => { const s = document.getElementById('unrolled-text'); s.focus(); s.value = 'a dog'; s.dispatchEvent(new Event('input', { bubbles: true })); return true; })()`)
	tab.Eventually(looking + ` === 'frame-whole' && document.querySelectorAll('.through-words .token').length === 4`)
}

// frameShown is the number of visible frames.
const frameShown = `[...document.querySelectorAll('.frame')].filter((s) => s.checkVisibility()).length`

// TestUnrolledOnAPhone: a phone shows one frame at a time, or all of them without scripts, and
// nothing is wider than the screen.
func TestUnrolledOnAPhone(t *testing.T) {
	for _, path := range []string{"/hashing?rounds=3", "/pondering?", "/reversing?"} {
		t.Run(path, func(t *testing.T) {
			tab := browsertest.Open(t)
			tab.Sized(390, 844, path)
			tab.Eventually(frameShown + ` === 1 && document.documentElement.scrollWidth <= 390`)
			browsertest.Ask[bool](tab, `(document.querySelector('[data-go="1"]').click(), true)`)
			tab.Eventually(fmt.Sprintf(`%s === document.querySelectorAll('.frame')[1].id && %s === 1
				&& document.documentElement.scrollWidth <= 390`, looking, frameShown))
			_, err := chromedp.Call(tab, emulation.SetScriptExecutionDisabled,
				emulation.SetScriptExecutionDisabledParams{Value: true})
			browsertest.Must(t, err)
			tab.Do(chromedp.Navigate(browsertest.Server(t).URL + path))
			tab.Eventually(frameShown + ` === document.querySelectorAll('.frame').length
				&& document.getElementById('unrolled-go').hidden && document.documentElement.scrollWidth <= 390`)
			tab.Do(chromedp.Click(chromedp.CSS(`#unrolled-words li:nth-child(4) a`)))
			tab.Eventually(`location.search.includes('pin=4') && document.querySelector('#unrolled-words li:nth-child(4) a').getAttribute('aria-current') === 'true'`)
		})
	}
}

// TestPonderingAnswers: errors are shown, and one URL has one response; the data have the numbers
// of the page.
func TestPonderingAnswers(t *testing.T) {
	for query, want := range map[string]int{
		"": 200, "m=universal&head=3&pin=4": 200, "mask=causal": 200, "cut=word:3": 200, "head=mean": 200, "text=a": 200,
		"text=%FF%FE": 200,
		"thing=1":     400, "text=": 400, "head=x": 400, "rounds=3": 400, "head=9": 404, "pin=99": 404, "m=thing": 404,
		"m=dense": 422, "m=bert": 422,
		"text=" + url.QueryEscape(strings.Repeat("word ", 600)): 422, "text=" +
			url.QueryEscape("<script>alert(1)</script>"): 200,
	} {
		status, page := browsertest.Fetch(t, browsertest.Server(t).URL+"/pondering?"+query)
		if status != want || strings.Contains(page, "<script>alert") || strings.Contains(page, "pondering.") && want == 200 {
			t.Errorf("%s: %d, not %d", query, status, want)
		}
		if _, again := browsertest.Fetch(t, browsertest.Server(t).URL+"/pondering?"+query); want == 200 && again != page {
			t.Errorf("%s: another page for the same address", query)
		}
	}
	if status, _ := browsertest.Fetch(t, browsertest.Server(t).URL+"/api/v1/pondering"); status != 400 {
		t.Errorf("without a text: %d", status)
	}
	var p unroll.Pondering
	_, body := browsertest.Fetch(t, browsertest.Server(t).URL+"/pondering.json")
	browsertest.Must(t, json.Unmarshal([]byte(body), &p))
	page := browsertest.Body(t, "/pondering")
	if p.Version != 1 || len(p.Words) != len(p.Tokens) || strings.Count(page, `id="frame-step-`) != p.Steps ||
		p.Steps < 2 {
		t.Errorf("%d steps, %d words", p.Steps, len(p.Words))
	}
	if !strings.Contains(browsertest.Body(t, "/m/universal"), "../pondering?") {
		t.Error("the page of Universal does not lead to its pondering")
	}
}

// TestPonderingByHand: a click on a word in a step, or Enter, shows its sum there and in the table.
// A word that halted earlier is faint and states its step.
func TestPonderingByHand(t *testing.T) {
	var p unroll.Pondering
	_, body := browsertest.Fetch(t, browsertest.Server(t).URL+"/pondering.json")
	browsertest.Must(t, json.Unmarshal([]byte(body), &p))
	first, last := 0, 0
	for i, w := range p.Words {
		if w.Steps < p.Words[first].Steps {
			first = i
		}
		if w.Steps > p.Words[last].Steps {
			last = i
		}
	}
	step := p.Words[first].Steps + 1 // the first one has halted, the last one continues
	frame := fmt.Sprintf("frame-step-%d", step)
	tab := browsertest.Open(t)
	tab.Sized(1440, 900, "/pondering?pin=2")
	tab.Eventually(`!document.getElementById('unrolled-go').hidden && ` + looking + ` === 'frame-step-1'`)
	for i := 2; i <= step; i++ {
		tab.Do(chromedp.KeyEvent(kb.ArrowRight))
		tab.Eventually(fmt.Sprintf(looking+` === 'frame-step-%d'`, i))
	}
	told := `document.querySelector('#` + frame + ` .frame-told').textContent`
	word := func(i int) string {
		return fmt.Sprintf(`document.querySelector('.through-words a[aria-current=true]').textContent === '%[1]s' && %[2]s.includes('%[1]s') && %[3]s === '%[4]s'`, p.Tokens[i], told, looking, frame)
	}
	tab.Do(chromedp.Click(chromedp.CSS(fmt.Sprintf(`#%s a.chip:nth-child(%d)`, frame, last+1))))
	tab.Eventually(word(last) + ` && !` + told + `.includes('halted in step')
		&& document.querySelector('#frame-sum .frame-told').textContent.includes('` + p.Tokens[last] + `')`)
	tab.Do(chromedp.Focus(chromedp.CSS(fmt.Sprintf(`#%s a.chip:nth-child(%d)`, frame, first+1))),
		chromedp.KeyEvent(kb.Enter))
	tab.Eventually(word(first) + fmt.Sprintf(` && %s.includes('halted in step %d')`, told, step-1))
	tab.Eventually(`document.querySelector('#` + frame +
		` .chip.marked').matches('.faint') && document.querySelector('#frame-sum .frame-told').textContent.includes('sum to 1')`)
}

// TestReversingAnswers: errors are shown, and one URL has one response; the data have the numbers
// of the page.
func TestReversingAnswers(t *testing.T) {
	for query, want := range map[string]int{
		"": 200, "m=reversible&layer=4&pin=4": 200, "mask=causal": 200, "cut=word:3": 200, "text=a": 200, "text=%FF%FE": 200,
		"thing=1": 400, "text=": 400, "layer=x": 400, "layer=5": 404, "pin=99": 404, "m=thing": 404, "m=dense": 422,
		"m=encoder-decoder": 422,
		"text=" + url.QueryEscape(strings.Repeat("word ", 600)): 422, "text=" +
			url.QueryEscape("<script>alert(1)</script>"): 200,
	} {
		status, page := browsertest.Fetch(t, browsertest.Server(t).URL+"/reversing?"+query)
		if status != want || strings.Contains(page, "<script>alert") || strings.Contains(page, "reversing.") && want == 200 {
			t.Errorf("%.40s: %d, not %d", query, status, want)
		}
		if _, again := browsertest.Fetch(t, browsertest.Server(t).URL+"/reversing?"+query); want == 200 && again != page {
			t.Errorf("%.40s: another page for the same address", query)
		}
	}
	var f unroll.Reversing
	_, body := browsertest.Fetch(t, browsertest.Server(t).URL+"/reversing.json?layer=2")
	browsertest.Must(t, json.Unmarshal([]byte(body), &f))
	if f.Version != 1 || f.Layer != 2 || len(f.Stream1) != len(f.Tokens) || len(f.Layers) != 4 {
		t.Errorf("layer %d of %d, %d words", f.Layer, len(f.Layers), len(f.Stream1))
	}
	if !strings.Contains(browsertest.Body(t, "/m/reversible"), "../reversing?") {
		t.Error("the page of the reversible model does not lead to its layers computed back")
	}
}

// TestReversingByHand: another layer is shown without leaving the frame.
func TestReversingByHand(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1440, 900, "/reversing?layer=1")
	tab.Eventually(`!document.getElementById('unrolled-go').hidden && ` + looking + ` === 'frame-errors'`)
	tab.Do(chromedp.KeyEvent(kb.ArrowRight))
	tab.Eventually(looking + ` === 'frame-differences' && document.querySelector('#frame-differences h3').textContent.startsWith('Layer 1')`)
	tab.Do(chromedp.Click(chromedp.CSS(`#unrolled-choices a:nth-of-type(4)`)))
	tab.Eventually(`location.search.includes('layer=4') && document.querySelector('#frame-differences h3').textContent.startsWith('Layer 4') && ` + looking + ` === 'frame-differences'`)
}

// TestUnrolledOnPaper: all frames are printed, with the words next to their maps, and without the
// form.
func TestUnrolledOnPaper(t *testing.T) {
	tab := browsertest.Browse(t, "/pondering?text=The+cat+sat.")
	_, err := chromedp.Call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	browsertest.Must(t, err)
	tab.Eventually(`[...document.querySelectorAll('.frame')].length > 2
		&& [...document.querySelectorAll('.frame')].every((f) => f.checkVisibility())`)
	tab.Eventually(`document.querySelectorAll('.frame .labels').length > 3
		&& [...document.querySelectorAll('.frame .labels')].every((l) => l.checkVisibility())`)
	browsertest.Becomes(tab, `document.getElementById('unrolled-form').checkVisibility()`, false)
}
