package desk_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/browsertest"
	"attnatlas/web/desk"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestMain(m *testing.M) { browsertest.Main(m) }

// deskData returns the numbers of the playground.
func deskData(t *testing.T, query string) (d desk.Desk) {
	t.Helper()
	status, body := browsertest.Fetch(t, browsertest.Server(t).URL+"/desk.json?"+query)
	if status != 200 {
		t.Fatalf("%s: %d %.300s", query, status, body)
	}
	browsertest.Must(t, json.Unmarshal([]byte(body), &d))
	return d
}

// attendMap returns the attention weights on /m for a mechanism, layer and head.
func attendMap(t *testing.T, id string, layer, head int) api.Values {
	t.Helper()
	_, body := browsertest.Fetch(t, fmt.Sprintf("%s/m/%s.json?layer=%d&head=%d&map=weights", browsertest.Server(t).URL, id,
		layer, head))
	var a api.Attend
	browsertest.Must(t, json.Unmarshal([]byte(body), &a))
	return a.Mechanisms[0].Layers[0].Maps[0].Values
}

func sameValues(a, b api.Values) bool {
	if len(a) != len(b) || len(a) == 0 {
		return false
	}
	for i := range a {
		if math.Float32bits(float32(a[i])) != math.Float32bits(float32(b[i])) {
			return false
		}
	}
	return true
}

// TestDeskOfMixtures: learned mixing weights give the map of the mechanism's page, bit-identical;
// others do not. The sentences have the numbers of the data.
func TestDeskOfMixtures(t *testing.T) {
	for _, id := range []string{"mixture-rv", "mixture-rd", "mixture-dv", "mixture-rdv"} {
		d := deskData(t, "m="+id+"&layer=2&head=3")
		shown := attendMap(t, id, 2, 3)
		if !sameValues(d.Learned.Map.Values, shown) || !sameValues(d.Changed.Map.Values, shown) {
			t.Errorf("%s: not the map of its page", id)
		}
		query := "m=" + id + "&layer=2&head=3"
		for i, part := range d.Parts { // as the form sends unchanged values
			query += fmt.Sprintf("&share.2.%s=%v", part, d.Learned.Shares[1][i])
		}
		if again := deskData(t, query); !sameValues(again.Changed.Map.Values, shown) || again.Changed.Loss != d.Learned.Loss {
			t.Errorf("%s: the learned shares, written out, give another map", id)
		}
		other := deskData(t, fmt.Sprintf("m=%s&layer=2&head=3&share.2.%s=1", id, d.Parts[0])+missing(d.Parts))
		if sameValues(other.Changed.Map.Values, shown) || other.Changed.Loss == d.Learned.Loss ||
			other.Changed.Shares[1][0] != 1 || other.Learned.Loss != d.Learned.Loss {
			t.Errorf("%s: %+v", id, other.Changed.Shares)
		}
		nats := 0.0
		for _, w := range other.Words {
			nats -= math.Log(w.Changed.Truth)
		}
		if mean := nats / float64(other.Pieces); other.Pieces != len(other.Words) ||
			math.Abs(mean-other.Changed.Loss) > 1e-6 {
			t.Errorf("%s: %v nats, of the words %v", id, other.Changed.Loss, mean)
		}
	}
}

// missing returns mixing weights of 0 for all components except the first and the last.
func missing(parts []string) (query string) {
	for _, part := range parts[1 : len(parts)-1] {
		query += "&share.2." + part + "=0"
	}
	return query
}

