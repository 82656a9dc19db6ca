package web

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/figure"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// fakeWriter writes the pieces of the text in reverse, and one too many when the text
// says so. Its maps depend on everything that there is to choose.
type fakeWriter struct{}

func (fakeWriter) Write(_ context.Context, r engine.WriteRequest) (*engine.Written, error) {
	source := tokenizer.Default().Encode(r.Text)
	if n := len(source); n > 26 {
		return nil, engine.Errorf(engine.Unsupported, "Trained for 26 positions; %d tokens asked. Shorten the text by %d tokens.", n, n-26)
	}
	w := &engine.Written{Model: fakeInfo("encoder-decoder"), Task: "reverse", Source: source, Heads: fakeHeads, Stopped: true}
	for _, t := range source[1 : len(source)-1] {
		w.Answer = append([]string{t.Piece}, w.Answer...)
	}
	pieces := slices.Clone(w.Answer)
	if w.Right = !strings.Contains(r.Text, "wrong"); !w.Right {
		pieces[1] = "<E7>"
	}
	w.AnswerText, w.Text = strings.Join(w.Answer, " "), strings.Join(pieces, " ")
	for i, p := range append(pieces, "[SEP]") {
		top := []engine.Word{{Piece: p, P: 0.5 + 0.01*float64(i)}, {Piece: "the", P: 0.25}, {Piece: "##ing", P: 0.125}}
		w.Steps = append(w.Steps, engine.WriteStep{Piece: p, Top: top})
	}
	n, m := len(w.Steps), len(source)
	for layer := range fakeLayers {
		at := float32(layer + 1)
		causal := weightsMap(n, n, at+10)
		causal.Reach = func(q, k int) bool { return k <= q }
		w.Cross = append(w.Cross, engine.Layer{Number: layer + 1, Maps: []trace.Map{weightsMap(n, m, at)}})
		w.Decoder = append(w.Decoder, engine.Layer{Number: layer + 1, Maps: []trace.Map{causal}})
		rollout := weightsMap(m, m, at+30).HeadMean()
		rollout.Name = engine.Rollout
		w.Encoder = append(w.Encoder, engine.Layer{Number: layer + 1, Maps: []trace.Map{weightsMap(m, m, at+20), rollout}})
	}
	return w, nil
}

// weightsMap has the value of head, row and column in its digits.
func weightsMap(rows, cols int, at float32) trace.Map {
	t := trace.Map{Name: "weights", Kind: trace.Probability, Value: tensor.New(fakeHeads, rows, cols),
		Axes: []trace.Axis{{Role: trace.Head}, {Role: trace.Query}, {Role: trace.Key}}}
	for i := range t.Value.Data {
		t.Value.Data[i] = tensor.Elem(at)/100 + tensor.Elem(i)/1e6
	}
	return t
}

