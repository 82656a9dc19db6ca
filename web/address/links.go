package address

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/ablation"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/nn"
)

// Wall returns the URL of the main view in a state.
func Wall(s State) string { return At("/", Encode(s)) }

// TextQuery returns the query with a text.
func TextQuery(text string) string { return url.Values{Text: {text}}.Encode() }

// Embed returns the URL of the main view for an iframe.
func Embed(s State) string { return At("/embed", Encode(s)) }

// Page returns the URL of another kind of page. It keeps the text and the settings of a state, so
// that the way back restores them.
func Page(path string, s State) string {
	s.Pin, s.Step, s.After = Pin{}, 0, ""
	if s.Text == DefaultSource {
		s.Text = DefaultText
	}
	if s.Layer == 1 {
		s.Layer = 0 // the default
	}
	return At(path, Encode(s.Untold()))
}

// MechanismPath returns the path of a mechanism's page.
func MechanismPath(id string) string { return "/m/" + url.PathEscape(id) }

// Mechanism returns the URL of a mechanism's page in a state, for any mechanisms in the state.
func Mechanism(s State, id string) string {
	large := s.Large
	if s = s.Plain().SingleCard(id); large == id {
		s.Large = id
	}
	v := encode(s, defaultTextOf(id))
	v.Del(Mechanisms)
	return At(MechanismPath(id), v)
}

// Source returns the URL of the page with a mechanism's source code.
func Source(s State, id string) string {
	path, query, asked := strings.Cut(Mechanism(s, id), "?")
	if path += "/source"; asked {
		path += "?" + query
	}
	return path
}

// Export returns the URL of a figure. It leaves out the parts of the state that no figure shows:
// masked words, decoding step, sentence above the maps, second text, and pin (except for arcs of
// the pinned row).
func Export(s State, id, extension string, extra url.Values) string {
	v := Encode(s.drawn(extension, extra).of(id))
	for key, values := range extra {
		v[key] = values
	}
	return At("/export/"+url.PathEscape(id)+"."+extension, v)
}

// drawn returns the part of a state that figures of a format show.
func (s State) drawn(extension string, extra url.Values) State {
	arcs := s.Draw == Arcs && extra.Get(Bare) == "" && slices.Contains(figure.BoardExtensions(), extension)
	row := s.Pin.Row
	s.Pin, s.Was, s.Step, s.Other = Pin{}, nil, 0, ""
	if s = s.Plain(); arcs {
		s.Draw, s.Pin.Row = Arcs, row
	}
	return s
}

// WallFile is the base name of the figures of all cards.
const WallFile = "wall"

// WallExport returns the URL of a file of all cards.
func WallExport(s State, extension string, extra url.Values) string {
	v := Encode(s.drawn(extension, extra))
	for key, values := range extra {
		v[key] = values
	}
	return At("/export/"+WallFile+"."+extension, v)
}

// Attend returns the URL of the numbers of one layer and one head, for the named maps or for all.
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

// Drawing returns the URL of maps as a page draws them, for all mechanisms of the state or for one.
// A shared scale depends on the other mechanisms. The URL does not contain colours. With a second
// text, the maps of all mechanisms cover both texts.
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

// Training returns the URL of the training snapshots for a state.
func Training(s State) string {
	v := url.Values{Text: {s.Text}, Mechanisms: {listed(s.Mechanisms)}}
	for _, key := range []string{Task, Layer, Head, Norm} {
		if value := s.Value(key); value != "" && value != Default().Value(key) {
			v.Set(key, value)
		}
	}
	return At("/api/v1/training", v)
}

// Write returns the URL of the numbers of an encoder–decoder's output.
func Write(s State) string {
	v := url.Values{Text: {s.Text}, Head: {exhibit.HeadName(s.Head)}}
	if s.Layer > 0 {
		v.Set(Layer, strconv.Itoa(s.Layer))
	}
	if s.Task != "" {
		v.Set(Task, s.Task)
	}
	if cut := ablation.JoinCuts(s.Cuts.Of(s.Mechanisms[0])); cut != "" {
		v.Set(CutKey, cut)
	}
	return At("/api/v1/write", v)
}

// Paths of pages to which other pages link.
const (
	ExplainPath = "/explain"
	StepsPath   = "/steps"
)

// One returns the URL of a page about one model, or of its numbers. It keeps the settings of a
// state, without those for other cards, and adds the page's own parameters.
func One(path string, s State, id string, own url.Values) string {
	v := OneQuery(s, id, own)
	if strings.HasPrefix(path, "/api/") {
		v.Set(Text, s.Text) // URLs of numbers name the text
	}
	return At(path, v)
}

// OneQuery returns the query of a page about one model.
func OneQuery(s State, id string, own url.Values) url.Values {
	s = s.Plain().SingleCard(id)
	s.Mechanisms, s.Other, s.After, s.Show, s.Filter = []string{id}, "", "", exhibit.Maps, exhibit.Filter{}
	v := Encode(s)
	v.Set(Mechanisms, id)
	maps.Copy(v, own)
	return v
}

// Word returns the state with only the row of its pin: the selected word of a page.
func (s State) Word() State {
	s.Pin.Col = 0
	return s
}

// At returns a path with a query, if there is any.
func At(path string, v url.Values) string {
	if len(v) == 0 {
		return path
	}
	return path + "?" + v.Encode()
}

// Kept returns a URL that programs recognise as a whole when they find links in texts. They would
// leave out a full stop at its end.
func Kept(address string) string {
	if bare, ends := strings.CutSuffix(address, "."); ends {
		return bare + "%2E"
	}
	return address
}
