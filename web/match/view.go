package match

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/similarity"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// pageView is the page "/match".
type pageView struct {
	components.Page
	Problem  string
	Models   components.Select
	Query    string
	Passages string
	Most     int

	Says    []string // how the model computes scores
	Ranking []Ranked
	Map     components.Image // of the chosen passage; it has no address if there is none
	Sum     string
	Pairs   []Earned
	Sides   []Side // contribution of each token
	Links   []components.Link
	Own     []string // lines of commands that start a visitor's own model; nil: there is one already
}

// Ranked is a passage in the list that is sorted by score.
type Ranked struct {
	Rank   int
	Score  string
	Share  float64 // relative to the largest score, 0…1
	Text   string
	Link   components.Link
	Chosen bool
}

// Earned is a pair of words with its contribution to the score.
type Earned struct {
	Says, Value string
	Share       float64 // relative to the largest contribution, 0…1
	Negative    bool
}

// Side is one text with the contribution of each token.
type Side struct {
	Title string
	Words []Word
}

// Word is a token with its contribution to the score.
type Word struct {
	Label, Value string
	Share        float64
	Negative     bool
}

// serve answers GET /match. An error is shown above the form.
func (s *pages) serve(w http.ResponseWriter, r *http.Request, q address.Query) error {
	l := site.Language(r)
	a, _ := askedTable.Decode(q.Values)
	v := s.form(l, q, a)
	status := http.StatusOK
	m, err := s.match(r, q)
	switch {
	case err == nil:
		s.fill(l, &v, m, q, a)
	case site.StatusOf(err) >= http.StatusInternalServerError:
		return err
	default:
		v.Problem, status = site.FullStop(l.Say(site.MessageOf(err))), site.StatusOf(err)
	}
	return s.Render(w, r, status, MatchPage(v))
}

// form returns the page without results.
func (s *pages) form(l *messages.Language, q address.Query, a asked) pageView {
	v := pageView{
		Page:  s.Head(l, "match", l.T("match.heading"), l.T("match.summary"), q.State).With(files...),
		Query: site.Clean(q.State.Text), Passages: site.Clean(a.Passages), Most: similarity.MostPassages,
		Models: components.Select{Name: address.Mechanisms, Label: l.T("match.model")},
	}
	guests := 0
	for _, e := range s.Listed(q.State.Mechanisms[:1]) {
		if s.of(&e) == "" {
			continue
		}
		if engine.FindGuest(e.ID) != nil {
			guests++
		}
		v.Models.Options = append(v.Models.Options, components.SelectOption{Value: e.ID, Label: l.Say(e.Name),
			Selected: e.ID == q.State.Mechanisms[0]})
	}
	slices.SortStableFunc(v.Models.Options, func(a, b components.SelectOption) int { // guests first: they match texts
		return cmp.Compare(ofAtlas(a.Value), ofAtlas(b.Value))
	})
	if guests == 0 {
		v.Own = []string{"pip install huggingface_hub", "hf download sentence-transformers/all-MiniLM-L6-v2", "viz serve"}
	}
	return v
}

// ofAtlas returns 0 for a guest, and 1 for a model of the Atlas.
func ofAtlas(id string) int {
	if engine.FindGuest(id) != nil {
		return 0
	}
	return 1
}

// fill adds the results of the engine.
func (s *pages) fill(l *messages.Language, v *pageView, m *similarity.Scores, q address.Query, a asked) {
	chosen := m.Passages[m.Chosen]
	v.Says = says(l, m, chosen)
	top := 0.0
	for _, p := range m.Passages {
		top = max(top, math.Abs(p.Score))
	}
	for rank, i := range m.Ranking {
		p := m.Passages[i]
		to := a
		to.Number = i + 1
		v.Ranking = append(v.Ranking, Ranked{
			Rank: rank + 1, Score: messages.Number(p.Score), Share: share(p.Score, top), Text: site.Clean(p.Text),
			Chosen: i == m.Chosen,
			Link:   components.Link{Label: l.T("match.show", "number", i+1), URL: s.url(matchPath, q, to)},
		})
	}
	shown := a
	shown.Number = m.Chosen + 1
	v.Links = []components.Link{{Label: "JSON", URL: s.url("/api/v1/match", q, shown)}}
	switch {
	case m.Kind == similarity.CrossScore:
		pair := q.State
		pair.Text, pair.Mechanisms = m.Query.Text+tokenizer.PairMark+chosen.Text, []string{m.Mechanism}
		v.Links = append([]components.Link{{Label: l.T("match.maps"), URL: address.Wall(pair)}}, v.Links...)
	case m.Pairs.Cells == nil:
		v.Sides = []Side{side(l.T("match.zeroed-query"), m.Query.Tokens, m.Pairs.Zeroed[0]),
			side(l.T("match.zeroed-passage"), chosen.Tokens, m.Pairs.Zeroed[1])}
	default:
		s.addMap(l, v, m, q, shown)
	}
}

