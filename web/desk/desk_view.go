package desk

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
	"attnatlas/web/address"
	"attnatlas/web/site"
	"attnatlas/web/unroll"
	"attnatlas/web/wall"
)

// deskPage builds the view of the playground.
type deskPage struct {
	desked
	s      *pages
	l      *messages.Language
	labels []string // of the words
}

// deskView returns the view of the playground.
func (s *pages) deskView(l *messages.Language, x desked) (pageView, error) {
	p := &deskPage{desked: x, s: s, l: l, labels: tokenizer.Labels(x.text.Tokens)}
	name := l.Say(x.entry.Name)
	v := pageView{
		Page: s.Head(l, "desk", name+" · "+l.T("desk.title"), l.T("desk.summary"),
			x.state).With(append([]string{unroll.Style}, files...)...),
		Back:  components.Link{Label: l.T("explain.back", "name", name), URL: address.Mechanism(x.state, x.asked.ID)},
		JSON:  x.asked.url("/desk.json", p.state),
		Words: p.words(),
	}
	if x.bad != nil {
		v.Problem = site.FullStop(l.Say(site.MessageOf(x.bad)))
	}
	p.choices(&v)
	v.Form = ChangeForm{Action: deskPath, Text: x.state.Text}
	if x.entry.Running {
		v.Form.Hidden = p.formFields(nil)
		return v, p.running(&v, name)
	}
	v.Says, v.Hidden, v.Definition = p.says(), p.hidden(), l.T("desk.definition")
	switch {
	case x.entry.Parts != nil:
		p.mixture(&v, name)
	default:
		p.ranks(&v, name)
	}
	v.Form.Hidden = p.formFields(v.Form.Dials)
	p.guesses(&v)
	return v, p.maps(&v)
}

// url returns the URL of the same playground in another state.
func (p *deskPage) url(st address.State, d change) string {
	return d.url(deskPath, st)
}

// choices adds the links to playgrounds, layers and heads.
func (p *deskPage) choices(v *pageView) {
	for _, e := range desks() {
		st := p.state
		st.Layer, st.Head = 0, exhibit.Auto
		v.Desks = append(v.Desks, unroll.ChoiceLink{Link: components.Link{Label: p.l.Say(e.Name),
			URL: p.url(st, change{ID: e.ID})}, Chosen: e.ID == p.entry.ID})
	}
	for i := range p.Learned.Layers {
		st := p.state
		st.Layer = i + 1
		v.Layers = append(v.Layers, unroll.ChoiceLink{Link: components.Link{Label: strconv.Itoa(i + 1),
			URL: p.url(st, p.asked)}, Chosen: i+1 == p.state.Layer})
	}
	for i := range p.Learned.Heads {
		st := p.state
		st.Head = i + 1
		v.Heads = append(v.Heads, unroll.ChoiceLink{Link: components.Link{Label: strconv.Itoa(i + 1),
			URL: p.url(st, p.asked)}, Chosen: i+1 == p.head})
	}
}

// words returns links to the words of the text, one of which is selected.
func (p *deskPage) words() (all []unroll.ChoiceLink) {
	for i, label := range p.labels {
		st := p.state
		st.Pin = address.Pin{Row: i + 1}
		all = append(all, unroll.ChoiceLink{Link: components.Link{Label: label, Hint: p.l.T("desk.look", "word", label),
			URL: p.url(st, p.asked)}, Chosen: i+1 == p.word})
	}
	return all
}

// formFields returns the hidden fields of a form.
func (p *deskPage) formFields(dials []Dial) (all []components.Field) {
	fields := address.OneQuery(p.state.Word(), p.asked.ID, changeTable.Encode(p.asked, change{}))
	fields.Del(address.Text)
	for _, d := range dials {
		fields.Del(d.Key)
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		for _, value := range fields[key] {
			all = append(all, components.Field{Name: key, Value: value})
		}
	}
	return all
}

// changed reports whether any value differs from the learned one.
func (p *deskPage) changed() bool { return p.bad == nil && p.asked.Key() != "" }

// says returns sentences on the quality of both sides' predictions.
func (p *deskPage) says() []string {
	learned, pieces := predict.Loss(p.Hidden[0])
	changed, _ := predict.Loss(p.Hidden[1])
	if pieces == 0 {
		return []string{p.l.T("desk.loss-none")}
	}
	if !p.changed() {
		return []string{p.l.T("desk.loss-learned", "learned", nats(learned))}
	}
	return []string{
		p.l.T("desk.loss-changed", "changed", nats(changed), "learned", nats(learned), "difference", signed(changed-learned)),
		p.l.T("desk.loss-right", "changed", rightOf(p.Hidden[1]), "words", len(p.Hidden[0]), "learned", rightOf(p.Hidden[0])),
	}
}

