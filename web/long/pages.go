// Package long shows the attention maps of long texts in tiles, which are computed when the visitor looks at them.
package long

import (
	"embed"
	"encoding/binary"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/static"
	"attnatlas/web/address"
	"attnatlas/web/long/texts"
	"attnatlas/web/site"
)

//go:embed *.js *.css
var own embed.FS

var files = static.Add("long", own)

// Path of the page, id of the tiles, and their keys.
const (
	path     = "/long"
	tileID   = "long-tile"
	findKey  = "find"
	keyKey   = "key"
	levelKey = "level"
	rowKey   = "row"
	colKey   = "col"
)

// asked holds the parameters of the page and of tiles, besides the state. Level, Row and Col count from 1; 0 means 1.
type asked struct {
	Find, Key       string
	Level, Row, Col int
}

var (
	askedTable = address.ParamTable[asked]{address.String(findKey, func(a *asked) *string { return &a.Find })}
	tileTable  = address.ParamTable[asked]{
		address.Required(address.String(keyKey, func(a *asked) *string { return &a.Key })),
		address.Number(levelKey, func(a *asked) *int { return &a.Level }),
		address.Number(rowKey, func(a *asked) *int { return &a.Row }),
		address.Number(colKey, func(a *asked) *int { return &a.Col }),
	}
)

// pages serves the pages of long texts.
type pages struct {
	*site.Server
	texts *texts.Texts // nil: the server's engine reads no long texts
}

// Pages returns the page of long texts.
func Pages(server *site.Server) []site.Page {
	s := &pages{Server: server}
	if e, ok := server.Engine.(texts.Reader); ok {
		s.texts = texts.New(server, e)
	}
	numbers := &site.Data{ID: path[1:], API: true, Beside: path + ".json", Answer: s.serveJSON, Usual: s.usual,
		Takes: address.Takes{Own: askedTable, State: []string{address.Text, address.Mechanisms, address.Layer, address.Head,
			address.PinKey}}, Out: Long{}}
	tile := &site.Data{ID: tileID, API: true, Answer: s.serveTile,
		Takes: address.Takes{Own: tileTable, State: []string{address.Layer, address.Head}}}
	drawn := &site.Data{ID: "long-map", Beside: figurePath + "{format}", Answer: s.serveFigure, Usual: s.usual,
		Takes: address.Takes{Own: figureParams, State: []string{address.Text, address.Mechanisms, address.Layer,
			address.Head, address.Cmap, address.Theme}}}
	return []site.Page{{Path: path, Aim: site.Look, Title: "long.title", Summary: "long.summary",
		Serve: s.Asked(numbers, s.serve), Of: s.of, Data: numbers}, {Data: tile}, {Data: drawn}}
}

// of returns the id of the label of a model's link to the page. It is empty if the page does not cover the model.
func (s *pages) of(m *site.Mechanism) string {
	if s.texts == nil || !s.texts.Longs(m.ID) {
		return ""
	}
	return "long.title"
}

// usual returns the default model, dot product, and sets the example as the text of an address without one.
func (s *pages) usual(_ *site.Server, r *http.Request, v url.Values) (string, error) {
	if !v.Has(address.Mechanisms) {
		v.Set(address.Mechanisms, attention.DotProduct.ID)
	}
	id := v.Get(address.Mechanisms)
	if !v.Has(address.Text) && s.texts != nil && !strings.HasPrefix(r.URL.Path, "/api/") {
		v.Set(address.Text, s.example(site.Language(r), id))
	}
	return id, nil
}

// exampleTokens is about the number of tokens of the example.
const exampleTokens = 1000

// example returns a text in which one sentence differs from all others, and whose end asks for it. It is as long as the
// texts of the model's training, up to exampleTokens.
func (s *pages) example(l *messages.Language, id string) string {
	filler, needle, question := l.T("long.example.filler"), l.T("long.example.needle"), l.T("long.example.question")
	one, err := s.texts.Measure(id, filler)
	whole, err2 := s.texts.Measure(id, needle+" "+question)
	info := s.Model(id)
	if err != nil || err2 != nil || info == nil {
		return needle + " " + question // the page says why the model does not read it
	}
	times := max(2, (min(info.Length, exampleTokens)-len(whole.Tokens))/len(one.Tokens))
	sentences := make([]string, times, times+2)
	for i := range sentences {
		sentences[i] = filler
	}
	sentences[times/3] += " " + needle
	return strings.Join(append(sentences, question), " ")
}

// state returns the state of an address, with layer and head from 1.
func state(q address.Query) address.State {
	st := q.State.One()
	st.Layer = max(st.Layer, 1)
	if st.Head == exhibit.Auto || st.Head == exhibit.Mean {
		st.Head = 1
	}
	return st
}

