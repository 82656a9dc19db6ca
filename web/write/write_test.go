package write_test

import (
	"encoding/json"
	"math"
	"net/url"
	"strings"
	"testing"

	"attnatlas/web/api"
	"attnatlas/web/browsertest"
	"attnatlas/web/write"

	"github.com/chromedp/chromedp"
)

func TestMain(m *testing.M) { browsertest.Main(m) }

const beginning = "Once upon a time there was a little"

// numbers returns the numbers for a query.
func numbers(t *testing.T, query string) (a write.Continue) {
	t.Helper()
	at := browsertest.Server(t).URL + "/write.json?text=" + url.QueryEscape(beginning) + "&" + query
	if status, body := browsertest.Fetch(t, at); status != 200 || json.Unmarshal([]byte(body), &a) != nil {
		t.Fatalf("%s: %d %.300s", query, status, body)
	}
	return a
}

// TestWithoutCache: the probabilities of the most likely words equal those of one pass over the whole text.
func TestWithoutCache(t *testing.T) {
	a := numbers(t, "temperature=0&words=8")
	var whole api.Attend
	at := browsertest.Server(t).URL + "/api/v1/attend?m=gpt2&layer=1&head=1&text=" + url.QueryEscape(beginning+
		" "+a.Written)
	if status, body := browsertest.Fetch(t, at); status != 200 || json.Unmarshal([]byte(body), &whole) != nil {
		t.Fatalf("%d %.300s", status, body)
	}
	if len(a.Steps) < 8 {
		t.Fatalf("%q has %d tokens", a.Written, len(a.Steps))
	}
	for i, step := range a.Steps {
		guess := whole.Mechanisms[0].Predictions[len(a.Tokens)-1+i].Words
		if guess[0].Piece != step.Piece || step.Rank != 1 || math.Abs(guess[0].P-step.P) > 1e-5 || len(step.Top) != 10 {
			t.Errorf("token %d is %s with %g; in one pass it is %s with %g", i+1, step.Piece, step.P, guess[0].Piece, guess[0].P)
		}
		for _, row := range step.Weights {
			sum := 0.0
			for _, v := range row {
				sum += float64(v)
			}
			if math.Abs(sum-1) > 1e-5 || len(row) != len(a.Tokens)+i {
				t.Errorf("token %d: %d weights sum to %g", i+1, len(row), sum)
			}
		}
	}
}

// TestSeedAndChoice: an address always gives the same text, and another seed another text. A chosen token stands
// at its position, after the same words.
func TestSeedAndChoice(t *testing.T) {
	a, again, other := numbers(t, "words=12&seed=4"), numbers(t, "words=12&seed=4"), numbers(t, "words=12&seed=5")
	if a.Written != again.Written || a.Written == other.Written || a.Written == "" {
		t.Errorf("%q, %q, %q", a.Written, again.Written, other.Written)
	}
	if one := numbers(t, "words=3&seed=4"); !strings.HasPrefix(a.Written, one.Written) {
		t.Errorf("of 3 words %q, of 12 %q", one.Written, a.Written)
	}
	taken := numbers(t, "words=12&seed=4&take=2.7")
	if taken.Steps[0].Piece != a.Steps[0].Piece || !taken.Steps[1].Taken || taken.Steps[1].Rank != 7 ||
		taken.Steps[1].Piece != a.Steps[1].Top[6].Piece {
		t.Errorf("%+v", taken.Steps[:2])
	}
	if none := numbers(t, "words=0"); len(none.Steps) != 0 || none.Next == nil || len(none.Next.Top) != 10 ||
		len(none.Next.Weights) == 0 {
		t.Errorf("%+v", none.Next)
	}
}

