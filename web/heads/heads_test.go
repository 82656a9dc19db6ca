package heads_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"attnatlas/web/browsertest"
	"attnatlas/web/heads"
)

func TestMain(m *testing.M) { browsertest.Main(m) }

// ask returns the numbers for a query.
func ask(t *testing.T, query string) (a heads.Heads) {
	t.Helper()
	status, body := browsertest.Fetch(t, browsertest.Server(t).URL+"/api/v1/heads?"+query)
	if err := json.Unmarshal([]byte(body), &a); status != 200 || err != nil {
		t.Fatalf("%s: %d %v %.300s", query, status, err, body)
	}
	return a
}

// TestHeads: all heads are listed in the requested order, with a link to the map of each.
func TestHeads(t *testing.T) {
	const text = "text=the+cat+sat+on+the+mat"
	usual := ask(t, text+"&m=dense")
	if len(usual.Heads) != 8 || usual.Heads[0].Layer != 1 || usual.Heads[7].Layer != 2 || usual.Heads[7].Head != 4 ||
		usual.Heads[0].Dependence == nil || len(usual.Pairs) != 0 {
		t.Errorf("%+v", usual)
	}
	for order, sign := range map[string]float64{"sort=entropy": -1, "sort=-entropy": 1} {
		sorted := ask(t, text+"&m=dense&"+order)
		if len(sorted.Heads) != 8 || !slices.IsSortedFunc(sorted.Heads, func(a, b heads.Head) int {
			return int(1e6 * sign * (a.Entropy - b.Entropy))
		}) {
			t.Errorf("%s: %+v", order, sorted.Heads)
		}
	}
	status, page := browsertest.Fetch(t, browsertest.Server(t).URL+"/heads?m=dense&sort=entropy&with=dot-product&"+text)
	if status != 200 || !strings.Contains(page, `aria-sort="descending"`) || strings.Count(page, "aria-sort") != 1 ||
		!strings.Contains(page, "sort=-entropy") || !strings.Contains(page, "Layer 2, head 4") ||
		!strings.Contains(page, "head=4&amp;layer=2&amp;m=dense") ||
		!strings.Contains(page, "a=dense%3A1%3A1&amp;b=dot-product%3A") {
		t.Errorf("%d %.9000s", status, page)
	}
}

// TestPairs: the pairs of heads of two models, by similarity. For one model, each pair is listed once.
func TestPairs(t *testing.T) {
	const text = "text=the+cat+sat&m=random&with="
	similar, different := ask(t, text+"dot-product"), ask(t, text+"dot-product&pairs=different")
	slices.Reverse(different.Pairs)
	rising := func(a, b heads.HeadPair) int { return int(1e6 * (a.Distance - b.Distance)) }
	if len(similar.Pairs) != 64 || !slices.IsSortedFunc(similar.Pairs, rising) ||
		!slices.IsSortedFunc(different.Pairs, rising) {
		t.Errorf("%+v", similar.Pairs)
	}
	if own := ask(t, text+"random"); len(own.Pairs) != 28 || own.Pairs[0].A == own.Pairs[0].B {
		t.Errorf("%+v", own.Pairs)
	}
}

// TestPageWithoutHeads: for a model without heads, the page has the reason and the form.
func TestPageWithoutHeads(t *testing.T) {
	for query, want := range map[string]int{"": 200, "m=shuffle-exchange": 422, "m=dense&with=shuffle-exchange": 422, "m=none": 404,
		"m=dense&with=none": 404, "m=dense&with=%3Cb%3E": 404, "sort=size": 400} {
		status, page := browsertest.Fetch(t, browsertest.Server(t).URL+"/heads?text=the+cat&"+query)
		if status != want || strings.Contains(page, "<b>") || query != "m=none" && query != "sort=size" &&
			!strings.Contains(page, `name="with"`) {
			t.Errorf("%s: %d, wanted %d: %.300s", query, status, want, page)
		}
	}
}
