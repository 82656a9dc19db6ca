package mechanism_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/web/mechanism"
	"attnatlas/web/webtest"
)

const writePath = "/m/encoder-decoder"

// TestWritingPage: every step is in the page, one is shown, its row is framed in the maps, and
// every link keeps the rest of the state.
func TestWritingPage(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	w := webtest.Get(s, writePath+"?text=The+old+cat&step=2&layer=1&head=3&theme=dark")
	if w.Code != http.StatusOK {
		t.Fatalf("%d %.300s", w.Code, w.Body)
	}
	doc := webtest.Parse(t, w)
	if bad := webtest.Inline(doc); len(bad) > 0 {
		t.Error(bad)
	}
	steps := webtest.All(doc, "a.step")
	want := []string{"cat", "old", "the", "[SEP]"}
	for i, a := range steps {
		href, _ := webtest.Attr(a, "href")
		u, err := url.Parse(href)
		if err != nil || webtest.TextOf(a) != want[i] || u.Path != writePath ||
			u.Query().Get("step") != string(rune('1'+i)) ||
			u.Query().Get("head") != "3" || u.Query().Get("layer") != "1" || u.Query().Get("theme") != "dark" ||
			u.Query().Get("text") != "The old cat" {
			t.Errorf("step %d is %q and leads to %s", i+1, webtest.TextOf(a), href)
		}
		if now, _ := webtest.Attr(a, "aria-current"); (now == "step") != (i == 1) {
			t.Errorf("step %d: aria-current %s", i+1, now)
		}
	}
	if len(steps) != len(want) {
		t.Fatalf("%d steps", len(steps))
	}
	for i, panel := range webtest.All(doc, "section.step-panel") {
		if _, hidden := webtest.Attr(panel, "hidden"); hidden != (i != 1) {
			t.Errorf("panel %d is hidden: %v", i+1, hidden)
		}
		words := webtest.All(panel, "bdi.likely-word")
		if len(words) != 3 || webtest.TextOf(words[0]) != want[i] || len(webtest.All(panel, "li.right")) == 0 {
			t.Errorf("panel %d: %s", i+1, webtest.TextOf(panel))
		}
	}
	for name, y := range map[string]string{"cross": "1", "decoder": "1", "encoder": "", engine.EncoderRolloutPart: ""} {
		figures := webtest.All(doc, "figure#view-encoder-decoder-"+name)
		if len(figures) != 1 {
			t.Fatalf("%d maps of %s", len(figures), name)
		}
		marks := webtest.All(figures[0], "rect.marked-over")
		if got := len(marks); got != len(y) {
			t.Errorf("%s has %d frames", name, got)
		} else if got == 1 {
			if at, _ := webtest.Attr(marks[0], "y"); at != y {
				t.Errorf("%s: row %s is framed", name, at)
			}
		}
		img := webtest.All(figures[0], "img")
		src, _ := webtest.Attr(img[0], "src")
		webtest.Picture(t, s, src)
	}
	thumbs := webtest.All(doc, "a.thumb")
	if len(thumbs) != 3*webtest.FakeLayers*(1+webtest.FakeHeads) {
		t.Errorf("%d small pictures", len(thumbs))
	}
	current := 0
	for _, a := range thumbs {
		href, _ := webtest.Attr(a, "href")
		u, _ := url.Parse(href)
		src, _ := webtest.Attr(webtest.All(a, "img")[0], "src")
		of, _ := url.Parse(src)
		if u.Path != writePath || u.Query().Get("step") != "2" || of.Query().Get("layer") != u.Query().Get("layer") ||
			of.Query().Get("head") != u.Query().Get("head") {
			t.Errorf("%s leads to %s", src, href)
		}
		webtest.Picture(t, s, src)
		if now, _ := webtest.Attr(a, "aria-current"); now == "true" {
			current++
			if u.Query().Get("layer") != "1" || u.Query().Get("head") != "3" {
				t.Errorf("%s is current", href)
			}
		}
	}
	if current != 3 {
		t.Errorf("%d small pictures are current", current)
	}
	src, _ := webtest.Attr(webtest.All(doc, "main")[0], "data-src")
	maps := webtest.Drawing(t, s, strings.TrimPrefix(src, "/api/v1/drawing?")).Mechanisms[0].Maps
	for i, want := range []string{"cross writes [cat old the [SEP]] over [] true",
		"decoder writes [cat old the [SEP]] over [[CLS] cat old the] false", "encoder attends [] over [] true"} {
		rows, columns := maps[i].Axes[0], maps[i].Axes[1]
		if got := fmt.Sprint(maps[i].Name, " ", rows.Title, " ", rows.Labels, " over ", columns.Labels, " ",
			columns.Words); got != want {
			t.Errorf("the axes of %s, want %s", got, want)
		}
	}
	for _, says := range []string{"Right: these are the words", "filled up with [PAD]", "1706.03762", "sec. 3.2.3"} {
		if !strings.Contains(webtest.TextOf(doc), says) {
			t.Errorf("the page does not say %q", says)
		}
	}
}

