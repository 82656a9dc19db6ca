package explain_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"attnatlas/web/browsertest"
	"attnatlas/web/explain"
	"attnatlas/web/webtest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestMain(m *testing.M) { browsertest.Main(m) }

// stepsRight checks that a page has recomputed all steps of a number correctly.
const stepsRight = `document.querySelectorAll('.explain-step').length > 0 && [...document.querySelectorAll('.explain-step')].every((s) => s.dataset.right === 'true' || ['given', 'unknown'].includes(s.dataset.operation))`

// TestWhyThisNumber: a card links to the trace of the pinned number. The page recomputes it, and the keyboard follows
// operands down to the learned parameters.
func TestWhyThisNumber(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1440, 900, "/?m=dense,dot-product&layer=1&head=2")
	tab.Eventually(`document.querySelector('#card-dense a.why')?.hidden === true`)
	x, y := tab.Cell("dense", 3, 2)
	tab.Do(chromedp.MouseClickXY(x, y))
	tab.Eventually(`location.search.includes('pin=') && !document.querySelector('#card-dense a.why').hidden`)
	pin := browsertest.Ask[string](tab, `new URLSearchParams(location.search).get('pin')`)
	said := browsertest.Ask[string](tab, `document.querySelector('#readings [data-mechanism=dense] dd').textContent`)
	tab.Do(chromedp.Click(chromedp.CSS("#card-dense a.why")))
	tab.Eventually(`location.pathname.endsWith('/explain') && document.readyState === 'complete' && ` + stepsRight)
	if got := browsertest.Ask[string](tab, `location.search`); !strings.Contains(got, "pin="+pin) ||
		!strings.Contains(got, "head=2") {
		t.Errorf("pinned %s, asked %s", pin, got)
	}
	tab.Eventually(fmt.Sprintf(`document.querySelector('h1').textContent.includes(%q)`,
		strings.Fields(said)[0])) // as in the read-out
	browsertest.Becomes(tab, `[...document.querySelectorAll('.explain-step')].map((s) => s.dataset.operation).join(' ')`,
		"softmax sum")
	tab.Visit(browsertest.Server(t).URL + "/?m=dense,dot-product&layer=1&head=2&pin=" + pin)
	tab.Eventually(`document.querySelector('#map-dot-product canvas') && !document.getElementById('keys').hidden`)
	tab.Do(chromedp.Focus(chromedp.CSS("#map-dot-product")), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent("w"))
	tab.Eventually(`location.pathname.endsWith('/explain') && location.search.includes('m=dot-product') && ` + stepsRight)
	tab.Visit(browsertest.Server(t).URL + "/?m=dense,dot-product&layer=1&head=2&pin=" + pin)
	tab.Do(chromedp.Click(chromedp.CSS("#card-dense a.why")))
	tab.Eventually(`location.pathname.endsWith('/explain') && location.search.includes('m=dense')
		&& document.readyState === 'complete' && ` + stepsRight)
	for range 3 { // hidden ← its sum ← a weight of the sum
		before := browsertest.Ask[string](tab, `location.href`)
		tab.Do(chromedp.Focus(chromedp.CSS(".explain-step:last-of-type [data-role=y] a, .explain-step:last-of-type [data-role=x] a")), chromedp.KeyEvent(kb.Enter))
		tab.Eventually(fmt.Sprintf(`location.href !== %q && location.search.includes('number=')
			&& document.readyState === 'complete' && `, before) + stepsRight)
		if browsertest.Ask[bool](tab, `document.querySelector('.explain-step:last-of-type').dataset.operation === 'given'`) {
			return
		}
	}
	t.Error("three operands do not lead to a parameter")
}

// TestNumbersOfAllMechanisms: for every main map, the page recomputes the number, or says why it cannot.
func TestNumbersOfAllMechanisms(t *testing.T) {
	tab := browsertest.Open(t)
	right := 0
	for _, id := range browsertest.Shipped() {
		path := "/explain?m=" + id + "&pin=3.2&text=" + url.QueryEscape("The old cat sat on it.")
		tab.Visit(browsertest.Server(t).URL + path)
		tab.Eventually(stepsRight + ` || document.querySelector('main').textContent.includes('cannot trace')`)
		if browsertest.Ask[bool](tab, stepsRight) {
			right++
		}
	}
	if right < len(browsertest.Shipped())*2/3 {
		t.Errorf("numbers of only %d of %d are explained", right, len(browsertest.Shipped()))
	}
}

// TestExplainWithoutScripts: without scripts, the page lacks only the result of recomputing. The data have the same
// numbers, and errors are reported.
func TestExplainWithoutScripts(t *testing.T) {
	tab := browsertest.Open(t)
	tab.WithoutScripts()
	tab.Do(chromedp.EmulateViewport(390, 844), chromedp.Navigate(browsertest.Server(t).URL+"/?m=dense&pin=3.5&layer=1"))
	tab.Do(chromedp.Click(chromedp.CSS("#card-dense a.why")))
	tab.Eventually(`location.pathname === '/explain' && document.querySelectorAll('.explain-step rect').length > 100
		&& !document.getElementById('computed-again').checkVisibility() && document.documentElement.scrollWidth <= 390`)
	var x explain.Explain
	const cell = "?m=dense&pin=3.5&layer=1&text=The+cat+sat+on+the+mat."
	_, body := browsertest.Fetch(t, browsertest.Server(t).URL+"/api/v1/explain"+cell)
	if _, beside := browsertest.Fetch(t, browsertest.Server(t).URL+"/explain.json"+cell); beside != body {
		t.Errorf("beside the page stands %.200s", beside)
	}
	browsertest.Must(t, json.Unmarshal([]byte(body), &x))
	if len(x.Steps) != 2 || x.Steps[0].Operation != "softmax" || len(x.Steps[0].X[0].Values) != len(x.Tokens) {
		t.Errorf("%+v", x)
	}
	for query, want := range map[string]int{
		"pin=3.5": 200, "pin=99.1": 404, "": 200, "pin=3": 400, "pin=x": 400, "pin=1.2&layer=9": 404,
		"pin=1.2&map=thing": 404, "number=1.99999999": 404, "number=0.1": 400, "number=1": 400, "number=1.-1": 400,
		"number=9999999.1": 404, "thing=1": 400, "pin=1.2&mask=sideways": 400, "text=": 400, "pin=2.2&text=" +
			url.QueryEscape(strings.Repeat("word ", 200)): 422,
		"pin=2.2&text=" + url.QueryEscape("<script>alert(1)</script>"): 200,
	} {
		status, page := browsertest.Fetch(t, browsertest.Server(t).URL+"/explain?m=dense&"+query)
		if status != want || strings.Contains(page, "<script>alert") {
			t.Errorf("%s: %d, not %d", query, status, want)
		}
	}
}

// TestExplainedNumbersAreNamed: the page names the parameter of a learned number, and the words of a number.
func TestExplainedNumbersAreNamed(t *testing.T) {
	if page := webtest.Shown(t, browsertest.Body(t, "/explain?m=random&pin=2.3")); !strings.Contains(page,
		"This is a number of layer 1/mixer/R, which is stored with the model") {
		t.Error("the page does not say that a learned number is a parameter")
	}
	if page := browsertest.Body(t, "/explain?m=bigbird&pin=8.6"); !strings.Contains(page, "row “because”, column “the”") {
		t.Error("the page does not say which number of BigBird's it is")
	}
}
