package compare_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/compare"
	"attnatlas/web/site"
	"attnatlas/web/webtest"

	"github.com/danielgtaylor/huma/v2"
)

// comparing requests a comparison from the API.
func comparing(t *testing.T, s *site.Server, query string) compare.Compare {
	t.Helper()
	w := webtest.Get(s, "/api/v1/compare?"+query)
	var answer compare.Compare
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%s: %d %.300s", query, w.Code, w.Body)
	}
	return answer
}

// jensenShannon returns the divergence of two distributions in bits: their mean divergence from their mean.
func jensenShannon(p, q []float32) (bits float64) {
	for j := range p {
		a, b := float64(p[j]), float64(q[j])
		for _, v := range []float64{a, b} {
			if v > 0 {
				bits += v / 2 * math.Log2(2*v/(a+b))
			}
		}
	}
	return bits
}

// TestCompareAPI: the numbers are those of the two maps, and the sentences agree with them.
func TestCompareAPI(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	c := comparing(t, s, "text=the+old+cat&a=dense:2:3&b=random:1:2")
	for _, side := range []struct {
		got   compare.CompareMap
		query string
	}{{c.A, "m=dense&layer=2&head=3"}, {c.B, "m=random&layer=1&head=2"}} {
		var alone api.Attend
		if err := json.Unmarshal(webtest.Get(s, "/api/v1/attend?map=weights&text=the+old+cat&"+side.query).Body.Bytes(),
			&alone); err != nil {
			t.Fatal(err)
		}
		if want := alone.Mechanisms[0].Layers[0].Maps[0].Values; !slices.Equal(side.got.Values, want) {
			t.Errorf("%s is another map", side.query)
		}
	}
	sum := 0.0
	for i, d := range c.Difference {
		if d != c.A.Values[i]-c.B.Values[i] {
			t.Fatalf("the difference of cell %d is %v", i, d)
		}
		sum += math.Abs(float64(d))
	}
	n := len(c.Tokens.A)
	if math.Abs(*c.Changed-sum/float64(2*n)) > 1e-6 || len(c.Rows) != n || *c.Rank < -1 || *c.Rank > 1 || c.Identical ||
		len(c.Largest) != 5 {
		t.Errorf("%+v", c)
	}
	for i, d := range c.Rows {
		if want := jensenShannon(c.A.Values[i*n:][:n], c.B.Values[i*n:][:n]); math.Abs(*d-want) > 1e-6 {
			t.Errorf("row %d diverges by %v, its shares by %v", i, *d, want)
		}
	}
	for i, k := range c.Largest {
		at := k.Row*n + k.Column
		if k.A != float64(c.A.Values[at]) || k.B != float64(c.B.Values[at]) || i > 0 &&
			math.Abs(k.A-k.B) > math.Abs(c.Largest[i-1].A-c.Largest[i-1].B) {
			t.Errorf("difference %d is %+v", i, k)
		}
	}
	same := comparing(t, s, "text=the+old+cat&a=dense:2:3&b=dense:2:3")
	if !same.Identical || *same.Rank != 1 || *same.Divergent != 0 || *same.Changed != 0 || len(same.Largest) != 0 {
		t.Errorf("a map and itself: %+v", same)
	}
	lengths := comparing(t, s, "text=the+old+cat&a=dense&b=fastformer")
	if lengths.Difference != nil || lengths.Changed != nil || lengths.Rank == nil || lengths.NoDifference == "" ||
		lengths.NoRows == "" {
		t.Errorf("shares and weights: %+v", lengths)
	}
	other := comparing(t, s, "text=the+old+cat&other=a+new+dog&a=dense&b=dense")
	if long := comparing(t, s, "text=the+old+cat&other=dog&a=dense&b=dense"); !strings.Contains(long.NoDifference,
		"5 tokens, the second 3 tokens") || long.NoRows != long.NoDifference {
		t.Errorf("of texts of different lengths: %q", long.NoDifference)
	}
	if other.Tokens.B[3].Label != "dog" || other.Identical || !strings.HasPrefix(other.A.Where, other.B.Where) {
		t.Errorf("of two texts: %+v", other)
	}
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	for _, query := range []string{"text=hello", "text=hello&a=dense&b=fastformer", "text=hello&other=two+words",
		"text=hello&a=bert&b=universal&show=rollout"} {
		webtest.Valid[compare.Compare](t, registry, webtest.Get(s, "/api/v1/compare?"+query).Body.Bytes())
		webtest.Valid[api.Drawing](t, registry, webtest.Get(s, "/api/v1/compare-drawing?"+query).Body.Bytes())
	}
}

// TestCompareIsDocumented: every documented parameter changes the answer, and every parameter that does is
// documented.
func TestCompareIsDocumented(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	described := webtest.DescriptionOf(t, s)
	values := map[string]string{
		address.Text: "the old dog", address.Other: "a new dog", address.SideA: "random", address.SideB: "bigbird:2:3",
		address.Mask: "causal", address.Show: "rollout",
		address.Norm: "row", address.Numbers: "0", address.Layer: "2", address.Head: "3", address.Mechanisms: "bert",
		address.Cmap: "ink", address.Theme: "dark", address.PinKey: "1.1", address.Walk: "2", address.From: "text=a",
	}
	for _, path := range []string{"/api/v1/compare", "/api/v1/compare-drawing"} {
		usual := webtest.Get(s, path+"?text=the+old+cat").Body.String()
		for key, value := range values {
			v := url.Values{address.Text: {"the old cat"}}
			v.Set(key, value)
			w := webtest.Get(s, path+"?"+v.Encode())
			documented := slices.ContainsFunc(described.Paths[path].Get.Parameters,
				func(p webtest.Parameter) bool { return p.Name == key })
			if key == address.Numbers && w.Code == http.StatusBadRequest {
				continue
			}
			if effect := w.Body.String() != usual; effect != documented {
				t.Errorf("%s: %s has an effect: %v; it is documented: %v (%d)", path, v.Encode(), effect, documented, w.Code)
			}
		}
	}
}

