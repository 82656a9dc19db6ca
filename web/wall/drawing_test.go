package wall_test

import (
	"encoding/binary"
	"fmt"
	"image"
	"math"
	"net/url"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/figure"
	"attnatlas/engine/nn"
	"attnatlas/web/api"
	"attnatlas/web/webtest"
)

// TestDrawingsAreTheFigures: the cells of every map are those of its picture, in every normalisation, for signed
// numbers, classes, orders, stacks and NaN.
func TestDrawingsAreTheFigures(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: func(r *engine.Report) {
		if r.Text == "a" {
			webtest.Stacked(r)
		}
	}})
	for _, norm := range figure.Norms() {
		for _, query := range []string{
			"text=the+cat+sat&m=dense,fastformer", "text=the+cat+sat&m=dense,linear&mask=causal&head=2",
			"text=the+cat+sat&m=random&map=awkward",
			"text=a&m=reformer", "text=the+cat&m=universal&show=rollout", "text=the+cat&m=dense&show=influence",
		} {
			query += "&norm=" + norm.String()
			for _, m := range webtest.Drawing(t, s, query).Mechanisms {
				if len(m.Maps) == 0 {
					t.Errorf("%s: %s has no maps: %s", query, m.ID, m.Error)
				}
				for _, drawn := range m.Maps {
					for plane := range drawn.Planes {
						link := "/export/" + m.ID + ".png?bare=1&scale=1&" + query + "&map=" + url.QueryEscape(drawn.Name)
						if len(drawn.Planes) > 1 {
							link += fmt.Sprintf("&plane=%d", plane+1)
						}
						sameCells(t, link, drawn, plane, webtest.Picture(t, s, strings.Replace(link, "&map=awkward&", "&", 1)))
					}
				}
			}
		}
	}
}

// sameCells compares the cells of a drawing with a picture that has one pixel for each.
func sameCells(t *testing.T, name string, m api.DrawingMap, plane int, img image.Image) {
	t.Helper()
	p := m.Planes[plane]
	table := map[string]*figure.Table{
		"palette": figure.Cividis.Table(figure.Light), "diverging": figure.Diverging(figure.Light),
		"categorical": figure.Categorical(),
	}[p.Table]
	if len(p.Cells) != m.Rows*m.Cols || img.Bounds().Dx() != m.Cols || img.Bounds().Dy() != m.Rows {
		t.Fatalf("%s: %d cells, %d×%d; the picture is %v", name, len(p.Cells), m.Rows, m.Cols, img.Bounds())
	}
	for i, entry := range p.Cells {
		class := figure.Value
		if p.Classes != "" {
			class = figure.Class(p.Classes[i] - '0')
		}
		if class == figure.Forbidden || class == figure.Missing || class == figure.Bad {
			continue
		}
		if got := webtest.Rgb(img, i%m.Cols, i/m.Cols); got != table[entry] {
			t.Fatalf("%s: cell %d is entry %d of %s, the picture has %v", name, i, entry, p.Table, got)
		}
	}
}

// TestDrawnNumbersAreTheEngine: numbers are equal bit for bit, also NaN and infinity.
func TestDrawnNumbersAreTheEngine(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	d := webtest.Drawing(t, s, "text=the+cat&m=dense,fastformer&map=weights,contribution,alpha,awkward&layer=2&head=3")
	report := webtest.FakeReport(t, "the cat", nn.NoMask, "dense", "fastformer")
	count := 0
	for i, m := range d.Mechanisms {
		for _, drawn := range m.Maps {
			count++
			want, _ := report.Mechanisms[i].Layers[1].Find(drawn.Name)
			want, err := want.Head(2)
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range want.Value.Data {
				if got := binary.LittleEndian.Uint32(drawn.Planes[0].Values[4*k:]); got != math.Float32bits(float32(v)) {
					t.Errorf("%s %s[%d] has the bits %08x, want those of %v", m.ID, drawn.Name, k, got, v)
				}
			}
		}
	}
	if count != 5 {
		t.Errorf("%d maps", count)
	}
}

