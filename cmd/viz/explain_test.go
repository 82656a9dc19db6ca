package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"attnatlas/web/api"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// stepsRight is whether a page of a number computed all its steps again, and found them right.
const stepsRight = `document.querySelectorAll('.explain-step').length > 0 && [...document.querySelectorAll('.explain-step')].every((s) => s.dataset.right === 'true' || ['given', 'unknown'].includes(s.dataset.operation))`

// TestWhyThisNumber: a card asks where the pinned number comes from, the page computes it again, and operands are
// followed with the keyboard down to what was learned.
func TestWhyThisNumber(t *testing.T) {
	ctx := tab(t)
	sized(t, ctx, 1440, 900, "/?m=dense,dot-product&layer=1&head=2")
	eventually(t, ctx, `document.querySelector('#card-dense a.why')?.hidden === true`)
	x, y := centre(t, ctx, "dense", 3, 2)
	must(t, chromedp.Do(ctx, chromedp.MouseClickXY(x, y)))
	eventually(t, ctx, `location.search.includes('pin=') && !document.querySelector('#card-dense a.why').hidden`)
	pin := ask[string](t, ctx, `new URLSearchParams(location.search).get('pin')`)
	said := ask[string](t, ctx, `document.querySelector('#readings [data-mechanism=dense] dd').textContent`)
	must(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS("#card-dense a.why"))))
	eventually(t, ctx, `location.pathname.endsWith('/explain') && document.readyState === 'complete' && `+stepsRight)
	if got := ask[string](t, ctx, `location.search`); !strings.Contains(got, "pin="+pin) || !strings.Contains(got, "head=2") {
		t.Errorf("pinned %s, asked %s", pin, got)
	}
	eventually(t, ctx, fmt.Sprintf(`document.querySelector('h1').textContent.includes(%q)`, strings.Fields(said)[0])) // as the bar did
	becomes(t, ctx, `[...document.querySelectorAll('.explain-step')].map((s) => s.dataset.operation).join(' ')`, "softmax sum")
	visit(t, ctx, pages(t).URL+"/?m=dense,dot-product&layer=1&head=2&pin="+pin)
	eventually(t, ctx, `document.querySelector('#map-dot-product canvas') && !document.getElementById('keys').hidden`)
	must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS("#map-dot-product")), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent("w")))
	eventually(t, ctx, `location.pathname.endsWith('/explain') && location.search.includes('m=dot-product') && `+stepsRight)
	visit(t, ctx, pages(t).URL+"/?m=dense,dot-product&layer=1&head=2&pin="+pin)
	must(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS("#card-dense a.why"))))
	eventually(t, ctx, `location.pathname.endsWith('/explain') && location.search.includes('m=dense') && document.readyState === 'complete' && `+stepsRight)
	for range 3 { // hidden ← its sum ← a weight of it
		before := ask[string](t, ctx, `location.href`)
		must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS(".explain-step:last-of-type [data-role=y] a, .explain-step:last-of-type [data-role=x] a")), chromedp.KeyEvent(kb.Enter)))
		eventually(t, ctx, fmt.Sprintf(`location.href !== %q && location.search.includes('number=') && document.readyState === 'complete' && `, before)+stepsRight)
		if ask[bool](t, ctx, `document.querySelector('.explain-step:last-of-type').dataset.operation === 'given'`) {
			return
		}
	}
	t.Error("three operands do not lead to a parameter")
}

// TestNumbersOfAllMechanisms: the page of a number of every main map computes it again, or says why it cannot.
func TestNumbersOfAllMechanisms(t *testing.T) {
	ctx := tab(t)
	right := 0
	for _, id := range shippedIDs() {
		path := "/explain?m=" + id + "&pin=3.2&text=" + url.QueryEscape("The old cat sat on it.")
		visit(t, ctx, pages(t).URL+path)
		eventually(t, ctx, stepsRight+` || document.querySelector('main').textContent.includes('is not told yet') || document.querySelector('main').textContent.includes('not explained yet')`)
		if ask[bool](t, ctx, stepsRight) {
			right++
		}
	}
	if right < len(shippedIDs())*2/3 {
		t.Errorf("numbers of only %d of %d are explained", right, len(shippedIDs()))
	}
}