// TestWritingIsJudged: a wrong answer is marked as wrong, at the step of its first mistake.
func TestWritingIsJudged(t *testing.T) {
	doc := webtest.Parse(t, webtest.Get(webtest.NewServer(t, &webtest.FakeEngine{}), writePath+
		"?text=all+is+wrong+here&step=2"))
	badges := webtest.All(doc, "p.badge.fails")
	if len(badges) != 1 || !strings.Contains(webtest.TextOf(badges[0]),
		"The right answer is “here wrong is all”. The first mistake is in decoding step 2.") {
		t.Errorf("%s", webtest.TextOf(doc))
	}
	const bytes = "counts as a word"
	for text, says := range map[string]bool{"the+cat": false, "привет": true} {
		page := webtest.TextOf(webtest.Parse(t, webtest.Get(webtest.NewServer(t, &webtest.FakeEngine{}), writePath+
			"?text="+text)))
		if strings.Contains(page, bytes) != says {
			t.Errorf("%s: says what a word is: %v", text, !says)
		}
	}
	wrong := webtest.All(doc, "a.step.wrong")
	if len(wrong) != 1 || webtest.TextOf(wrong[0]) != "⟨E7⟩" {
		t.Errorf("%d steps are called wrong", len(wrong))
	}
	if p := webtest.All(doc, "p.step-wrong"); len(p) != 1 ||
		!strings.Contains(webtest.TextOf(p[0]), "Right answer: wrong") {
		t.Error("the step does not say what would be right")
	}
}

// TestWritingRefuses: every error is shown as a sentence on an otherwise complete page.
func TestWritingRefuses(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for query, want := range map[string]struct {
		status int
		says   string
	}{
		"?text=":                              {http.StatusBadRequest, "The text has no words"},
		"?text=" + strings.Repeat("the+", 30): {http.StatusUnprocessableEntity, "Remove 6 tokens"},
		"?text=a+cat&step=9":                  {http.StatusNotFound, "No decoding step 9; the model wrote in 3 steps."},
		"?text=a+cat&step=x":                  {http.StatusBadRequest, "step="},
		"?text=a+cat&layer=7":                 {http.StatusNotFound, "No layer 7"},
		"?text=a+cat&head=7":                  {http.StatusNotFound, "No head 7"},
		"?text=a+cat&utm_source=mail":         {http.StatusOK, "Write the words in reverse"},
		"?text=" + url.QueryEscape(strings.Repeat("x", engine.MaxTextBytes+1)): {http.StatusRequestEntityTooLarge,
			"limit 65"},
		"?text=" + url.QueryEscape("<script>alert(1)</script>\x00\xff"): {http.StatusOK, "<script>alert(1)</script>"},
		"?m=dense&mask=causal&pin=1.2": {http.StatusOK,
			"Write the words in reverse"}, // a link of the main view
	} {
		w := webtest.Get(s, writePath+query)
		doc := webtest.Parse(t, w)
		if w.Code != want.status || !strings.Contains(strings.ReplaceAll(webtest.TextOf(doc), "\u202f", ""), want.says) {
			t.Errorf("%.60s: status %d", query, w.Code)
		}
		if len(webtest.All(doc, "form#controls")) != 1 || len(webtest.Inline(doc)) > 0 {
			t.Errorf("%.60s: the page does not stand", query)
		}
	}
	none := webtest.NewServer(t, &webtest.FakeEngine{})
	none.Info = func(id string) (*engine.ModelInfo, error) {
		return nil, fault.Errorf(fault.NotFound, "error.no-model", "id", id)
	}
	if w := webtest.Get(none, writePath); w.Code != http.StatusOK ||
		!strings.Contains(webtest.TextOf(webtest.Parse(t, w)), "No model") ||
		strings.Contains(w.Body.String(), `id="controls"`) {
		t.Errorf("without a model: %d", w.Code)
	}
}