// TestDrawingsOfPages: the drawings of pages exist, need no further run of the engine, and do not depend on
// colours.
func TestDrawingsOfPages(t *testing.T) {
	f := &webtest.FakeEngine{Change: webtest.Stacked}
	s := webtest.NewServer(t, f)
	sources := func(path string) []string { return webtest.SourcesOf(webtest.Parse(t, webtest.Get(s, path))) }
	const query = "text=a&norm=shared&head=2&layer=1&m=dense,reformer"
	for _, path := range []string{"/?" + query, "/m/reformer?" + query} {
		plain := sources(path)
		calls := f.Calls.Load()
		for _, src := range plain {
			u, err := url.Parse(src)
			if err != nil || u.Path != "/api/v1/drawing" {
				t.Fatalf("%s refers to %s, %v", path, src, err)
			}
			for _, m := range webtest.Drawing(t, s, u.RawQuery).Mechanisms {
				if len(m.Maps) == 0 {
					t.Errorf("%s: no maps of %s", src, m.ID)
				}
			}
		}
		if now := f.Calls.Load(); len(plain) < 2 || now != calls {
			t.Errorf("%s has %d drawings, which asked the engine %d times", path, len(plain), now-calls)
		}
		if got := sources(path + "&cmap=ink&theme=dark&pin=1.2"); fmt.Sprint(got) != fmt.Sprint(plain) {
			t.Errorf("%s: in other colours the drawings are at %q, not %q", path, got, plain)
		}
	}
}

// TestDrawingsOfSome: drawings of some mechanisms only, or without numbers.
func TestDrawingsOfSome(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	d := webtest.Drawing(t, s, "text=the+cat&m=dense,random&of=random&map=weights&values=0&norm=shared")
	if len(d.Mechanisms) != 1 || d.Mechanisms[0].ID != "random" || len(d.Mechanisms[0].Maps) != 1 ||
		d.Mechanisms[0].Maps[0].Planes[0].Values != nil {
		t.Errorf("%+v", d)
	}
	both := webtest.Drawing(t, s, "text=the+cat&m=dense,random&map=weights&norm=shared")
	if got, want := d.Mechanisms[0].Maps[0].Planes[0].Cells,
		both.Mechanisms[1].Maps[0].Planes[0].Cells; string(got) != string(want) {
		t.Errorf("beside dense, random has the cells %v, without it %v", want, got)
	}
	d = webtest.Drawing(t, s, "text=the+cat&m=dense,fastformer&mask=causal")
	if d.Mechanisms[0].Error != "" || len(d.Mechanisms[0].Maps) == 0 || d.Mechanisms[1].Error == "" ||
		len(d.Mechanisms[1].Maps) != 0 {
		t.Errorf("%+v", d)
	}
}

func TestWrongDrawings(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for query, want := range map[string]struct {
		status int
		says   string
	}{
		"":                                     {400, "text is missing"},
		"text=":                                {400, "Type some words"},
		"text=a&norm=loud":                     {400, "norm"},
		"text=a&values=2":                      {400, "values"},
		"text=a&of=":                           {400, "of is empty"},
		"text=a&m=dense&of=random":             {404, "o mechanism"},
		"text=a&lyer=1":                        {400, "lyer"},
		"text=100%":                            {400, "%25"},
		"text=a&layer=9":                       {404, "layer 9 does not exist"},
		"text=a&m=dense&map=nothing":           {404, "No map"},
		"text=a&m=nonsense":                    {404, "nonsense"},
		"text=a&m=fastformer&mask=causal":      {422, "causal"},
		"text=a&m=encoder-decoder&map=cross,x": {404, `No map named “x”`},
		"text=a&m=dense&map=cross":             {404, `No map named “cross”`},
	} {
		w := webtest.Get(s, "/api/v1/drawing?"+query, "Accept", "text/html")
		if w.Code != want.status || !strings.Contains(w.Body.String(), want.says) ||
			w.Header().Get("Content-Type") != webtest.ProblemType {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
}
