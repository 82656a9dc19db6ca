package long_test

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/web/api"
	"attnatlas/web/browsertest"
	"attnatlas/web/long"
	"attnatlas/web/long/texts"
	"attnatlas/web/reports"
	"attnatlas/web/site"
	"attnatlas/web/webtest"
)

// text has about 150 tokens. The word “lighthouse” has several.
var text = strings.Repeat("The old cat sat on the mat. ", 12) + "The lighthouse was red. " +
	strings.Repeat("A dog barked at the moon. ", 8)

// get returns the answer at a path.
func get(t *testing.T, path, query string) (int, string) {
	t.Helper()
	return browsertest.Fetch(t, browsertest.Server(t).URL+path+"?"+query)
}

// read asks for the numbers of the text until a model has read it.
func read(t *testing.T, query string) (a long.Long) {
	t.Helper()
	if !browsertest.Comes(func() bool {
		status, body := get(t, "/api/v1/long", query+"&text="+url.QueryEscape(text))
		a = long.Long{}
		if err := json.Unmarshal([]byte(body), &a); status != 200 || err != nil {
			t.Fatalf("%d %v %.300s", status, err, body)
		}
		return a.Levels > 0
	}) {
		t.Fatalf("the text is not read: %+v", a)
	}
	return a
}

// TestNumbers: the tile of a head has the weights of the ordinary map. A searched word is found with all of its tokens
// and the strongest far link to them, and a pinned cell has the heads in which its weight is largest.
func TestNumbers(t *testing.T) {
	a := read(t, "m=gpt2&layer=2&head=3&find=LIGHTHOUSE&pin=130.3")
	var attend api.Attend
	if _, body := get(t, "/api/v1/attend", "m=gpt2&map=weights&text="+url.QueryEscape(text)); json.Unmarshal([]byte(body),
		&attend) != nil {
		t.Fatalf("%.300s", body)
	}
	n, layers := len(a.Tokens), attend.Mechanisms[0].Layers
	weight := func(layer, head, row, col int) float64 {
		return float64(layers[layer-1].Maps[0].Values[((head-1)*n+row-1)*n+col-1])
	}
	if a.Layers != len(layers) || a.Read != a.Layers || a.Levels != 1 || n != len(attend.Tokens) {
		t.Errorf("%+v", a)
	}
	status, tile := get(t, "/api/v1/long-tile", "layer=2&head=3&key="+a.Key)
	if status != 200 || len(tile) != 4*n*n {
		t.Fatalf("%d, %d bytes: %.300s", status, len(tile), tile)
	}
	for i := range n * n {
		got := float64(math.Float32frombits(binary.LittleEndian.Uint32([]byte(tile[4*i : 4*i+4]))))
		if want := weight(2, 3, i/n+1, i%n+1); math.Abs(got-want) > 1e-5 {
			t.Fatalf("cell %d is %v, wanted %v", i, got, want)
		}
	}
	const word = "lighthouse"
	if len(a.Found) != 1 || a.Found[0].From == a.Found[0].To ||
		!strings.HasPrefix(word, a.Tokens[a.Found[0].From-1]) {
		t.Fatalf("found %+v", a.Found)
	}
	most := 0.0
	for key := a.Found[0].From; key <= a.Found[0].To; key++ {
		for row := key + 32; row <= n; row++ {
			most = max(most, weight(2, 3, row, key))
		}
	}
	if link := a.Found[0].Link; math.Abs(link.Weight-most) > 1e-5 {
		t.Errorf("the strongest far link to the word is %+v, wanted %v", link, most)
	}
	most = 0
	for layer := range a.Layers {
		for head := range a.Heads {
			most = max(most, weight(layer+1, head+1, 130, 3))
		}
	}
	if len(a.Readers) < 4 || math.Abs(a.Readers[0].Weight-most) > 1e-5 || a.Readers[0].Query != 130 ||
		a.Readers[0].Key != 3 || a.Readers[1].Weight > a.Readers[0].Weight {
		t.Errorf("the heads of cell 130.3 are %+v, wanted %v first", a.Readers, most)
	}
	if len(a.Links) == 0 || a.Links[0].Query-a.Links[0].Key < 32 {
		t.Errorf("far links: %+v", a.Links)
	}
}

// TestRefused: what cannot be shown is refused with a reason, and the page keeps its form.
func TestRefused(t *testing.T) {
	key := read(t, "m=gpt2").Key
	for query, want := range map[string]int{"m=gpt2": 200, "m=bert": 200, "m=random": 422, "m=encoder-decoder": 422,
		"m=none": 404, "m=fastformer": 200, "m=shuffle-exchange": 200, "m=%3Cb%3E": 404, "text=+": 400, "m=gpt2&text=" + strings.Repeat("cat+", 5000): 422} {
		status, page := get(t, "/long", query)
		if status != want || strings.Contains(page, "<b>") || (want == 200) != strings.Contains(page, `id="long-map"`) ||
			want == 422 && !strings.Contains(page, `name="m"`) {
			t.Errorf("/long?%.50s: %d, wanted %d: %.300s", query, status, want, page)
		}
	}
	for query, want := range map[string]int{"layer=9": 404, "head=9": 404, "pin=999.1": 404, "pin=1.999": 404,
		"find=zebra": 200, "find=%FF": 200, "head=x": 400} {
		if status, body := get(t, "/api/v1/long", "m=gpt2&"+query+"&text="+url.QueryEscape(text)); status != want {
			t.Errorf("%s: %d, wanted %d: %.300s", query, status, want, body)
		}
	}
	for query, want := range map[string]int{"key=" + key: 200, "key=none": 404, "key=" + key + "&level=2": 404,
		"key=" + key + "&row=2": 404, "key=" + key + "&col=2": 404, "key=" + key + "&layer=9": 404,
		"key=" + key + "&level=0": 400} {
		if status, body := get(t, "/api/v1/long-tile", query); status != want {
			t.Errorf("tile %s: %d, wanted %d: %.300s", query, status, want, body)
		}
	}
}