// TestWrittenFigure: the picture has the cells of the selected map, layer and head, and its file
// has the provenance.
func TestWrittenFigure(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	report := webtest.FakeReport(t, "The old cat", nn.NoMask, "encoder-decoder")
	for _, name := range mechanism.Parts {
		rolled := name == engine.EncoderRolloutPart
		part, _ := report.Mechanisms[0].Part(name)
		want, _ := part.Layers[0].Find(engine.PartMap(name))
		if !rolled {
			want, _ = want.Head(1)
		}
		img := webtest.Picture(t, s, "/export/encoder-decoder.png?text=The+old+cat&layer=1&head=2&step=3&bare=1&norm=absolute&map="+name)
		if img.Bounds().Dx() != want.Value.Dim(1) || img.Bounds().Dy() != want.Value.Dim(0) {
			t.Errorf("%s: %v", name, img.Bounds())
		}
		if x, err := exhibit.Select(report, exhibit.Choice{Layer: 1, Head: 2}).Exhibit("encoder-decoder", name,
			0); err != nil || !slices.Equal(x.Map.Value.Data, want.Value.Data) {
			t.Errorf("%s: not the numbers of the head that was asked for (%v)", name, err)
		}
		drawn, _ := figure.New(figure.Spec{Map: want, Norm: figure.Absolute})
		last := want.Value.Len() - 1
		if got := webtest.Rgb(img, last%want.Value.Dim(1),
			last/want.Value.Dim(1)); got != figure.Cividis.Table(figure.Light)[drawn.Grid.Index[last]] {
			t.Errorf("%s: the last cell is %v", name, got)
		}
		w := webtest.Get(s, "/export/encoder-decoder.png?text=The+old+cat&head=mean&map="+name)
		head := "mean"
		if rolled {
			head = "all"
		}
		if file := w.Header().Get("Content-Disposition"); file != `inline; filename="encoder-decoder-`+name+`-layer2-`+
			head+`.png"` {
			t.Error(file)
		}
		if body := w.Body.String(); !strings.Contains(body,
			"/export/encoder-decoder.png?head=mean&layer=2&m=encoder-decoder&map="+name+"&text=The+old+cat") ||
			!strings.Contains(body, "commit 0123456789abcdef") {
			t.Errorf("%s does not say where it comes from", name)
		}
	}
	for query, status := range map[string]int{"map=beta": 404, "map=cross&text=": 400, "map=cross&layer=9": 404,
		"map=cross&scale=x": 400, "map=cross&plane=1": 404} {
		if w := webtest.Get(s, "/export/encoder-decoder.png?"+query); w.Code != status {
			t.Errorf("%s: %d", query, w.Code)
		}
	}
}

// TestOnePageIsOneRun: the page with all its pictures, figures and data runs the model once, like
// the main view.
func TestOnePageIsOneRun(t *testing.T) {
	for _, page := range []string{writePath + "?text=the+old+cat&step=2", writePath + "?norm=shared&layer=1&head=2",
		"/?text=the+cat&m=encoder-decoder", "/m/dense?text=the+cat"} {
		f := &webtest.FakeEngine{}
		s := webtest.NewServer(t, f)
		doc := webtest.Parse(t, webtest.Get(s, page))
		pictures := 0
		for _, link := range webtest.LinksOf(doc) {
			file, _, _ := strings.Cut(link, "?")
			switch {
			case !strings.HasPrefix(link, "/export/"):
			case strings.HasSuffix(file, ".png"):
				webtest.Picture(t, s, link)
				pictures++
			default:
				if w := webtest.Get(s, link); w.Code != http.StatusOK {
					t.Errorf("%s refers to %s: %d", page, link, w.Code)
				}
			}
		}
		for _, link := range append(webtest.SourcesOf(doc), webtest.LinksOf(doc)...) {
			if strings.HasPrefix(link, "/api/v1/") && link != "/api/v1/mechanisms" &&
				webtest.Get(s, link).Code != http.StatusOK {
				t.Errorf("%s refers to %s", page, link)
			}
		}
		if calls := f.Calls.Load(); calls != 1 || pictures < 6 {
			t.Errorf("%s has %d pictures; the engine was asked %d times", page, pictures, calls)
		}
	}
}