// TestDeskRefused: errors are shown, and all input is escaped.
func TestDeskRefused(t *testing.T) {
	for query, want := range map[string]int{
		"": 200, "m=mixture-rdv&pin=3": 200, "m=mixture-rv,dense": 200, "m=mixture-rv&mask=causal": 200,
		"m=mixture-rv&cut=word:3":                                 200,
		"m=mixture-rv&text=" + url.QueryEscape("The [MASK] sat."): 200, "m=mixture-rv&text=" + url.QueryEscape("[MASK]"): 200,
		"m=mixture-rv&share.1.random=0.3":                          200,
		"m=mixture-rv&share.1.random=1.3":                          400,
		"m=mixture-rv&share.1.random=-0.3&share.1.dot-product=1.3": 400,
		"m=mixture-rv&share.1.random=0.3&share.1.dot-product=0.3":  400,
		"m=mixture-rv&share.1.random=NaN":                          400,
		"m=mixture-rv&share.1.random=NaN&share.1.dot-product=0.3":  400,
		"m=mixture-rv&share.1.random=Inf":                          400,
		"m=mixture-rv&share.1.random=half":                         400,
		"m=mixture-rv&share.1.random=0.3&share.1.random=0.4":       400,
		"m=mixture-rdv&share.1.random=0.3":                         400,
		"m=mixture-rv&share.1.dense=0.3":                           400,
		"m=mixture-rv&share.0.random=0.3":                          400,
		"m=mixture-rv&share.9.random=0.3":                          404,
		"m=mixture-rv&layer=9":                                     404,
		"m=mixture-rv&pin=99":                                      404,
		"m=dense":                                                  422,
		"m=bert":                                                   422,
		"m=thing":                                                  404,
		"m=mixture-rv&thing=1":                                     400,
		"m=mixture-rv&text=":                                       400,
		"m=mixture-rv&text=" + strings.Repeat("word+", 200):        422,
		"m=mixture-rv&share.1." + url.QueryEscape("<script>alert(1)</script>") + "=1": 400,
		"m=mixture-rv&share.1.random=" + url.QueryEscape("<script>alert(1)</script>"): 400,
		"m=mixture-rv&text=" + url.QueryEscape("<script>alert(1)</script>"):           200,
	} {
		status, page := browsertest.Fetch(t, browsertest.Server(t).URL+"/desk?"+query)
		if status != want || strings.Contains(page, "<script>alert") || strings.Contains(page, "desk.") &&
			strings.Contains(page, ">desk.") {
			t.Errorf("%s: %d, not %d", query, status, want)
		}
		text := "&text=" + url.QueryEscape(address.DefaultText)
		if strings.Contains(query, "text=") {
			text = ""
		}
		if data, body := browsertest.Fetch(t, browsertest.Server(t).URL+"/api/v1/desk?"+query+text); data != want &&
			query != "m=mixture-rv&pin=99" {
			t.Errorf("%s as data: %d, not %d: %.200s", query, data, want, body)
		}
	}
	if status, _ := browsertest.Fetch(t, browsertest.Server(t).URL+"/api/v1/desk?m=mixture-rv"); status != 400 {
		t.Errorf("without a text: %d", status)
	}
	page := browsertest.Body(t, "/desk?m=mixture-rdv&pin=4&share.2.random=0.25&share.2.dense=0.25")
	if again := browsertest.Body(t, "/desk?m=mixture-rdv&pin=4&share.2.random=0.25&share.2.dense=0.25"); page != again {
		t.Error("another page for the same address")
	}
}

// TestDeskByHand: moving a slider adjusts the others, and map, loss and predictions follow; the URL
// stores it.
func TestDeskByHand(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1440, 900, "/desk?m=mixture-rdv&head=1&pin=7")
	const picture = `document.querySelectorAll('#desk-maps img')[1].src`
	tab.Eventually(`document.readyState === 'complete' && document.querySelectorAll('#desk-maps img').length === 2
		&& document.querySelectorAll('#desk-maps img')[0].src === ` + picture)
	tab.Do(chromedp.Focus(chromedp.CSS("#desk-random")), chromedp.KeyEvent(kb.Home))
	tab.Eventually(`/share\.1\.random=0(&|$)/.test(location.search)
		&& document.getElementById('desk-says').textContent.includes('as learned') && document.querySelectorAll('#desk-maps img')[0].src !== ` + picture)
	tab.Eventually(`Math.abs(Number(document.getElementById('desk-dense').value) + Number(document.getElementById('desk-dot-product').value) - 1) < 1e-9`)
	tab.Eventually(`document.querySelector('#desk-table tr.chosen td:last-child').textContent.trim().startsWith('0.000 · ') && document.activeElement.id === 'desk-random' && document.getElementById('desk-reset')`)
	tab.Eventually(`document.querySelectorAll('#desk-guesses .prediction').length === 2`)
	tab.Follow(`#desk-choices nav:first-child a:last-child`)
	tab.Eventually(`location.search.includes('layer=2') && /share\.1\.random=0(&|$)/.test(location.search)
		&& document.getElementById('desk-random').name === 'share.2.random'`)
	tab.Follow(`#desk-reset`)
	tab.Eventually(`!location.search.includes('share') && location.search.includes('pin=7')
		&& !document.getElementById('desk-reset')`)
}

