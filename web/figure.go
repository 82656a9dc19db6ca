package web

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/figure"
	"attnatlas/engine/trace"
)

// Figure says what to draw of a report. The page, the export route and the
// command line fill it in and share everything that follows.
type Figure struct {
	State
	Mechanism   string // id
	Map         string // name of a map; empty: the mechanism's main map
	Plane       int    // from 1, of a map that is a stack; 0: the first
	Version     string // of the program, for the file's provenance
	Scale       int    // pixels per cell; 0 chooses by size
	DPI         int    // 0: figure's default
	Transparent bool
}

// Spec is the figure as package figure draws it.
func (f Figure) Spec(r *engine.Report) (figure.Spec, error) {
	p, err := f.pick(r)
	if err != nil {
		return figure.Spec{}, err
	}
	symbol := ""
	v, ok := viewOf(p.res, p.t.Name)
	if ok {
		symbol = " · " + v.Symbol
	}
	if p.whole || p.t.Name == engine.Rollout {
		symbol = " · " + p.t.Name + " " + v.Symbol // these symbols are those of other maps, too
	}
	labels := Labels(r)
	spec := figure.Spec{
		Title:       nameOf(p.res) + symbol,
		Subtitle:    p.where(" · ") + " · “" + beginning(r.Text) + "”",
		Map:         p.t,
		RowLabels:   axisLabels(p.t, 2, labels),
		ColLabels:   axisLabels(p.t, 1, labels),
		Norm:        f.normFor(p.t),
		SharedMax:   sharedMax(r, f.State, p.t),
		Palette:     f.Cmap,
		Theme:       f.theme(),
		Scale:       f.Scale,
		DPI:         f.DPI,
		Transparent: f.Transparent,
		Meta:        f.provenance(p),
	}
	spec.RowSeam, spec.ColSeam = seams(r, spec)
	if p.t.Name == engine.Influence {
		spec.RowTitle, spec.ColTitle, spec.Noun = "output ↓", "input →", influenceNoun
	}
	if p.t.Name == engine.Rollout {
		spec.RowTitle, spec.ColTitle, spec.Noun = "word ↓", "comes from →", rolloutNoun
	}
	if p.stack.Form == figure.Wiring {
		spec.ColLabels = labels // the words that enter at the first places
	}
	if p.stack.Planes > 0 && f.Norm == figure.PerMap {
		spec.Norm, spec.SharedMax = figure.Shared, p.largest // the planes are to be compared
	}
	if v.By != "" {
		by, err := pickMap(p.res, f.State, v.By)
		if err != nil {
			return figure.Spec{}, err
		}
		spec.By, spec.Words = &by, labels
	}
	return spec, nil
}

// theme is the theme of the paper: a figure does not know the visitor's system.
func (f Figure) theme() figure.Theme {
	if f.Theme == figure.Dark.String() {
		return figure.Dark
	}
	return figure.Light
}

// FileName is the name under which the figure is saved.
func (f Figure) FileName(r *engine.Report, extension string) (string, error) {
	p, err := f.pick(r)
	if err != nil {
		return "", err
	}
	return p.file(f.Head, extension), nil
}

// provenance is what the file says of its origin: enough to make it again.
func (f Figure) provenance(p picked) []figure.Meta {
	s := f.State
	s.Layer, s.Pin, s.Was = p.layer.Number, Pin{}, nil // layer 0: of the whole model
	v := Encode(s)
	v.Set(keyMap, p.t.Name)
	if p.stack.Planes > 0 {
		v.Set(keyPlane, strconv.Itoa(p.plane))
	}
	meta := []figure.Meta{
		{Key: "Software", Value: strings.TrimSpace("Attention Atlas " + f.Version)},
		{Key: "Source", Value: "/export/" + p.res.ID + ".png?" + v.Encode()},
		{Key: "Description", Value: fmt.Sprintf("%s, map %s, %s, normalisation %s. Text: %s",
			nameOf(p.res), p.t.Name, p.where(", "), f.normFor(p.t), strings.ToValidUTF8(f.Text, "\uFFFD"))},
	}
	if m := p.res.Model; m != nil {
		meta = append(meta, figure.Meta{Key: "Weights", Value: weightsOf(m)})
	}
	return meta
}