// nats formats a loss to a thousandth.
func nats(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// signed formats a difference of losses with its sign.
func signed(v float64) string {
	if s := nats(math.Abs(v)); v < 0 {
		return "−" + s
	} else {
		return "+" + s
	}
}

// rightOf returns the number of correctly predicted words.
func rightOf(list []predict.Attempt) (n int) {
	for _, a := range list {
		if a.Known() && a.Right() {
			n++
		}
	}
	return n
}

// maps adds the maps of both sides, and the values in the selected word's row.
func (p *deskPage) maps(v *pageView) error {
	learned, err := weightsOf(p.Learned, p.state.Layer, p.head)
	if err != nil {
		return err
	}
	changed, err := weightsOf(p.Changed, p.state.Layer, p.head)
	if err != nil {
		return err
	}
	draw := unroll.Drawer{Language: p.l, State: p.state, Word: p.word}
	titles := []string{p.l.T("desk.as-learned"), p.l.T("desk.as-changed")}
	if !p.changed() {
		titles[1] = p.l.T("desk.same")
	}
	for i, m := range []*NamedMap{{Title: titles[0]}, {Title: titles[1]}} {
		if m.Map, err = draw.Drawn([]trace.Map{learned, changed}[i]); err != nil {
			return err
		}
		m.Map.Caption = p.l.T("desk.map-of", "title", m.Title, "layer", p.state.Layer, "head", p.head, "words", len(p.labels))
		v.Maps = append(v.Maps, *m)
	}
	before, now := learned.Value.Sub(p.word-1).Data, changed.Value.Sub(p.word-1).Data
	order := make([]int, len(now))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(now[b], now[a]) })
	v.Row.Says = p.l.T("desk.row", "word", p.labels[p.word-1])
	for _, i := range order[:min(len(order), unroll.MostCells)] {
		v.Row.Cells = append(v.Row.Cells, rowCell{Word: p.labels[i], Learned: messages.Number(float64(before[i])),
			Changed: messages.Number(float64(now[i]))})
	}
	return nil
}

// guesses adds the most probable words for the selected word.
func (p *deskPage) guesses(v *pageView) {
	for i, title := range []string{p.l.T("desk.as-learned"), p.l.T("desk.as-changed")} {
		words, right := p.guessed(i)
		if words == nil {
			v.NoGuess = p.l.T("desk.no-guess", "word", p.labels[p.word-1])
			return
		}
		label := p.labels[p.word-1]
		v.Guesses = append(v.Guesses, Guesses{
			Title: p.l.T("desk.guesses-of", "word", label, "side", title),
			Words: wall.WordProbs(words[:min(len(words), wall.TopShown)], right),
		})
	}
}

// guessed returns the most probable pieces at the position of the selected word, and the true one
// if it is known.
func (p *deskPage) guessed(side int) (words []predict.Word, right string) {
	for _, a := range p.Hidden[side] {
		if a.First < p.word && p.word <= a.Last {
			g := a.Pieces[p.word-1-a.First]
			return g.Words, g.Truth.Piece
		}
	}
	for _, guess := range []*engine.Result{p.Learned, p.Changed}[side].Predictions {
		if guess.At == p.word-1 {
			return guess.Words, ""
		}
	}
	return nil, ""
}

// hidden returns the table of all words, masked in turn.
func (p *deskPage) hidden() NamedTable {
	table := NamedTable{Title: p.l.T("desk.hidden"), Intro: p.l.T("desk.hidden-intro"),
		Head: p.l.Lines(messages.New("desk.hidden-columns"))}
	for i, a := range p.Hidden[0] {
		b, st := p.Hidden[1][i], p.state
		st.Pin = address.Pin{Row: a.First + 1}
		label := ""
		for at := a.First; at < a.Last; at++ {
			label += p.labels[at]
		}
		row := tableLine{Link: components.Link{Label: label, URL: p.url(st, p.asked)}, Current: a.First < p.word &&
			p.word <= a.Last}
		for _, side := range []predict.Attempt{a, b} {
			row.Cells = append(row.Cells, Value{Text: messages.Number(side.Truth())})
		}
		for _, side := range []predict.Attempt{a, b} {
			row.Cells = append(row.Cells, Value{Words: true, Text: exhibit.GuessOf(side)})
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}
