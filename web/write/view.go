package write

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
	"attnatlas/web/site"
	"attnatlas/web/unroll"
)

// pageView is the page "/write".
type pageView struct {
	components.Page
	Name    string
	Models  components.Select
	Text    string
	Lead    string // key of the message below the name
	Label   string // key of the label of the text field
	Fields  []Field
	Hidden  []components.Field
	Problem string
	Answer  *writtenAnswer // nil if there is an error
}

// Field is a number of the form.
type Field struct {
	Name, Label, Help, Value string
	Step, Most               string
}

// writtenAnswer holds everything that depends on the text.
type writtenAnswer struct {
	Story     []Chip
	Says      string // how much was written, and why it ends
	Back      components.Link
	More      components.Link
	Other     components.Link
	Title     string // of the most likely words
	Note      string // on the word that was written there
	Top       []Candidate
	Attention *attendedWords // nil: the mechanism has no weights
	Links     []components.Link
}

// Chip is a token of the text, or a written token.
type Chip struct {
	ID, Gap, Text, Title string
	URL                  string // empty: the token was not written by the model
	Chosen, Special      bool
	Word                 int    // index of a written token
	Tint                 string // opacity of its colour; empty: none
}

// Candidate is one of the most likely words.
type Candidate struct {
	components.WordProb
	ID, URL, Hint string
	Written       bool
}

// attendedWords describes what the token before attended to.
type attendedWords struct {
	Title  string
	Layers []unroll.ChoiceLink
	Heads  []headRow
	Most   []components.WordProb
}

// headRow is the row of a head.
type headRow struct {
	ID, Label, Title, URL string
	Chosen                bool
	Cells                 []weightCell
	Count                 int
}

// weightCell is one weight of a row.
type weightCell struct{ X, Opacity string }

// serve answers GET /write. If a text cannot be continued, the reason is below the form.
func (s *pages) serve(w http.ResponseWriter, r *http.Request, q address.Query) error {
	l, status := site.Language(r), http.StatusOK
	c, err := s.ask(r, q)
	v := s.form(l, c)
	switch {
	case err == nil:
		v.Answer = s.answer(l, c)
	case site.StatusOf(err) >= http.StatusInternalServerError:
		return err
	default:
		v.Problem, status = site.FullStop(l.Say(site.MessageOf(err))), site.StatusOf(err)
	}
	return s.Render(w, r, status, Write(v))
}

// form returns the page without results.
func (s *pages) form(l *messages.Language, c continued) pageView {
	id := c.state.Mechanisms[0]
	v := pageView{
		Page: s.Head(l, "write", l.T("continue.title"), l.T("continue.summary"), c.state).
			With(append(slices.Clone(files), unroll.Style)...),
		Name: id, Text: site.Clean(c.state.Text), Lead: "continue.lead", Label: "continue.text",
		Models: components.Select{Name: address.Mechanisms, Label: l.T("continue.model")},
	}
	if e := s.Find(id); e != nil {
		v.Name = l.Say(e.Name)
		if e.Generates() {
			v.Lead, v.Label = "continue.lead-pair", "continue.text-pair"
		}
	}
	for _, e := range s.Listed([]string{id}) {
		if s.of(&e) != "" {
			v.Models.Options = append(v.Models.Options, components.SelectOption{
				Value: e.ID, Label: l.Say(e.Name), Selected: e.ID == id,
			})
		}
	}
	field := func(name, value, step string, most uint64) {
		v.Fields = append(v.Fields, Field{
			Name: name, Value: value, Label: l.T("continue.field." + name), Help: l.T("continue.help." + name),
			Step: step, Most: strconv.FormatUint(most, 10),
		})
	}
	field(Words, strconv.Itoa(c.asked.Words), "1", predict.MostContinued)
	field(Temperature, c.asked.temperature(), "any", predict.MostTemperature)
	field(TopK, strconv.Itoa(c.asked.TopK), "1", mostTopK)
	field(Seed, strconv.FormatUint(c.asked.Seed, 10), "1", mostSeed)
	for _, key := range []string{address.Layer, address.Head, address.Theme} {
		if value := c.state.Value(key); value != address.Default().Value(key) {
			v.Hidden = append(v.Hidden, components.Field{Name: key, Value: value})
		}
	}
	if len(v.Models.Options) < 2 {
		v.Hidden = append(v.Hidden, components.Field{Name: address.Mechanisms, Value: id})
	}
	return v
}

