package long

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"attnatlas/engine/ad"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/pyramid"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
	"attnatlas/web/address"
	"attnatlas/web/admission"
	"attnatlas/web/long/texts"
	"attnatlas/web/site"
)

// figurePath is the path of figures, without the format.
const figurePath = "/export/long."

// window holds the parameters of a figure besides the state and the appearance: first and last tokens, from 1. The zero
// span is the whole text.
type window struct{ Rows, Cols ad.Span }

// Keys of windows.
const (
	rowsKey = "rows"
	colsKey = "cols"
)

var (
	windowTable = address.ParamTable[window]{span(rowsKey, func(w *window) *ad.Span { return &w.Rows }),
		span(colsKey, func(w *window) *ad.Span { return &w.Cols })}
	figureParams = address.Both{windowTable, address.LookTable}
)

// span is a parameter with a first and a last number, such as 101-164.
func span(key string, field func(*window) *ad.Span) address.Param[window] {
	return address.Custom(key, func(d *address.Decoder, w *window) {
		value, ok := d.Get(key)
		if !ok || value == "" {
			return
		}
		first, last, _ := strings.Cut(value, "-")
		from, err := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if err != nil || err2 != nil || from < 1 || to < from {
			d.Fail(key, "long.span", "value", messages.Quote(value))
			return
		}
		*field(w) = ad.Span{From: from, To: to}
	}, func(w window) string {
		if s := *field(&w); s.To > 0 {
			return strconv.Itoa(s.From) + "-" + strconv.Itoa(s.To)
		}
		return ""
	})
}

// of returns the span from 0 in a text of n tokens.
func of(s ad.Span, n int) ad.Span {
	if s.To == 0 {
		return ad.Span{From: 0, To: n}
	}
	return ad.Span{From: s.From - 1, To: s.To}
}

// patience is the longest time that a figure waits until its text is read.
const patience = 50 * time.Second

// wait returns the sources of the maps of a text, after the model has read it.
func (s *pages) wait(ctx context.Context, id, content string) (t *texts.Text, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		if t, err = s.texts.Ask(ctx, id, content); err != nil || t.Done() != nil {
			return t, err
		}
		select {
		case <-ctx.Done():
			return nil, admission.Refuse("long.reading", texts.Unwatched)
		case <-tick.C:
		}
	}
}

// serveFigure answers GET /export/long.{format}: a part of the map of a head. The model reads the text first.
func (s *pages) serveFigure(w http.ResponseWriter, r *http.Request, q address.Query) error {
	_, format, ok := figure.FormatOf(strings.TrimPrefix(r.URL.Path, "/export/"))
	if !ok {
		return fault.Errorf(fault.NotFound, "match.no-format", "all", messages.List(figure.Extensions()))
	}
	st := state(q)
	if err := s.check(st); err != nil {
		return err
	}
	look, bad := address.ReadFigure(q.Values, st)
	if err := address.Join(bad); err != nil {
		return err
	}
	own, _ := windowTable.Decode(q.Values)
	t, err := s.wait(r.Context(), st.Mechanisms[0], st.Text)
	if err != nil {
		return err
	}
	h, err := t.Head(r.Context(), s.Server, st.Layer, st.Head)
	if err != nil {
		return err
	}
	n := len(t.Tokens)
	part, err := h.Window(r.Context(), of(own.Rows, n), of(own.Cols, n))
	if err != nil {
		return err
	}
	f, err := s.draw(site.Language(r), t, part, look)
	if err != nil {
		return err
	}
	f.Meta = s.provenance(site.Language(r), f, t, r.URL.RequestURI())
	site.FileHeader(w.Header(), format.MediaType, f.Name+"."+format.Extension)
	site.ResponseOf(r.Context()).Allow(site.MostDataBytes)
	encode := format.Encode
	if look.Bare {
		encode = format.Bare
	}
	return s.Draw(r.Context(), site.Pixels(f.Grid.Rows, f.Grid.Cols, look.Appearance), func() error { return encode(*f, w) })
}

// draw returns the figure of a part of a map. Weights have a logarithmic scale, as on the page; other numbers have one
// from 0 to the largest of the part.
func (s *pages) draw(l *messages.Language, t *texts.Text, part pyramid.Window, look address.FigureRequest) (*figure.Figure,
	error) {
	st, whole := look.State, t.Done()
	each := 1 << part.Level
	axis := func(role trace.Role, s ad.Span) trace.Axis {
		a := trace.Axis{Role: role, First: s.From, Each: each}
		if part.Level == 0 {
			a.Labels, a.Text = tokenizer.Labels(whole.Tokens[s.From:s.To]), true
		}
		return a
	}
	m := trace.Map{Name: whole.View.Map, Kind: whole.Kind, Value: part.Values,
		Axes: []trace.Axis{axis(trace.Query, part.Rows), axis(trace.Key, part.Cols)}}
	if whole.Causal {
		m.Reach = func(q, k int) bool { return part.Cols.From+k*each < part.Rows.From+(q+1)*each }
	}
	norm := figure.PerMap
	if whole.Kind == trace.Probability {
		norm = figure.Log
	}
	about := []messages.Message{messages.New("long.figure.place", "layer", st.Layer, "head", st.Head),
		messages.New("long.figure.window", "rows", spanned(part.Rows), "columns", spanned(part.Cols), "tokens",
			messages.Grouped(len(whole.Tokens)))}
	if part.Level > 0 {
		about = append(about, messages.New("long.figure.pooled", "side", each))
	}
	entry := s.Find(st.Mechanisms[0])
	return figure.New(figure.Spec{
		Name: fmt.Sprintf("%s-layer%d-head%d-%d-%d", st.Mechanisms[0], st.Layer, st.Head, part.Rows.From+1,
			part.Cols.From+1),
		Title:    l.Say(messages.Join(" · ", entry.Name, messages.Text(whole.View.Symbol))),
		Subtitle: l.Say(messages.Join(" · ", append(about, messages.Text(exhibit.Opening(st.Text)))...)),
		Language: l, Map: m, Norm: norm, Palette: look.Palette, Theme: look.Appearance.Theme, Scale: look.Scale,
		DPI: look.DPI, Transparent: look.Transparent, Untitled: look.Untitled, Numbers: look.Numbers, Preset: look.Preset,
	})
}

// spanned writes a span as first and last numbers.
func spanned(s ad.Span) string { return strconv.Itoa(s.From+1) + "–" + strconv.Itoa(s.To) }

// provenance returns the statements about a figure that its file carries.
func (s *pages) provenance(l *messages.Language, f *figure.Figure, t *texts.Text, source string) []figure.Meta {
	return append([]figure.Meta{
		{Key: "Software", Value: strings.TrimSpace("Attention Atlas " + s.Version)}, {Key: "Source", Value: source},
		{Key: "Command", Value: exhibit.Command(source)}, {Key: "Description", Value: f.Title + ". " + f.Subtitle},
		{Key: "Normalisation", Value: f.Grid.Scale.Norm.String()},
	}, exhibit.ModelProvenance(l, t.Done().Model, len(t.Tokens))...)
}