// check returns why no text is read, or nil.
func (s *pages) check(st address.State) error {
	switch {
	case s.Find(st.Mechanisms[0]) == nil:
		return s.NoMechanism(st.Mechanisms[0])
	case s.Published:
		return fault.Errorf(fault.Unsupported, "long.published")
	case s.texts == nil:
		return fault.Errorf(fault.Unsupported, "long.none")
	}
	return address.CheckText(st.Text)
}

// Limits of an answer.
const (
	mostLinks   = 12
	mostReaders = 12
	mostFound   = 100
)

// serveJSON answers with the present data of a text. The first request starts the reading.
func (s *pages) serveJSON(w http.ResponseWriter, r *http.Request, q address.Query) error {
	st := state(q)
	if err := s.check(st); err != nil {
		return err
	}
	t, err := s.texts.Ask(r.Context(), st.Mechanisms[0], st.Text)
	if err != nil {
		return err
	}
	of, l := t.LongText, t.Done()
	if l != nil {
		of = l.LongText
	}
	a := newLong(st.Mechanisms[0], t.Key, of, t.Read())
	if l != nil {
		if err := s.fill(r, q, &a, t, st); err != nil {
			return err
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	return site.SendJSON(w, a)
}

// fill adds what depends on a head, a searched word and a pinned cell.
func (s *pages) fill(r *http.Request, q address.Query, a *Long, t *texts.Text, st address.State) error {
	h, err := t.Head(r.Context(), s.Server, st.Layer, st.Head)
	if err != nil {
		return err
	}
	a.Layer, a.Head, a.Levels, a.Kind, a.Most = st.Layer, st.Head, h.Levels(), t.Done().Kind.String(), h.Most()
	a.Links = newLongLinks(h.Links(mostLinks))
	own, _ := askedTable.Decode(q.Values)
	for _, span := range find(t.LongText, st.Text, own.Find) {
		best := h.Far(span[0])
		for key := span[0]; key <= span[1]; key++ {
			if far := h.Far(key); far.Weight > best.Weight {
				best = far
			}
		}
		a.Found = append(a.Found, LongFound{From: span[0] + 1, To: span[1] + 1, Link: newLongLink(best)})
	}
	row, col := st.Pin.Row, st.Pin.Col
	if n := len(t.Tokens); row > n || col > n {
		return fault.Errorf(fault.NotFound, "long.pin", "row", row, "column", col, "tokens", n)
	}
	if row > 0 && col > 0 {
		readers, err := t.Done().Readers(r.Context(), row-1, []int{col - 1}, mostReaders)
		if err != nil {
			return err
		}
		a.Readers = newLongLinks(readers)
	}
	return nil
}

// find returns the first and last tokens, from 0, of the places where a text has a word, whatever its case.
func find(of engine.LongText, text, word string) (spans [][2]int) {
	if word = strings.TrimSpace(word); word == "" {
		return nil
	}
	pattern, err := regexp.Compile("(?i)" + regexp.QuoteMeta(word))
	if err != nil {
		return nil // the word is not UTF-8, so no text has it
	}
	at := 0
	for _, place := range pattern.FindAllStringIndex(text, mostFound) {
		for at < len(of.Tokens) && of.Tokens[at].End <= place[0] {
			at++
		}
		last := at
		for last+1 < len(of.Tokens) && of.Tokens[last+1].Start < place[1] && !of.Tokens[last+1].IsSpecial() {
			last++
		}
		if at < len(of.Tokens) {
			spans = append(spans, [2]int{at, last})
		}
	}
	return spans
}

// serveTile answers with the weights of a tile, row by row, as 32-bit floating-point numbers in little-endian order.
func (s *pages) serveTile(w http.ResponseWriter, r *http.Request, q address.Query) error {
	own, _ := tileTable.Decode(q.Values)
	st := state(q)
	if s.texts == nil || s.Published {
		return fault.Errorf(fault.Unsupported, "long.none")
	}
	t := s.texts.Find(own.Key)
	if t == nil || t.Done() == nil {
		return fault.Errorf(fault.NotFound, "long.key", "key", messages.Quote(own.Key))
	}
	h, err := t.Head(r.Context(), s.Server, st.Layer, st.Head)
	if err != nil {
		return err
	}
	tile, err := h.Tile(r.Context(), max(own.Level, 1)-1, max(own.Row, 1)-1, max(own.Col, 1)-1)
	if err != nil {
		return err
	}
	body := make([]byte, 0, 4*tile.Len())
	for _, v := range tile.Data {
		body = binary.LittleEndian.AppendUint32(body, math.Float32bits(float32(v)))
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	return site.ResponseOf(r.Context()).Take(body)
}