// answer returns everything that depends on the text.
func (s *pages) answer(l *messages.Language, c continued) *writtenAnswer {
	p, words := c.piece(), c.words()
	here := row(p, c.head)
	a := &writtenAnswer{Says: l.T(c.ending(), "count", words)}
	a.Story = c.story(l, here)
	if words > 0 {
		a.Back.URL = c.to(func(st *address.State, a *Asked) { a.Words, st.Step = words-1, 0 })
	}
	if !c.Stopped && !c.Full && words < predict.MostContinued {
		a.More.URL = c.to(func(st *address.State, a *Asked) { a.Words, st.Step = words+1, 0 })
	}
	a.Other.URL = c.to(func(st *address.State, a *Asked) { a.Seed, a.Taken, st.Step = (a.Seed+1)%mostSeed, nil, 0 })
	if p != nil {
		s.guesses(l, a, c, p)
		a.Attention = c.attention(l, p, here)
	}
	if m := s.Model(c.state.Mechanisms[0]); m != nil && a.Attention != nil {
		for n := 1; n <= writingLayers(m); n++ {
			url := c.to(func(st *address.State, _ *Asked) { st.Layer, st.Head = n, exhibit.Auto })
			link := components.Link{Label: strconv.Itoa(n), URL: url}
			a.Attention.Layers = append(a.Attention.Layers, unroll.ChoiceLink{Link: link, Chosen: n == c.layer})
		}
	}
	whole := address.Default()
	whole.Text, whole.Mechanisms = joined(c.state.Text, c.Written), c.state.Mechanisms
	if c.Begins != "" {
		whole.Text = c.state.Text
	}
	whole.Theme = c.state.Theme
	a.Links = []components.Link{
		{Label: l.T("continue.maps"), URL: address.Mechanism(whole, c.state.Mechanisms[0])},
		{Label: "JSON", URL: c.asked.url("/api/v1/continue", c.state)},
	}
	return a
}

// words returns the number of written words. A word can have several tokens.
func (c continued) words() int {
	if n := len(c.Written); n > 0 {
		return c.Written[n-1].Word
	}
	return 0
}

// ending returns the id of the message on why the text ends.
func (c continued) ending() string {
	switch {
	case c.Stopped:
		return "continue.stopped"
	case c.Full:
		return "continue.full"
	}
	return "continue.wrote"
}

// to returns the address after a change.
func (c continued) to(change func(*address.State, *Asked)) string {
	st, a := c.state, c.asked
	change(&st, &a)
	return a.url(Path, st)
}

// joined returns a text followed by what was written.
func joined(text string, written []predict.WrittenPiece) string {
	var b strings.Builder
	b.WriteString(text)
	for i, p := range written {
		if i == 0 && strings.HasPrefix(p.Text, " ") && strings.HasSuffix(text, " ") {
			p.Text = strings.TrimLeft(p.Text, " ")
		}
		b.WriteString(p.Text)
	}
	return b.String()
}

// story returns the tokens of the text and the written ones, tinted by a row of weights.
func (c continued) story(l *messages.Language, weights []float64) (all []Chip) {
	text, at := c.state.Text, 0
	for _, t := range c.Tokens {
		chip := Chip{Text: t.Label(), Special: t.IsSpecial() && t.Start == t.End}
		if t.End > t.Start && t.Start >= at && t.End <= len(text) {
			chip.Gap, chip.Text, at = site.Clean(text[at:t.Start]), site.Clean(text[t.Start:t.End]), t.End
		}
		all = append(all, chip)
	}
	if c.Begins != "" {
		all = append(all, Chip{Gap: " ", Text: tokenizer.PieceLabel(c.Begins), Special: true})
	}
	for i, p := range c.Written {
		shown := strings.TrimLeftFunc(p.Text, unicode.IsSpace)
		chip := Chip{
			ID: "piece-" + strconv.Itoa(i+1), Word: p.Word,
			Gap: p.Text[:len(p.Text)-len(shown)], Text: cmp.Or(site.Clean(shown), tokenizer.PieceLabel(p.Piece)),
			Title: l.T("continue.piece", "p", messages.Number(p.P)), Chosen: c.state.Step == i+1,
			URL: c.to(func(st *address.State, _ *Asked) { st.Step = i + 1 }),
		}
		if p.Taken {
			chip.Title = l.T("continue.piece-taken", "p", messages.Number(p.P))
		}
		all = append(all, chip)
	}
	for j, w := range weights {
		if o := opacity(w); o != "" && j < len(all) {
			all[j].Tint = o
			all[j].Title = strings.TrimSpace(l.T("continue.weight", "weight", messages.Number(w)) + " " + all[j].Title)
		}
	}
	return all
}