// TestViewer: the page reads the example and draws its map. Keys zoom until tokens have labels; a search shows the
// strongest far link to the word and the heads in which it is strongest; one of them can be shown; the address keeps
// the place.
func TestViewer(t *testing.T) {
	tab := browsertest.Browse(t, "/long?m=dot-product")
	tab.Eventually(`!document.getElementById('long-viewer').hidden`)
	// The middle of the map is coloured, and the margin is not.
	opaque := func(x, y string) string {
		return `(() => { const c = document.getElementById('long-map'), r = c.width / c.clientWidth;
			return c.getContext('2d').getImageData((` + x + `) * r, (` + y + `) * r, 1, 1).data[3] })()`
	}
	browsertest.Becomes(tab, opaque("200", "200"), 255)
	browsertest.Becomes(tab, opaque("4", "4"), 0)
	links := browsertest.Ask[int](tab, `document.querySelectorAll('#long-links li').length`)
	if links != 12 {
		t.Errorf("%d far links", links)
	}
	tab.Trigger("#long-far")
	tab.Eventually(`document.querySelectorAll('#long-readers li').length >= 8`)
	tab.Eventually(`/^\S+ \(\d+\) attends to \S+ \(\d+\): [\d.]+$/.test(document.getElementById('long-cell').textContent)`)
	first := browsertest.Ask[string](tab, `new URL(location.href).searchParams.get('pin')`)
	if row, col, ok := strings.Cut(first, "."); !ok || !apart(row, col) {
		t.Errorf("the far link is %q", first)
	}
	tab.Trigger("#long-viewer [data-zoom=all]")
	browsertest.Ask[bool](tab, `(() => { const f = document.getElementById('long-find'); f.elements.find.value = '7421';
		f.requestSubmit(); return true })()`)
	tab.Eventually(`document.querySelectorAll('#long-found li').length === 1`)
	tab.Eventually(`new URL(location.href).searchParams.get('pin') !== '` + first + `'`)
	tab.Eventually(`document.querySelectorAll('#long-readers li').length >= 8`)
	label := browsertest.Ask[string](tab, `document.querySelector('#long-readers li').textContent`)
	tab.Trigger("#long-readers li button")
	tab.Eventually(`(() => { const q = new URL(location.href).searchParams;
		return ` + strconv.Quote(label) + `.startsWith('Layer ' + q.get('layer') + ', head ' + q.get('head') + ': ') })()`)
	browsertest.Ask[bool](tab, `(() => { document.querySelector('#long-save [name=rows]').focus();
		document.querySelector('#long-save [name=rows]').value = '3-9'; document.querySelector('#long-save a').focus();
		return true })()`)
	figure := browsertest.Ask[string](tab, `document.querySelector('#long-save a').href`)
	if u, err := url.Parse(figure); err != nil || u.Query().Get("rows") != "3-9" || u.Query().Get("cols") == "" ||
		u.Query().Get("layer") == "" || u.Query().Get("text") == "" {
		t.Errorf("the address of the figure is %.300s (%v)", figure, err)
	}
	if status, body := browsertest.Fetch(t, figure); status != 200 || !strings.HasPrefix(body, "\x89PNG") {
		t.Errorf("the figure: %d %.100s", status, body)
	}
	tab.Fits("long texts")
	if wrong := tab.Violations(); len(wrong) > 0 {
		t.Error(wrong)
	}
}

// apart reports whether two numbers are at least 32 apart.
func apart(a, b string) bool {
	i, err1 := strconv.Atoi(a)
	j, err2 := strconv.Atoi(b)
	return err1 == nil && err2 == nil && max(i-j, j-i) >= 32
}

// TestPublished: a published folder, and a server whose engine reads no long texts, say why they show no map.
func TestPublished(t *testing.T) {
	e := engine.New()
	for _, inspector := range []reports.Inspector{e, struct{ reports.Inspector }{e}} {
		want, page := "This server does not read long texts.", http.StatusUnprocessableEntity
		s := webtest.ServerWith(t, nil, func(o *site.Options) { o.Inspector = inspector })
		if _, reads := inspector.(texts.Reader); reads {
			s.Published, want = true, "A published folder does not read long texts"
			page = http.StatusOK // it is a file of the folder
		}
		for path, status := range map[string]int{"/long?text=cat": page, "/long": page,
			"/api/v1/long?text=cat&m=dot-product": 422, "/export/long.png?text=cat&m=dot-product": 422,
			"/api/v1/long-tile?key=x": 422} {
			w := webtest.Get(s, path)
			if body := w.Body.String(); w.Code != status || !strings.Contains(body, want) && !strings.Contains(path, "tile") {
				t.Errorf("%s: %d %.300s, wanted %d %q", path, w.Code, body, status, want)
			}
		}
	}
}