func newWriter(t *testing.T, w Writer) *Server {
	t.Helper()
	s, err := New(Options{
		Inspector: &fakeEngine{}, Writer: w, Entries: attention.Catalog, Stacks: encoder.Stacks, Version: "test",
		Info: func(id string) (*engine.ModelInfo, error) { return fakeInfo(id), nil }, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const writePath = "/m/encoder-decoder"

// TestWritingPage: every step is in the page, one is shown, its row is framed in the
// maps of the answer, and every link keeps the rest of the state.
func TestWritingPage(t *testing.T) {
	s := newWriter(t, fakeWriter{})
	w := get(s, writePath+"?text=The+old+cat&step=2&layer=1&head=3&theme=dark")
	if w.Code != http.StatusOK {
		t.Fatalf("%d %.300s", w.Code, w.Body)
	}
	doc := parse(t, w)
	if bad := inline(doc); len(bad) > 0 {
		t.Error(bad)
	}
	steps := all(doc, "a.step")
	want := []string{"cat", "old", "the", "[SEP]"}
	for i, a := range steps {
		href, _ := attr(a, "href")
		u, err := url.Parse(href)
		if err != nil || textOf(a) != want[i] || u.Path != writePath || u.Query().Get("step") != string(rune('1'+i)) ||
			u.Query().Get("head") != "3" || u.Query().Get("layer") != "1" || u.Query().Get("theme") != "dark" || u.Query().Get("text") != "The old cat" {
			t.Errorf("step %d is %q and leads to %s", i+1, textOf(a), href)
		}
		if now, _ := attr(a, "aria-current"); (now == "step") != (i == 1) {
			t.Errorf("step %d: aria-current %s", i+1, now)
		}
	}
	if len(steps) != len(want) {
		t.Fatalf("%d steps", len(steps))
	}
	for i, panel := range all(doc, "section.step-panel") {
		if _, hidden := attr(panel, "hidden"); hidden != (i != 1) {
			t.Errorf("panel %d is hidden: %v", i+1, hidden)
		}
		words := all(panel, "bdi.likely-word")
		if len(words) != 3 || textOf(words[0]) != want[i] || len(all(panel, "li.right")) == 0 {
			t.Errorf("panel %d: %s", i+1, textOf(panel))
		}
	}
	for name, y := range map[string]string{"cross": "1", "decoder": "1", "encoder": "", encoderRollout: ""} {
		figures := all(doc, "figure#view-encoder-decoder-"+name)
		if len(figures) != 1 {
			t.Fatalf("%d maps of %s", len(figures), name)
		}
		marks := all(figures[0], "rect.marked-over")
		if got := len(marks); got != len(y) {
			t.Errorf("%s has %d frames", name, got)
		} else if got == 1 {
			if at, _ := attr(marks[0], "y"); at != y {
				t.Errorf("%s: row %s is framed", name, at)
			}
		}
		img := all(figures[0], "img")
		src, _ := attr(img[0], "src")
		picture(t, s, src)
	}
	thumbs := all(doc, "a.thumb")
	if len(thumbs) != 3*fakeLayers*(1+fakeHeads) {
		t.Errorf("%d small pictures", len(thumbs))
	}
	current := 0
	for _, a := range thumbs {
		href, _ := attr(a, "href")
		u, _ := url.Parse(href)
		src, _ := attr(all(a, "img")[0], "src")
		of, _ := url.Parse(src)
		if u.Path != writePath || u.Query().Get("step") != "2" || of.Query().Get("layer") != u.Query().Get("layer") || of.Query().Get("head") != u.Query().Get("head") {
			t.Errorf("%s leads to %s", src, href)
		}
		picture(t, s, src)
		if now, _ := attr(a, "aria-current"); now == "true" {
			current++
			if u.Query().Get("layer") != "1" || u.Query().Get("head") != "3" {
				t.Errorf("%s is current", href)
			}
		}
	}
	if current != 3 {
		t.Errorf("%d small pictures are current", current)
	}
	src, _ := attr(all(doc, "main")[0], "data-src")
	maps := drawing(t, s, strings.TrimPrefix(src, drawingPath+"?")).Mechanisms[0].Maps
	for i, want := range []string{"cross [[CLS] The old cat [SEP]]", "decoder [[CLS] cat old the]"} {
		if got := fmt.Sprint(maps[i].Name, " ", maps[i].Axes[1].Labels); got != want {
			t.Errorf("the columns of %s, want %s", got, want)
		}
	}
	for _, says := range []string{"Right: these are the words", "filled up with [PAD]", "1706.03762", "sec. 3.2.3"} {
		if !strings.Contains(textOf(doc), says) {
			t.Errorf("the page does not say %q", says)
		}
	}
}

// TestWritingIsJudged: a wrong answer is called wrong, at the step of its first mistake.
func TestWritingIsJudged(t *testing.T) {
	doc := parse(t, get(newWriter(t, fakeWriter{}), writePath+"?text=all+is+wrong+here&step=2"))
	badges := all(doc, "p.badge.fails")
	if len(badges) != 1 || !strings.Contains(textOf(badges[0]), "Right would be “here wrong is all”. The first mistake is step 2.") {
		t.Errorf("%s", textOf(doc))
	}
	const bytes = "counts as a word"
	for text, says := range map[string]bool{"the+cat": false, "привет": true} {
		page := textOf(parse(t, get(newWriter(t, fakeWriter{}), writePath+"?text="+text)))
		if strings.Contains(page, bytes) != says {
			t.Errorf("%s: says what a word is: %v", text, !says)
		}
	}
	wrong := all(doc, "a.step.wrong")
	if len(wrong) != 1 || textOf(wrong[0]) != "⟨E7⟩" {
		t.Errorf("%d steps are called wrong", len(wrong))
	}
	if p := all(doc, "p.step-wrong"); len(p) != 1 || !strings.Contains(textOf(p[0]), "Right would be wrong") {
		t.Error("the step does not say what would be right")
	}
}

// TestWritingRefuses: whatever is wrong, a sentence says it and the page stands.
func TestWritingRefuses(t *testing.T) {
	s := newWriter(t, fakeWriter{})
	for query, want := range map[string]struct {
		status int
		says   string
	}{
		"?text=":                              {http.StatusBadRequest, "There are no words in the text"},
		"?text=" + strings.Repeat("the+", 30): {http.StatusUnprocessableEntity, "Shorten the text by 6 tokens"},
		"?text=a+cat&step=9":                  {http.StatusNotFound, "There is no step 9; the model wrote in 3 steps."},
		"?text=a+cat&step=x":                  {http.StatusBadRequest, "step="},
		"?text=a+cat&layer=7":                 {http.StatusNotFound, "There is no layer 7"},
		"?text=a+cat&head=7":                  {http.StatusNotFound, "There is no head 7"},
		"?text=a+cat&colour=red":              {http.StatusBadRequest, "colour"},
		"?text=" + url.QueryEscape(strings.Repeat("x", engine.MaxTextBytes+1)): {http.StatusRequestEntityTooLarge, "at most 65"},
		"?text=" + url.QueryEscape("<script>alert(1)</script>\x00\xff"):        {http.StatusOK, "<script>alert(1)</script>"},
		"?m=dense&mask=causal&pin=1.2":                                         {http.StatusOK, "It writes"}, // a link of the wall
	} {
		w := get(s, writePath+query)
		doc := parse(t, w)
		if w.Code != want.status || !strings.Contains(strings.ReplaceAll(textOf(doc), "\u202f", ""), want.says) {
			t.Errorf("%.60s: status %d", query, w.Code)
		}
		if len(all(doc, "form#controls")) != 1 || len(inline(doc)) > 0 {
			t.Errorf("%.60s: the page does not stand", query)
		}
	}
	w := get(newWriter(t, nil), writePath)
	if doc := parse(t, w); w.Code != http.StatusOK || !strings.Contains(textOf(doc), "There is no trained model") || len(all(doc, "form#controls")) != 0 {
		t.Errorf("without a model: %d", w.Code)
	}
	if w := get(newWriter(t, nil), "/api/v1/write?text=a"); w.Code != http.StatusNotFound {
		t.Errorf("the API without a model: %d", w.Code)
	}
}

// TestWrittenFigure: the picture has the cells of the chosen map, layer and head, and
// its file says where they come from.
func TestWrittenFigure(t *testing.T) {
	s := newWriter(t, fakeWriter{})
	written, _ := fakeWriter{}.Write(t.Context(), engine.WriteRequest{Text: "The old cat"})
	for _, m := range writeMaps {
		state, _ := decodeWrite(url.Values{"text": {"The old cat"}, "layer": {"1"}, "head": {"2"}})
		spec, err := writeFigure{writeState: state, of: m}.spec(written)
		if err != nil {
			t.Fatal(err)
		}
		if (spec.Noun == rolloutNoun) != (m.name == encoderRollout) {
			t.Errorf("%s: values are called %q", m.name, spec.Noun)
		}
		source, _ := m.layers(written)[0].Find(m.array())
		want, _ := source.Head(1)
		if !slices.Equal(spec.Map.Value.Data, want.Value.Data) {
			t.Errorf("%s: other values", m.name)
		}
		img := picture(t, s, "/export/encoder-decoder.png?text=The+old+cat&layer=1&head=2&step=3&bare=1&norm=absolute&map="+m.name)
		if img.Bounds().Dx() != want.Value.Dim(1) || img.Bounds().Dy() != want.Value.Dim(0) {
			t.Errorf("%s: %v", m.name, img.Bounds())
		}
		grid, _ := figure.Quantise(figure.Spec{Map: want, Norm: figure.Absolute})
		last := want.Value.Len() - 1
		if got := rgb(img, last%want.Value.Dim(1), last/want.Value.Dim(1)); got != figure.Cividis.Table(figure.Light)[grid.Index[last]] {
			t.Errorf("%s: the last cell is %v", m.name, got)
		}
		w := get(s, "/export/encoder-decoder.png?text=The+old+cat&map="+m.name)
		head := "mean"
		if m.name == encoderRollout {
			head = "all"
		}
		if name := w.Header().Get("Content-Disposition"); name != `inline; filename="encoder-decoder-`+m.name+`-layer2-`+head+`.png"` {
			t.Error(name)
		}
		if body := w.Body.String(); !strings.Contains(body, "/export/encoder-decoder.png?layer=2&map="+m.name+"&text=The+old+cat") || !strings.Contains(body, "commit 0123456789abcdef") {
			t.Errorf("%s does not say where it comes from", m.name)
		}
	}
	for query, status := range map[string]int{"map=beta": 404, "map=cross&text=": 400, "map=cross&layer=9": 404, "map=cross&scale=x": 400, "map=cross&plane=1": 400} {
		if w := get(s, "/export/encoder-decoder.png?"+query); w.Code != status {
			t.Errorf("%s: %d", query, w.Code)
		}
	}
}

// TestWriteAPI: numbers are the engine's, labels are those of the axes.
func TestWriteAPI(t *testing.T) {
	s := newWriter(t, fakeWriter{})
	ask := func(query string) Write {
		w := get(s, "/api/v1/write?"+query)
		var a Write
		if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != http.StatusOK {
			t.Fatalf("%s: %d %v %.200s", query, w.Code, err, w.Body)
		}
		return a
	}
	a := ask("text=all+is+wrong+here")
	if a.Right || a.Answer != "here wrong is all" || len(a.Steps) != 5 || a.Steps[1].Right || !a.Steps[2].Right || a.Steps[1].Label != "⟨E7⟩" || a.Steps[1].P != 0.51 || len(a.Steps[1].Top) != 3 {
		t.Errorf("%+v", a)
	}
	if len(a.Maps) != 4*fakeLayers || len(a.Tokens) != 6 {
		t.Fatalf("%d maps, %d tokens", len(a.Maps), len(a.Tokens))
	}
	if m := a.Maps[3]; m.Of != "decoder" || m.Layer != 2 || !slices.Equal(m.Shape, []int{fakeHeads, 5, 5}) || !strings.HasPrefix(m.Reach, "1000011000") {
		t.Errorf("%s, layer %d, %v, %s", m.Of, m.Layer, m.Shape, m.Reach)
	}
	if l := a.Maps[3].Labels; len(l) != 3 || l[0] != nil || !slices.Equal(l[1], []string{"here", "⟨E7⟩", "is", "all", "[SEP]"}) || l[2][0] != "[CLS]" {
		t.Errorf("labels of all heads: %v", l)
	}
	one := ask("text=all+is+wrong+here&layer=2&head=3&map=cross")
	if len(one.Maps) != 1 || !slices.Equal(one.Maps[0].Shape, []int{5, 6}) || one.Maps[0].Values[7] != tensor.Elem(2)/100+tensor.Elem(2*30+7)/1e6 {
		t.Errorf("%+v", one.Maps)
	}
	if l := one.Maps[0].Labels; len(l) != 2 || l[0][0] != "here" || l[1][1] != "all" {
		t.Errorf("labels %v", l)
	}
	for query, status := range map[string]int{"": 400, "text=": 400, "text=a&layer=9": 404, "text=a&map=beta": 400, "text=" + strings.Repeat("the+", 30): 422} {
		if w := get(s, "/api/v1/write?"+query); w.Code != status {
			t.Errorf("%.40s: %d, want %d", query, w.Code, status)
		}
	}
	if doc := get(s, "/api/v1/openapi.json").Body.String(); !strings.Contains(doc, `"/api/v1/write"`) || !strings.Contains(doc, "what was written before, beginning with [CLS]") {
		t.Error("the API's description does not know it")
	}
}