// TestExplainWithoutScripts: the page says everything but that it was computed again; data have the same numbers, and
// what is wrong is said.
func TestExplainWithoutScripts(t *testing.T) {
	ctx := tab(t)
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	must(t, err)
	must(t, chromedp.Do(ctx, chromedp.EmulateViewport(390, 844), chromedp.Navigate(pages(t).URL+"/?m=dense&pin=3.5&layer=1")))
	must(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS("#card-dense a.why"))))
	eventually(t, ctx, `location.pathname === '/explain' && document.querySelectorAll('.explain-step rect').length > 100 && !document.getElementById('computed-again').checkVisibility() && document.documentElement.scrollWidth <= 390`)
	var x api.Explain
	const cell = "?m=dense&pin=3.5&layer=1&text=The+cat+sat+on+the+mat."
	_, body := fetch(t, pages(t).URL+"/api/v1/explain"+cell)
	if _, beside := fetch(t, pages(t).URL+"/explain.json"+cell); beside != body {
		t.Errorf("beside the page stands %.200s", beside)
	}
	must(t, json.Unmarshal([]byte(body), &x))
	if len(x.Steps) != 2 || x.Steps[0].Operation != "softmax" || len(x.Steps[0].X[0].Values) != len(x.Tokens) {
		t.Errorf("%+v", x)
	}
	for query, want := range map[string]int{
		"pin=3.5": 200, "pin=99.1": 404, "": 200, "pin=3": 400, "pin=x": 400, "pin=1.2&layer=9": 404, "pin=1.2&map=thing": 404, "number=1.99999999": 404, "number=0.1": 400, "number=1": 400, "number=1.-1": 400,
		"number=9999999.1": 404, "thing=1": 400, "pin=1.2&mask=sideways": 400, "text=": 400, "pin=2.2&text=" + url.QueryEscape(strings.Repeat("word ", 200)): 422,
		"pin=2.2&text=" + url.QueryEscape("<script>alert(1)</script>"): 200,
	} {
		status, page := fetch(t, pages(t).URL+"/explain?m=dense&"+query)
		if status != want || strings.Contains(page, "<script>alert") {
			t.Errorf("%s: %d, not %d", query, status, want)
		}
	}
}

// TestExplainCommand: the numbers of the page, and what is wrong is said.
func TestExplainCommand(t *testing.T) {
	status, out, errs := viz(t, "explain", "--text", "The cat sat on the mat.", "-m", "dense", "--head", "2", "--cell", "3.5")
	var x api.Explain
	_, body := fetch(t, pages(t).URL+"/api/v1/explain?m=dense&layer=1&head=2&pin=3.5&text="+url.QueryEscape("The cat sat on the mat."))
	must(t, json.Unmarshal([]byte(body), &x))
	if want := strconv.FormatFloat(x.Steps[0].X[0].Values[0], 'g', -1, 64); status != 0 || !strings.HasPrefix(out, "weights (head 2, row “cat”, column “on”)\n") || !strings.Contains(out, "scores: "+want+" ") {
		t.Errorf("%d %s\n%s", status, errs, out)
	}
	for flag, value := range map[string]string{"--cell": "3", "--head": "none", "--map": "thing", "--layer": "9"} {
		if status, out, errs := viz(t, "explain", "--text", "The cat sat.", "-m", "dense", flag, value); status != 1 || out != "" || errs == "" {
			t.Errorf("%s %s: %d %s%s", flag, value, status, out, errs)
		}
	}
	if page := bodyOf(t, "/explain?m=random&pin=2.3"); !strings.Contains(page, "It is of layer 1/mixer/R, a parameter of the model") {
		t.Error("the page does not say that a learned number is a parameter")
	}
	if page := bodyOf(t, "/explain?m=bigbird&pin=8.6"); !strings.Contains(page, "row “because”, column “the”") {
		t.Error("the page does not say which number of BigBird's it is")
	}
	if status, out, _ := viz(t, "explain", "--text", "The cat sat.", "-m", "random"); status != 0 || !strings.Contains(out, "exp(") || !strings.Contains(out, "(layer 1/mixer/R)") {
		t.Errorf("%d %s", status, out)
	}
}

// bodyOf is a page.
func bodyOf(t *testing.T, path string) string {
	t.Helper()
	_, body := fetch(t, pages(t).URL+path)
	return body
}