// TestCompareFigure: three maps side by side, one map alone, and cells alone.
func TestCompareFigure(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	width := func(query string) int {
		w := webtest.Get(s, "/export/compare.png?text=the+old+cat&a=dense:2:3&b=random:1:2"+query)
		img, err := png.Decode(bytes.NewReader(w.Body.Bytes()))
		if err != nil {
			t.Fatalf("%s: %d %v", query, w.Code, err)
		}
		return img.Bounds().Dx()
	}
	if all, a, b, d := width(""), width("&map=a"), width("&map=b"), width("&map=difference"); all != a+b+d {
		t.Errorf("the row is %d wide, its figures %d, %d, %d", all, a, b, d)
	}
	if got := width("&map=difference&bare=1&scale=7"); got != 5*7 {
		t.Errorf("5 cells are %d pixels wide", got)
	}
	if two, a := width("&norm=row"), width("&map=a&norm=row"); two <= 2*a {
		t.Errorf("%d and %d", two, a)
	}
	w := webtest.Get(s, "/export/compare.png?text=the+old+cat&a=dense:2:3&b=random:1:2")
	for side, alone := range map[string]string{"a": "dense.png?layer=2&head=3", "b": "random.png?layer=1&head=2"} {
		own := webtest.Get(s, "/export/"+alone+"&bare=1&scale=7&norm=map&text=the+old+cat").Body.Bytes()
		if got := webtest.Get(s, "/export/compare.png?text=the+old+cat&a=dense:2:3&b=random:1:2&bare=1&scale=7&norm=map&map="+
			side).Body.Bytes(); webtest.Differing(decoded(t, got), decoded(t, own)) > 0 {
			t.Errorf("the cells of %s are not those of its figure", side)
		}
	}
	if got := w.Header().Get("Content-Disposition"); got != `inline; filename="compare-dense-2-3-random-1-2.png"` {
		t.Errorf("the file is %s", got)
	}
	for _, said := range []string{"Source\x00/export/compare.png?a=dense%3A2%3A3&b=random%3A1%3A2&text=the+old+cat",
		"Description of B"} {
		if !bytes.Contains(w.Body.Bytes(), []byte(said)) {
			t.Errorf("the file does not say %q", said)
		}
	}
}

// decoded returns the picture of a PNG.
func decoded(t *testing.T, file []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// TestCompareShowsTheSameHead: for one mechanism and two texts, both maps show the same head, although each text
// has its own most distinctive head.
func TestCompareShowsTheSameHead(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	differs := false
	for _, other := range []string{"a b c", "you saw her", "we all go", "one two three", "red hot sun"} {
		both := comparing(t, s, "text=the+old+cat&a=dense&b=dense&other="+url.QueryEscape(other))
		alone := comparing(t, s, "a=dense&b=dense&text="+url.QueryEscape(other))
		if !strings.HasPrefix(both.A.Where, both.B.Where) {
			t.Errorf("%q: %s and %s", other, both.A.Where, both.B.Where)
		}
		differs = differs || !strings.HasPrefix(alone.A.Where, both.B.Where)
	}
	if !differs {
		t.Error("this test has no text whose most distinctive head is another")
	}
}

// TestCompareRefuses: data and figures reject errors with the right status.
func TestCompareRefuses(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for query, status := range map[string]int{
		"a=nonsense": 404, "b=nonsense:1": 404, "a=dense:99": 404, "a=dense:1:99": 404, "a=dense:x": 400, "a=dense:0:1": 400,
		"a=:": 400, "lyer=2": 400, "show=thing": 400,
		"a=dense&a=random": 400, "a=" + url.QueryEscape("<script>"): 404, "a=dense:2:3:4": 400,
		"mask=causal&b=fastformer": 422, "other=" + url.QueryEscape(webtest.LongText): 413, "other=++": 400,
	} {
		for _, path := range []string{"/api/v1/compare?", "/api/v1/compare-drawing?", "/export/compare.png?"} {
			if w := webtest.Get(s, path+"text=hello+you&"+query); w.Code != status {
				t.Errorf("%s%.60s: %d, not %d", path, query, w.Code, status)
			}
		}
	}
	for path, status := range map[string]int{
		"/api/v1/compare": 400, "/api/v1/compare?text=": 400, "/export/compare.png?text=": 400,
		"/export/compare.png?map=c": 400, "/export/compare.png?map=difference&b=fastformer": 422,
		"/api/v1/compare-drawing?text=hello&values=2": 400, "/api/v1/compare?text=hello&m=nonsense": 404,
		"/export/compare.png?scale=100000": 400, "/export/compare.csv": 404, "/api/v1/compare?text=" +
			url.QueryEscape(webtest.LongText): 413,
	} {
		if w := webtest.Get(s, path); w.Code != status {
			t.Errorf("%.60s: %d, not %d", path, w.Code, status)
		}
	}
}