// weightsOf says where a model's weights come from.
func weightsOf(m *engine.ModelInfo) string {
	return fmt.Sprintf("trained by Attention Atlas at commit %s: %d steps, %d tokens, seed %d", m.Commit, m.Steps, m.Tokens, m.Seed)
}

// find is the result of a mechanism, or nil.
func find(r *engine.Report, id string) *engine.Result {
	for i := range r.Mechanisms {
		if r.Mechanisms[i].ID == id {
			return &r.Mechanisms[i]
		}
	}
	return nil
}

// mainMap is the name of the map that a mechanism shows first.
func mainMap(e *attention.Entry) string {
	if e == nil || len(e.Views) == 0 {
		return "weights"
	}
	return e.Views[0].Map
}

func viewOf(res *engine.Result, name string) (attention.View, bool) {
	if v, ok := derived(name); ok {
		return v, true
	}
	for _, v := range allViews(res) {
		if v.Map == name {
			return v, true
		}
	}
	return attention.View{}, false
}

// allViews are those of a mechanism's layers and of the stack around them.
func allViews(res *engine.Result) []attention.View {
	var views []attention.View
	if res.Entry != nil {
		views = res.Entry.Views
	}
	if res.Stack != nil {
		views = slices.Concat(views, res.Stack.Views)
	}
	return views
}

func headPhrase(head, heads int) string {
	if head == MeanHead {
		return "mean of " + strconv.Itoa(heads) + " heads"
	}
	return "head " + strconv.Itoa(head)
}

// beginning is the start of a text on one line.
func beginning(text string) string {
	const limit = 48
	runes := []rune(strings.Join(strings.Fields(text), " "))
	cut := len(runes) > limit
	if cut {
		runes = runes[:limit]
	}
	var b strings.Builder
	for word := range strings.SplitSeq(string(runes), " ") {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if word != "" {
			b.WriteString(visible(word))
		}
	}
	if cut {
		b.WriteString("…")
	}
	return b.String()
}

// axisLabels are the tokens' labels if the axis, counted from the last, runs
// over the text's positions.
func axisLabels(t trace.Map, fromLast int, labels []string) []string {
	i := len(t.Axes) - fromLast
	if i < 0 || t.Value.Dim(i) != len(labels) {
		return nil
	}
	switch t.Axes[i].Role {
	case trace.Query, trace.Key, trace.Token:
		return labels
	}
	return nil
}

// sharedMax is the largest |value| of the maps of the same rank and kind that
// the mechanisms of a report show for a state: the end of the common scale.
func sharedMax(r *engine.Report, s State, like trace.Map) float64 {
	if s.Norm != figure.Shared {
		return 0
	}
	top := largest(like)
	for i := range r.Mechanisms {
		m := &r.Mechanisms[i]
		if m.Err != nil || m.Entry == nil {
			continue
		}
		for _, v := range s.views(m.Entry) {
			t, err := pickMap(m, s, v.Map)
			if err == nil && t.Kind == like.Kind && t.Value.Rank() == like.Value.Rank() {
				top = max(top, largest(t))
			}
		}
	}
	if top == 0 {
		return 1 // nothing but zeros: any end will do
	}
	return top
}

// largest is the largest finite |value| of the cells within reach.
func largest(t trace.Map) float64 {
	top := 0.0
	n := t.Value.Rank()
	for i, v := range t.Value.Data {
		a := math.Abs(float64(v))
		if math.IsNaN(a) || math.IsInf(a, 0) {
			continue
		}
		if t.Reach != nil && n == 2 && !t.Reach(i/t.Value.Dim(1), i%t.Value.Dim(1)) {
			continue
		}
		top = max(top, a)
	}
	return top
}