// TestDeskOfRanks: without a rank the map is that of the mechanism's page, bit-identical, and with
// the full rank nearly so. With a lower rank the page and the data have the same loss.
func TestDeskOfRanks(t *testing.T) {
	for id, most := range map[string]int{"random": 19, "fixed-random": 19, "factorized-random": 8} {
		query, shown := "m="+id+"&layer=1&head=2", attendMap(t, id, 1, 2)
		d, whole, part := deskData(t, query), deskData(t, fmt.Sprintf("%s&rank=%d", query, most)), deskData(t,
			query+"&rank=2")
		if !sameValues(d.Changed.Map.Values, shown) || len(d.Singular) != most || d.Rank != 0 || part.Rank != 2 {
			t.Errorf("%s: not the map of its page; %d singular values", id, len(d.Singular))
		}
		for i, v := range whole.Changed.Map.Values {
			if math.Abs(float64(v-shown[i])) > 1e-5 {
				t.Fatalf("%s: cell %d of full rank is %v, not %v", id, i, v, shown[i])
			}
		}
		if math.Abs(whole.Changed.Loss-d.Learned.Loss) > 1e-4 || math.Abs(part.Changed.Loss-d.Learned.Loss) < 1e-3 {
			t.Errorf("%s: loss %v, of full rank %v, of rank 2 %v", id, d.Learned.Loss, whole.Changed.Loss, part.Changed.Loss)
		}
		if page := browsertest.Body(t, "/desk?"+query+"&rank=2"); !strings.Contains(page,
			fmt.Sprintf("Loss on this text: %.3f", part.Changed.Loss)) || !strings.Contains(page, "desk-spectrum") {
			t.Errorf("%s: the page has another loss", id)
		}
	}
}

// TestRankDialByHand: moving the dial shows how much it keeps, and at its end the values are as
// learned.
func TestRankDialByHand(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1440, 900, "/desk?m=random&head=2")
	tab.Eventually(`document.readyState === 'complete' && document.querySelectorAll('#desk-spectrum .dot.chosen').length === 19`)
	tab.Do(chromedp.Focus(chromedp.CSS("#desk-rank")), chromedp.KeyEvent(kb.Home))
	tab.Eventually(`/rank=1(&|$)/.test(location.search) && document.querySelectorAll('#desk-spectrum .dot.chosen').length === 1 && document.getElementById('desk-says').textContent.includes('rank 1 keeps')`)
	tab.Do(chromedp.KeyEvent(kb.ArrowRight))
	tab.Eventually(`/rank=2(&|$)/.test(location.search) && document.querySelector('#desk-form output').value === '2'
		&& document.getElementById('desk-reset')`)
	tab.Do(chromedp.KeyEvent(kb.End))
	tab.Eventually(`!location.search.includes('rank=') && document.querySelectorAll('#desk-maps img')[0].src === document.querySelectorAll('#desk-maps img')[1].src && !document.getElementById('desk-reset')`)
}

// TestDeskOfRunningSums: the data have the states after all words and the distance of both
// computations; the page states it.
func TestDeskOfRunningSums(t *testing.T) {
	for _, query := range []string{"m=linear&layer=2&head=2", "m=linear&layer=1&head=3&mask=causal"} {
		d := deskData(t, query)
		r, n := d.Running, len(d.Tokens)
		if r == nil || r.Width != 32 || len(r.State) != n*32*32 || len(r.Keys) != n*32 ||
			r.Causal != strings.Contains(query, "causal") {
			t.Fatalf("%s: %d tokens, %+v", query, n, d.Running)
		}
		largest, far := 0.0, 0.0
		for i := range r.Read {
			largest, far = max(largest, math.Abs(float64(r.Read[i])), math.Abs(float64(r.Mapped[i]))), max(far,
				math.Abs(float64(r.Read[i])-float64(r.Mapped[i])))
		}
		if math.Abs(far/largest-r.Apart) > 1e-9 || r.Apart > 1e-6 || r.Model > 1e-6 || r.Apart == 0 {
			t.Errorf("%s: apart %v, of the numbers %v; from the model %v", query, r.Apart, far/largest, r.Model)
		}
		page := browsertest.Body(t, "/desk?"+query)
		if !strings.Contains(page, "agree to 10⁻⁶. Over all words, the outputs from the sums and from the map differ by at most "+messages.Number(r.Apart)) || strings.Count(page, `desk-map"`) != 4 {
			t.Errorf("%s: the page does not say so", query)
		}
	}
	if d := deskData(t, "m=random"); d.Running != nil {
		t.Error("running sums of a matrix")
	}
}

