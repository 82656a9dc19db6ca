package address

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/nn"
)

// Wall is the address of the wall in a state.
func Wall(s State) string { return At("/", Encode(s)) }

// TextQuery is the part of addresses that names their text.
func TextQuery(text string) string { return url.Values{Text: {text}}.Encode() }

// Embed is the address of the wall for a frame.
func Embed(s State) string { return At("/embed", Encode(s)) }

// Page is the address of a page of another kind, with the text and the choices of a state, so
// that they are there again on the way back.
func Page(path string, s State) string {
	s.Pin, s.Step, s.After = Pin{}, 0, ""
	if s.Text == DefaultSource {
		s.Text = DefaultText
	}
	if s.Layer == 1 {
		s.Layer = 0 // it is the usual one
	}
	return At(path, Encode(s.Untold()))
}

// MechanismPath is the path of a mechanism's page.
func MechanismPath(id string) string { return "/m/" + url.PathEscape(id) }

// Mechanism is the address of a mechanism's page in a state, whatever
// mechanisms the state has.
func Mechanism(s State, id string) string {
	large := s.Large
	if s = s.Plain().SingleCard(id); large == id {
		s.Large = id
	}
	v := encode(s, defaultTextOf(id))
	v.Del(Mechanisms)
	return At(MechanismPath(id), v)
}

// Source is the address of the file in which a mechanism is written.
func Source(s State, id string) string {
	path, query, asked := strings.Cut(Mechanism(s, id), "?")
	if path += "/source"; asked {
		path += "?" + query
	}
	return path
}

// Export is the address of a figure. Neither what masks hide nor the step is on any figure,
// nor what is said above it, nor a second text, nor the pin, but for arcs of its row.
func Export(s State, id, extension string, extra url.Values) string {
	v := Encode(s.drawn(extension, extra).of(id))
	for key, values := range extra {
		v[key] = values
	}
	return At("/export/"+url.PathEscape(id)+"."+extension, v)
}

// drawn is what of a state is on figures of a format.
func (s State) drawn(extension string, extra url.Values) State {
	arcs := s.Draw == Arcs && extra.Get(Bare) == "" && slices.Contains(figure.BoardExtensions(), extension)
	row := s.Pin.Row
	s.Pin, s.Was, s.Step, s.Other = Pin{}, nil, 0, ""
	if s = s.Plain(); arcs {
		s.Draw, s.Pin.Row = Arcs, row
	}
	return s
}

// WallFile is the name of the figures of a wall, without their extension.
const WallFile = "wall"

// WallExport is the address of a file of all cards.
func WallExport(s State, extension string, extra url.Values) string {
	v := Encode(s.drawn(extension, extra))
	for key, values := range extra {
		v[key] = values
	}
	return At("/export/"+WallFile+"."+extension, v)
}

// Attend is the address of the numbers of one layer and one head, of the maps of
// these names, or of all.
func Attend(s State, maps []string) string {
	if len(s.Mechanisms) == 1 {
		s = s.SingleCard(s.Mechanisms[0])
	}
	v := url.Values{Text: {s.Text}, Mechanisms: {listed(s.Mechanisms)}, Head: {exhibit.HeadName(s.Head)}}
	own := s.plain()
	writeHeads(v, own.Heads)
	writeCuts(v, own.Cuts.Own)
	if len(own.Cuts.All) > 0 {
		v.Set(CutKey, s.Value(CutKey))
	}
	if s.Layer > 0 {
		v.Set(Layer, strconv.Itoa(s.Layer))
	}
	if s.Mask != nn.NoMask {
		v.Set(Mask, s.Mask.String())
	}
	if s.Task != "" {
		v.Set(Task, s.Task)
	}
	if s.Show != exhibit.Maps {
		v.Set(Show, s.Show.String())
	}
	for _, key := range FilterKeys {
		if value := s.Value(key); value != Default().Value(key) {
			v.Set(key, value)
		}
	}
	if len(maps) > 0 {
		v.Set(Map, strings.Join(maps, ","))
	}
	return At("/api/v1/attend", v)
}

// Drawing is the address of maps as a page draws them; of all mechanisms of the state,
// or of one: a scale that they share depends on the others. Colours have no part in it.
// With a second text, all mechanisms' maps are those of both.
func Drawing(s State, of string, maps []string) string {
	usual := Default()
	s.Cmap, s.Theme, s.Pin, s.Was, s.Step = usual.Cmap, usual.Theme, usual.Pin, nil, 0
	s = s.Plain()
	if of != "" {
		s = s.of(of)
	}
	v := Encode(s)
	v.Set(Text, s.Text)
	v.Set(Mechanisms, listed(s.Mechanisms))
	v.Set(Map, strings.Join(maps, ","))
	if of != "" {
		v.Set(Of, of)
		v.Del(Other)
	}
	return At("/api/v1/drawing", v)
}

// Training is the address of the recorded maps of a state.
func Training(s State) string {
	v := url.Values{Text: {s.Text}, Mechanisms: {listed(s.Mechanisms)}}
	for _, key := range []string{Task, Layer, Head, Norm} {
		if value := s.Value(key); value != "" && value != Default().Value(key) {
			v.Set(key, value)
		}
	}
	return At("/api/v1/training", v)
}

// Write is the address of the numbers of what an encoder–decoder wrote.
func Write(s State) string {
	v := url.Values{Text: {s.Text}, Head: {exhibit.HeadName(s.Head)}}
	if s.Layer > 0 {
		v.Set(Layer, strconv.Itoa(s.Layer))
	}
	if s.Task != "" {
		v.Set(Task, s.Task)
	}
	if cut := engine.JoinCuts(s.Cuts.Of(s.Mechanisms[0])); cut != "" {
		v.Set(CutKey, cut)
	}
	return At("/api/v1/write", v)
}

// The paths of pages to which others lead.
const (
	ExplainPath = "/explain"
	StepsPath   = "/steps"
)

// One is the address of a page about one model, or under path of its numbers: with the choices of a state, without
// what other cards are compared with, and with the page's own parameters.
func One(path string, s State, id string, own url.Values) string {
	v := OneQuery(s, id, own)
	if strings.HasPrefix(path, "/api/") {
		v.Set(Text, s.Text) // numbers name it
	}
	return At(path, v)
}

// OneQuery is the query of a page about one model.
func OneQuery(s State, id string, own url.Values) url.Values {
	s = s.Plain().SingleCard(id)
	s.Mechanisms, s.Other, s.After, s.Show, s.Filter = []string{id}, "", "", exhibit.Maps, exhibit.Filter{}
	v := Encode(s)
	v.Set(Mechanisms, id)
	maps.Copy(v, own)
	return v
}

// Word is the state with the row of its pin alone: the word that a page follows.
func (s State) Word() State {
	s.Pin.Col = 0
	return s
}

// At is a path with a query, if there is any.
func At(path string, v url.Values) string {
	if len(v) == 0 {
		return path
	}
	return path + "?" + v.Encode()
}

// Kept is an address that programs which find links in texts find whole: they leave a full stop at its end out.
func Kept(address string) string {
	if bare, ends := strings.CutSuffix(address, "."); ends {
		return bare + "%2E"
	}
	return address
}