// TestWriteAPI: numbers equal the engine's, and labels are those of the axes.
func TestWriteAPI(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	ask := func(query string) mechanism.Write {
		w := webtest.Get(s, "/api/v1/write?"+query)
		var a mechanism.Write
		if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != http.StatusOK {
			t.Fatalf("%s: %d %v %.200s", query, w.Code, err, w.Body)
		}
		return a
	}
	a := ask("text=all+is+wrong+here")
	if a.Right || a.Answer != "here wrong is all" || len(a.Steps) != 5 || a.Steps[1].Right || !a.Steps[2].Right ||
		a.Steps[1].Label != "⟨E7⟩" || a.Steps[1].P != 0.51 || len(a.Steps[1].Top) != 3 {
		t.Errorf("%+v", a)
	}
	if len(a.Maps) != 4*webtest.FakeLayers || len(a.Tokens) != 6 {
		t.Fatalf("%d maps, %d tokens", len(a.Maps), len(a.Tokens))
	}
	if m := a.Maps[3]; m.Of != "decoder" || m.Layer != 2 || !slices.Equal(m.Shape, []int{webtest.FakeHeads, 5, 5}) ||
		!strings.HasPrefix(m.Reach, "1000011000") {
		t.Errorf("%s, layer %d, %v, %s", m.Of, m.Layer, m.Shape, m.Reach)
	}
	if l := a.Maps[3].Labels; len(l) != 3 || l[0] != nil ||
		!slices.Equal(l[1], []string{"here", "⟨E7⟩", "is", "all", "[SEP]"}) || l[2][0] != "[CLS]" {
		t.Errorf("labels of all heads: %v", l)
	}
	one := ask("text=all+is+wrong+here&layer=2&head=3&map=cross")
	if len(one.Maps) != 1 || !slices.Equal(one.Maps[0].Shape, []int{5, 6}) ||
		one.Maps[0].Values[7] != tensor.Elem(2)/100+tensor.Elem(2*30+7)/1e6 {
		t.Errorf("%+v", one.Maps)
	}
	if l := one.Maps[0].Labels; len(l) != 2 || l[0][0] != "here" || l[1][1] != "all" {
		t.Errorf("labels %v", l)
	}
	for query, want := range map[string]struct {
		status int
		says   string
	}{
		"": {400, "the parameter text is missing"}, "text=": {400, "Type some words"},
		"text=a&lyer=1":   {400, `unknown parameter “lyer”`},
		"text=a&m=gpt2":   {400, "For other models that write, use /api/v1/continue."},
		"text=a&layer=9":  {404, "ayer 9 does not exist: Encoder–decoder has 2 layers"},
		"text=a&head=9":   {404, "ead 9 does not exist: Encoder–decoder has 4 heads"},
		"text=a&map=beta": {400, `map=“beta” must be one of cross, decoder, encoder, encoder-rollout`}, "text=" +
			strings.Repeat("the+", 30): {422, "Remove 6 tokens"},
	} {
		if w := webtest.Get(s, "/api/v1/write?"+query); w.Code != want.status ||
			!strings.Contains(w.Body.String(), want.says) {
			t.Errorf("%.40s: %d %s, want %d: … %s …", query, w.Code, w.Body, want.status, want.says)
		}
	}
	none := webtest.NewServer(t, &webtest.FakeEngine{Change: func(r *engine.Report) {
		r.Mechanisms[0] = engine.Result{ID: r.Mechanisms[0].ID, Err: webtest.Refused(fault.NotFound, "There is none yet.")}
	}})
	if w := webtest.Get(none, "/api/v1/write?text=a"); w.Code != http.StatusNotFound {
		t.Errorf("without a model: %d", w.Code)
	}
	if doc := webtest.Get(s, "/api/v1/openapi.json").Body.String(); !strings.Contains(doc, `"/api/v1/write"`) ||
		!strings.Contains(doc, "the tokens written before, beginning with [CLS]") {
		t.Error("the API's description does not know it")
	}
}