// addMap adds the map of the summands, and the pairs of words that contribute most.
func (s *pages) addMap(l *messages.Language, v *pageView, m *similarity.Scores, q address.Query, a asked) {
	chosen, sum := m.Passages[m.Chosen], m.Pairs.Sum()
	in := func(theme figure.Theme) string {
		return s.url(figurePath+"svg", q, a) + "&" + address.Theme + "=" + theme.String()
	}
	v.Map = components.Image{URL: in(q.State.PaperTheme()), Width: 640, Height: 640,
		Alt: l.T("match.figure-title", "name", m.Name)}
	if q.State.Theme == address.Themes[0] { // the theme of the visitor’s system
		v.Map.Dark = in(figure.Dark)
	}
	v.Sum = l.T("match.sum", "rows", len(m.Query.Tokens), "cols", len(chosen.Tokens), "sum",
		strconv.FormatFloat(sum, 'f', 6, 64),
		"score", strconv.FormatFloat(chosen.Score, 'f', 6, 64), "difference", messages.Number(math.Abs(sum-chosen.Score)))
	rows, cols := make([]float64, len(m.Query.Tokens)), make([]float64, len(chosen.Tokens))
	for i, row := range m.Pairs.Cells {
		for j, c := range row {
			rows[i] += c
			cols[j] += c
		}
	}
	v.Sides = []Side{side(l.T("match.rows"), m.Query.Tokens, rows), side(l.T("match.columns"), chosen.Tokens, cols)}
	v.Pairs = s.earned(l, m)
	for _, extension := range []string{"png", "svg", "pdf", "csv"} {
		v.Links = append(v.Links, components.Link{Label: strings.ToUpper(extension), Download: mapName + "." + extension,
			URL: s.url(figurePath+extension, q, a)})
	}
}

// mostPairs is the number of pairs of words that are named.
const mostPairs = 10

// earned returns the pairs of words that contribute most to the score: the sums over their tokens.
func (s *pages) earned(l *messages.Language, m *similarity.Scores) (all []Earned) {
	chosen := m.Passages[m.Chosen]
	type pair struct {
		a, b tokenizer.Cell
		sum  float64
	}
	var pairs []pair
	for _, a := range s.Vocab.Words(m.Query.Text, m.Query.Tokens) {
		for _, b := range s.Vocab.Words(chosen.Text, chosen.Tokens) {
			p := pair{a: a, b: b}
			for i := a.First; i < a.Last; i++ {
				for j := b.First; j < b.Last; j++ {
					p.sum += m.Pairs.Cells[i][j]
				}
			}
			pairs = append(pairs, p)
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(math.Abs(b.sum), math.Abs(a.sum)) })
	for _, p := range pairs[:min(len(pairs), mostPairs)] {
		word := func(text string, c tokenizer.Cell) string { return tokenizer.Visible(text[c.Start:c.End]) }
		all = append(all, Earned{
			Says:  l.T("match.pair", "query", word(m.Query.Text, p.a), "passage", word(chosen.Text, p.b)),
			Value: messages.Number(p.sum),
			Share: share(p.sum, math.Abs(pairs[0].sum)), Negative: p.sum < 0,
		})
	}
	return all
}

// says returns the sentences on how the model computes scores.
func says(l *messages.Language, m *similarity.Scores, chosen similarity.Text) (all []string) {
	switch m.Kind {
	case similarity.MeanPooling:
		said := "match.mean-usual"
		if m.Pooling.Said {
			said = "match.mean-said"
		}
		all = append(all, l.T(said, "name", m.Name))
	case similarity.FirstPooling:
		all = append(all, l.T("match.cls", "name", m.Name))
	default:
		all = append(all, l.T("match.cross", "name", m.Name))
		if chosen.Label != "" {
			all = append(all, l.T("match.cross-class", "label", chosen.Label, "p", messages.Number(chosen.P)))
		}
	}
	for _, t := range []similarity.Text{m.Query, chosen} {
		if t.Left > 0 {
			all = append(all, l.T("match.left", "count", t.Left, "most", len(t.Tokens)))
		}
	}
	return all
}

// side returns a text with a number for each token.
func side(title string, tokens []tokenizer.Token, values []float64) Side {
	one, top := Side{Title: title}, 0.0
	for _, v := range values {
		top = max(top, math.Abs(v))
	}
	for i, v := range values {
		one.Words = append(one.Words, Word{Label: tokens[i].Label(), Value: messages.Number(v), Share: share(v, top),
			Negative: v < 0})
	}
	return one
}

// share returns a number relative to the largest one.
func share(v, top float64) float64 {
	if top == 0 {
		return 0
	}
	return math.Abs(v) / top
}

// url returns the address of the page, or, at another path, of its numbers or its map.
func (s *pages) url(path string, q address.Query, a asked) string {
	v := url.Values{address.Text: {q.State.Text}, address.Mechanisms: {q.State.Mechanisms[0]}, passagesKey: {a.Passages}}
	if a.Number > 0 {
		v.Set(numberKey, strconv.Itoa(a.Number))
	}
	return address.At(path, v)
}

// percent returns a share as a width.
func percent(share float64) string { return fmt.Sprintf("%.1f", 100*share) }

// serveJSON answers GET /api/v1/match.
func (s *pages) serveJSON(w http.ResponseWriter, r *http.Request, q address.Query) error {
	m, err := s.match(r, q)
	if err != nil {
		return err
	}
	site.ResponseOf(r.Context()).Allow(site.MostDataBytes)
	return site.SendJSON(w, newMatch(m))
}
