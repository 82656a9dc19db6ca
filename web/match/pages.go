// Package match shows why an encoder rates two texts as similar.
package match

import (
	"context"
	"embed"
	"net/http"
	"net/url"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/similarity"
	"attnatlas/static"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

//go:embed *.css
var own embed.FS

var files = static.Add("match", own)

// Paths of the page and of its map as a file, and keys of the page.
const (
	matchPath   = "/match"
	figurePath  = "/match/map."
	passagesKey = "passages"
	numberKey   = "passage"
)

// asked holds the parameters of the page besides the state, whose text is the query.
type asked struct {
	Passages string // one per line
	Number   int    // passage whose map is shown, from 1; 0: the best one
}

var askedTable = address.ParamTable[asked]{
	address.Custom(passagesKey, func(d *address.Decoder, a *asked) {
		if text, ok := d.Get(passagesKey); ok {
			a.Passages = text
		}
	}, func(a asked) string { return a.Passages }),
	address.Number(numberKey, func(a *asked) *int { return &a.Number }),
}

// lines returns the passages of a text: its lines that are not blank.
func (a asked) lines() (all []string) {
	for line := range strings.Lines(a.Passages) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// matcher is an optional interface of an Inspector.
type matcher interface {
	Match(ctx context.Context, r similarity.Question) (*similarity.Scores, error)
	MatchCost(r similarity.Question) engine.Cost
}

// pages serves the pages of matches.
type pages struct{ *site.Server }

// Pages returns the page about why two texts match, and its map as a file.
func Pages(server *site.Server) []site.Page {
	s := &pages{server}
	takes := address.Takes{Own: askedTable, State: []string{address.Text, address.Mechanisms, address.Theme}}
	numbers := &site.Data{ID: "match", API: true, Beside: matchPath + ".json", Answer: s.serveJSON, Usual: usual,
		Takes: takes, Out: Match{}}
	drawn := &site.Data{ID: "match-map", Beside: figurePath + "{format}", Answer: s.serveFigure, Usual: usual,
		Takes: takes}
	return []site.Page{{Path: matchPath, Aim: site.Compare, Title: "match.heading", Summary: "match.summary",
		Serve: s.Asked(numbers, s.serve), Of: s.of, Data: numbers}, {Data: drawn}}
}

// usual returns the default model of the page: the first encoder of this machine that can be opened, or else BERT.
func usual(_ *site.Server, r *http.Request, v url.Values) (string, error) {
	if !v.Has(address.Mechanisms) {
		v.Set(address.Mechanisms, encoder.BERT.ID)
		for _, g := range engine.Guests() {
			_, layer := g.Layer()
			if _, err := g.Info(); err == nil && !layer && g.Stack() == nil {
				v.Set(address.Mechanisms, g.ID)
				break
			}
		}
	}
	if l := site.Language(r); !strings.HasPrefix(r.URL.Path, "/api/") {
		for key, example := range map[string]string{address.Text: "match.example", passagesKey: "match.examples"} {
			if !v.Has(key) {
				v.Set(key, l.T(example))
			}
		}
	}
	return v.Get(address.Mechanisms), nil
}

// of returns the id of the label of a model's link to the page. It is empty if the model makes no vectors of texts.
func (s *pages) of(m *site.Mechanism) string {
	if _, ok := s.Engine.(matcher); !ok || m.Generates() || !s.Trained(m.ID) || m.Stack != nil &&
		m.Stack.Objective == encoder.NextWord {
		return ""
	}
	return "match.heading"
}

// match runs the engine once there is memory for it.
func (s *pages) match(r *http.Request, q address.Query) (m *similarity.Scores, err error) {
	a, _ := askedTable.Decode(q.Values)
	e, ok := s.Engine.(matcher)
	if !ok {
		return nil, fault.Errorf(fault.Unsupported, "match.no-server")
	}
	request := similarity.Question{Mechanism: q.State.Mechanisms[0], Query: q.State.Text, Passages: a.lines(),
		Chosen: a.Number}
	for _, text := range append(request.Passages, request.Query) {
		if err := address.CheckText(text); err != nil {
			return nil, err
		}
	}
	cost := e.MatchCost(request)
	if err := site.Claim(r.Context(), cost.Bytes); err != nil {
		return nil, err
	}
	err = site.InTurn(r.Context(), s.Long, cost.Operations, site.LongOperations, func() (err error) {
		m, err = e.Match(r.Context(), request)
		return err
	})
	return m, err
}