// TestRefuses: a number out of range is refused with a sentence, on the page and in its numbers.
func TestRefuses(t *testing.T) {
	for query, want := range map[string]struct {
		status int
		says   string
	}{
		"words=513": {400, "from 0 to 512"}, "words=x": {400, "whole number"}, "temperature=5.1": {400, "from 0 to 5"},
		"temperature=-1":  {400, "from 0 to 5"},
		"temperature=NaN": {400, "from 0 to 5"}, "topk=-1": {400, "whole number"}, "seed=-1": {400, "whole number"},
		"take=x":       {400, "must be a list"},
		"take=2.1,1.1": {400, "named in order"}, "take=1.11": {400, "ranks are from 1 to 10"},
		"step=99": {404, "No written token 99"},
		"layer=9": {404, "Layer 9 does not exist"}, "head=9": {404, "Head 9 does not exist"},
		"m=bert":   {422, "does not predict next words"},
		"m=nobody": {404, "nobody"}, "text=": {400, ""}, "text=" + strings.Repeat("and+", 300): {422, "Shorten the text"},
	} {
		for _, path := range []string{"/write?", "/write.json?"} {
			status, body := browsertest.Fetch(t, browsertest.Server(t).URL+path+query)
			if status != want.status || !strings.Contains(body, want.says) {
				t.Errorf("%s%.40s: %d, wanted %d and %q: %.300s", path, query, status, want.status, want.says, body)
			}
		}
	}
	_, page := browsertest.Fetch(t, browsertest.Server(t).URL+"/write?words=2&text="+
		url.QueryEscape(`</textarea><b>x</b> "quoted"`))
	if strings.Contains(page, "<b>x</b>") || !strings.Contains(page, "The model invents") {
		t.Error("the text is not escaped, or the page does not say that the model invents")
	}
}

// pressing runs the actions of a visitor, with or without scripts.
func pressing(t *testing.T, tab *browsertest.Tab) {
	t.Helper()
	const words = `new URLSearchParams(location.search).get('words')`
	const ready = `document.readyState === 'complete' && `
	const text = `[...document.querySelectorAll('.write-word')].map((w) => w.textContent).join(' ')`
	tab.Visit(browsertest.Server(t).URL + "/write?words=6&seed=6&text=" + url.QueryEscape(beginning))
	six := browsertest.Ask[string](tab, text)
	tab.Do(chromedp.Click(chromedp.CSS("#write-back")))
	tab.Eventually(ready + words + ` === '5' && ` + text + ` !== ''`)
	if five := browsertest.Ask[string](tab, text); !strings.HasPrefix(six, five) || five == six {
		t.Errorf("back from %q is %q", six, five)
	}
	tab.Do(chromedp.Click(chromedp.CSS("#write-more")))
	tab.Eventually(ready + words + ` === '6'`)
	browsertest.Becomes(tab, text, six)
	tab.Do(chromedp.Click(chromedp.CSS("#piece-3")))
	tab.Eventually(ready + `location.search.includes('step=3') && document.querySelector('#piece-3[aria-current=true]')
		&& document.querySelectorAll('.write-top li').length === 10`)
	label := browsertest.Ask[string](tab, `document.querySelector('#top-5 .likely-word').textContent`)
	tab.Do(chromedp.Click(chromedp.CSS("#top-5")))
	tab.Eventually(ready + `location.search.includes('take=3.5')`)
	browsertest.Becomes(tab, `document.getElementById('piece-3').textContent`, strings.TrimPrefix(label, "##"))
	tab.Do(chromedp.Click(chromedp.CSS("#head-2")))
	tab.Eventually(ready + `location.search.includes('head=2') && document.querySelector('#head-2[aria-current=true]')`)
}

// TestPressing: back, one more word, a chosen token and a head need one click each.
func TestPressing(t *testing.T) {
	tab := browsertest.Open(t)
	pressing(t, tab)
	tab.Visit(browsertest.Server(t).URL + "/write?words=200&temperature=2&topk=0&seed=2")
	tab.Do(chromedp.Click(chromedp.CSS("#write-form .render")))
	tab.Eventually(`document.querySelector('.write-word.later') && !document.getElementById('write-stop').hidden`)
	tab.Eventually(`document.querySelectorAll('.write-word:not(.later)').length >= 1`)
	tab.Do(chromedp.Click(chromedp.CSS("#write-stop")))
	tab.Eventually(`Number(new URLSearchParams(location.search).get('words')) < 200
		&& !document.querySelector('.write-word.later') && document.getElementById('write-stop').hidden`)
}

// TestPressingWithoutScripts: links and the form do the same.
func TestPressingWithoutScripts(t *testing.T) {
	tab := browsertest.Open(t)
	tab.WithoutScripts()
	tab.Do(chromedp.EmulateViewport(390, 844))
	pressing(t, tab)
	tab.Eventually(`document.documentElement.scrollWidth <= 390`)
}