// TestRunningSumsByHand: keys move from word to word, the animation plays, and a frame links to its
// word.
func TestRunningSumsByHand(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1440, 900, "/desk?m=linear&head=2&pin=3")
	const at = `document.getElementById('desk-number').textContent`
	tab.Eventually(`document.readyState === 'complete' && !document.getElementById('desk-play').hidden && ` + at +
		`.includes('“cat”')`)
	tab.Do(chromedp.KeyEvent(kb.ArrowRight))
	tab.Eventually(`/pin=4(&|$)/.test(location.search) && ` + at +
		`.includes('“sat”') && document.querySelector('#desk-frames a[aria-current=true]').textContent.trim() === 'sat'`)
	tab.Eventually(`document.querySelector('#desk-form input[name=pin]').value === '4'`)
	tab.Do(chromedp.KeyEvent(kb.End))
	tab.Eventually(at + `.includes('19 of 19') && document.getElementById('desk-next').getAttribute('aria-disabled') === 'true'`)
	tab.Do(chromedp.KeyEvent(kb.ArrowLeft))
	tab.Eventually(at + `.includes('18 of 19')`)
	tab.Do(chromedp.Click(chromedp.CSS(`#desk-play`)))
	tab.Eventually(at + `.includes('19 of 19') && document.getElementById('desk-play').getAttribute('aria-pressed') === 'false'`) // it ends by itself
	tab.Do(chromedp.Click(chromedp.CSS(`#desk-frames li:nth-child(6) a`)))
	tab.Eventually(at + `.includes('6 of 19') && document.querySelector('#desk-words a[aria-current=true]').textContent === 'the'`)
}

// TestDeskWithoutScripts: the form sends the settings, on a phone too, and sums other than 1 can be
// corrected.
func TestDeskWithoutScripts(t *testing.T) {
	tab := browsertest.Open(t)
	tab.WithoutScripts()
	tab.Do(chromedp.EmulateViewport(390, 844), chromedp.Navigate(browsertest.Server(t).URL+
		"/desk?m=mixture-rv&share.1.random=0.5&share.1.dot-product=0.9"))
	tab.Eventually(`document.querySelector('#desk-problem a') && document.documentElement.scrollWidth <= 390`)
	tab.Follow(`#desk-problem a`)
	tab.Eventually(`location.search.includes('share.1.random=0.357') && !document.querySelector('#desk-problem a')
		&& document.getElementById('desk-says').textContent.includes('as learned')`)
	tab.Follow(`#desk-form button`)
	tab.Eventually(`location.search.includes('share.1.random=0.357')
		&& location.search.includes('share.1.dot-product=0.643') && location.search.includes('text=')`)
	tab.Do(chromedp.Focus(chromedp.CSS("#desk-random")), chromedp.KeyEvent(kb.Home))
	tab.Follow(`#desk-form button`)
	tab.Eventually(`/share\.1\.random=0(&|$)/.test(location.search)
		&& location.search.includes('share.1.dot-product=0.643') && document.querySelector('#desk-problem a') && document.getElementById('desk-random').value === '0'`)
}

// TestDeskIsLinked: the page of a mechanism with something to change links to its playground;
// others do not.
func TestDeskIsLinked(t *testing.T) {
	for _, id := range browsertest.ShippedMechanisms() {
		e, _, _ := engine.Find(id)
		page := browsertest.Body(t, "/m/"+id)
		if linked := strings.Contains(page, `/desk?`) ||
			strings.Contains(page, `desk?m=`); linked != (e.Parts != nil || e.Table != nil || e.Running) {
			t.Errorf("%s: linked %v", id, linked)
		}
	}
}