// opacity returns the opacity of a weight's colour, which grows with the square root of the weight. It is empty
// for an invisible colour.
func opacity(w float64) string {
	if w < 0.001 {
		return ""
	}
	return strconv.FormatFloat(math.Sqrt(min(w, 1)), 'f', 3, 64)
}

// guesses adds the most likely words at a position.
func (s *pages) guesses(l *messages.Language, a *writtenAnswer, c continued, p *predict.WrittenPiece) {
	place := len(c.Written) + 1
	a.Title = l.T("continue.next")
	if p.Piece != "" {
		place = cmp.Or(c.state.Step, len(c.Written))
		label := tokenizer.PieceLabel(p.Piece)
		a.Title = l.T("continue.at", "word", label)
		switch {
		case p.Taken:
			a.Note = l.T("continue.note-taken", "p", messages.Number(p.P))
		case p.Rank == 0:
			a.Note = l.T("continue.note-rare", "word", label, "p", messages.Number(p.P))
		}
	}
	for i, word := range p.Top {
		one := Candidate{ID: "top-" + strconv.Itoa(i+1), Written: p.Rank == i+1, Hint: l.T("continue.take")}
		one.WordProb = components.WordProb{
			Label: tokenizer.PieceLabel(word.Piece), Share: word.P,
			P: messages.Number(word.P), Exact: strconv.FormatFloat(word.P, 'g', -1, 32),
		}
		if slices.Contains(c.Ends, word.Piece) {
			one.Label = l.T("continue.end")
		}
		one.URL = c.to(func(st *address.State, asked *Asked) {
			*asked = asked.with(place, i+1)
			if st.Step = 0; p.Piece == "" {
				asked.Words = min(c.words()+1, predict.MostContinued)
			}
		})
		a.Top = append(a.Top, one)
	}
}

// place returns how many tokens were written before a token.
func (c continued) place(p *predict.WrittenPiece) int {
	if p == c.Next {
		return len(c.Written)
	}
	return cmp.Or(c.state.Step, len(c.Written)) - 1
}

// mostNamed is the number of words that are named as most attended to by a head.
const mostNamed = 5

// attention describes what the token before attended to. It is nil if the weights are unknown.
func (c continued) attention(l *messages.Language, p *predict.WrittenPiece, weights []float64) *attendedWords {
	if len(weights) == 0 {
		return nil
	}
	chips := c.story(l, nil)
	label := func(j int) string {
		if j < len(chips) {
			return strings.TrimSpace(chips[j].Text)
		}
		return ""
	}
	a := &attendedWords{Title: l.T("continue.attends", "word", label(len(weights)-1), "layer", c.layer)}
	if c.Begins != "" {
		a.Title = l.T("continue.crosses", "word", label(len(weights)+c.place(p)), "layer", c.layer)
	}
	order := make([]int, len(weights))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(weights[j], weights[i]) })
	for _, j := range order[:min(len(order), mostNamed)] {
		a.Most = append(a.Most, components.WordProb{
			Label: label(j), Share: weights[j],
			P: messages.Number(weights[j]), Exact: strconv.FormatFloat(weights[j], 'g', -1, 32),
		})
	}
	for h := 0; h <= p.Weights[0].Dim(0); h++ {
		one := headRow{ID: "head-" + strconv.Itoa(h), Label: l.T("continue.head", "head", h), Chosen: h == c.head,
			Count: len(weights)}
		if h == 0 {
			one.Label = l.T("continue.mean")
		}
		one.URL = c.to(func(st *address.State, _ *Asked) { st.Head = h })
		own := row(p, h)
		for j, w := range own {
			if o := opacity(w); o != "" {
				one.Cells = append(one.Cells, weightCell{strconv.Itoa(j), o})
			}
		}
		most := slices.Index(own, slices.Max(own))
		one.Title = l.T("continue.head-most", "head", one.Label, "word", label(most), "weight", messages.Number(own[most]))
		a.Heads = append(a.Heads, one)
	}
	return a
}
