package web

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
	"attnatlas/web/api"
)

// A desk changes what a model learned, and shows what becomes of its map and its guesses.

// mostAtDesk is the longest text of a desk, in tokens: every word is hidden in its turn.
const mostAtDesk = 128

// desked is a desk with its answers.
type desked struct {
	state address.State
	asked address.Desk
	entry *attention.Entry
	head  int // from 1
	word  int // whose row and guesses are shown, from 1
	bad   error
	// text is what the model reads, Learned and Changed what it computes of it as it learned and as is asked;
	// Hidden has the guesses of both for every word that was hidden in its turn.
	text *engine.Report
	api.DeskSides
}

// atDesk says whether a mechanism has a desk.
func atDesk(e *attention.Entry) bool { return e.Parts != nil || e.Table != nil || e.Running }

// deskKind is what is set at the desk of a mechanism.
func deskKind(e *attention.Entry) string {
	switch {
	case e.Parts != nil:
		return "mixture"
	case e.Running:
		return "running"
	}
	return "rank"
}

// desks are the mechanisms that have one.
func desks() (all []*attention.Entry) {
	for i := range attention.Catalog {
		if e := &attention.Catalog[i]; atDesk(e) {
			all = append(all, e)
		}
	}
	return all
}

// serveDesk answers GET /desk.
func (s *Server) serveDesk(w http.ResponseWriter, r *http.Request) error {
	x, err := s.desk(r)
	if err != nil {
		return err
	}
	view, err := s.deskView(language(r), x)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if x.bad != nil {
		status = statusOf(x.bad)
	}
	return s.render(w, r, status, components.DeskPage(view))
}

// serveDeskJSON answers GET /api/v1/desk.
func (s *Server) serveDeskJSON(w http.ResponseWriter, r *http.Request) error {
	v, _ := address.ParseQuery(r.URL.RawQuery)
	if !v.Has(address.Text) {
		return engine.Errorf(engine.Invalid, "param.text-missing")
	}
	x, err := s.desk(r)
	if err == nil {
		err = x.bad
	}
	if err != nil {
		return err
	}
	answer, err := api.NewDesk(x.entry, x.text, x.state.Layer, x.head, x.DeskSides)
	if err != nil {
		return err
	}
	answer.Rank = x.asked.Rank
	return sendJSON(w, answer)
}

// desk reads what is asked and asks the engine. Of what is wrong with a change alone is said so beside what was
// learned.
func (s *Server) desk(r *http.Request) (x desked, err error) {
	v, bad := address.ParseQuery(r.URL.RawQuery)
	st, wrong := address.Decode(v, s.vocab, "")
	if err := address.Join(bad, wrong, address.Unknown(v, address.DeskKeys(v)...)); err != nil {
		return x, err
	}
	asked, more := address.DecodeDesk(v, st, attention.MixtureRV.ID)
	x = desked{state: st, asked: asked, bad: address.Join(more)}
	if x.entry, err = s.deskOf(asked.ID); err != nil {
		return x, err
	}
	st.Mechanisms, st.Show, st.Other, st.After = []string{asked.ID}, exhibit.Maps, "", ""
	if st = st.Alone(asked.ID); st.Layer == 0 {
		st.Layer = 1
	}
	x.state = st
	if tokens, _ := engine.Tokens(s.vocab, st.Text); len(tokens) > mostAtDesk {
		return x, engine.Errorf(engine.Unsupported, "desk.error.long", "tokens", len(tokens), "most", mostAtDesk)
	}
	if x.head, err = s.headOf(r.Context(), st, asked.ID); err != nil {
		return x, err
	}
	return x, s.sides(r.Context(), &x)
}

// deskOf is the entry of a mechanism that has a desk.
func (s *Server) deskOf(id string) (*attention.Entry, error) {
	entry, ok := attention.Find(id)
	if !ok && s.find(id) == nil {
		return nil, s.noMechanism(id)
	}
	if ok && atDesk(entry) {
		return entry, nil
	}
	var ids messages.List
	for _, e := range desks() {
		ids = append(ids, e.ID)
	}
	return nil, engine.Errorf(engine.Unsupported, "desk.error.none", "id", messages.Quote(id), "known", ids)
}

// sides asks for the model as it learned and as it is to be.
func (s *Server) sides(ctx context.Context, x *desked) (err error) {
	if x.entry.Running {
		err = s.runningSums(ctx, x)
	} else {
		x.text, x.Learned, x.Hidden[0], err = s.side(ctx, x.state, engine.Change{})
	}
	if err != nil {
		return err
	}
	if x.word = x.state.Pin.Row; x.word == 0 {
		x.word = firstHidden(x.text)
	}
	if n := len(x.text.Tokens); x.word > n {
		return engine.Errorf(engine.NotFound, "steps.no-word", "word", x.word, "words", n)
	}
	x.Changed, x.Hidden[1] = x.Learned, x.Hidden[0]
	x.forgetLearned()
	if x.bad != nil || x.entry.Running {
		return nil
	}
	_, changed, hidden, err := s.side(ctx, x.state, x.asked.Change)
	switch {
	case err == nil:
		x.Changed, x.Hidden[1] = changed, hidden
	case engine.KindOf(err) == engine.Busy || engine.KindOf(err) == engine.Internal:
		return err
	default:
		x.bad = err
	}
	return nil
}

// runningSums asks for those of the head that is looked at.
func (s *Server) runningSums(ctx context.Context, x *desked) (err error) {
	r := x.state.Request()
	r.Change, r.Running = x.asked.Change, engine.Place{Layer: x.state.Layer, Head: x.head}
	if x.text, err = s.report(ctx, r, s.inspector.Inspect); err != nil {
		return err
	}
	x.Learned = &x.text.Mechanisms[0]
	return x.Learned.Err
}

// forgetLearned leaves out shares that are those that were learned.
func (x *desked) forgetLearned() {
	for i, learned := range api.SharesOf(x.Learned) {
		asked := x.asked.Shares[i+1]
		if slices.EqualFunc(asked, learned, func(a float64, b tensor.Elem) bool { return tensor.Elem(a) == b }) {
			delete(x.asked.Shares, i+1)
		}
	}
}

// side is what a model does with a text under a change: its maps, and its guesses of every word, each hidden in turn.
func (s *Server) side(ctx context.Context, st address.State, c engine.Change) (text *engine.Report, res *engine.Result, hidden []engine.Attempt, err error) {
	maps := st.Request()
	maps.Change = c
	maps.Change.Spectra = true
	st.Race = address.EveryWord
	guesses := st.Contest(s.vocab, st.Mechanisms)
	guesses.Change = c
	if text, err = s.report(ctx, maps, s.inspector.Inspect); err != nil {
		return nil, nil, nil, err
	}
	if res = &text.Mechanisms[0]; res.Err != nil {
		return nil, nil, nil, res.Err
	}
	race, err := s.report(ctx, guesses, s.inspector.Inspect)
	if err != nil {
		return nil, nil, nil, err
	}
	return text, res, race.Mechanisms[0].Attempts, race.Mechanisms[0].Err
}

// firstHidden is the first hidden word of a text, from 1, or the first of all.
func firstHidden(text *engine.Report) int {
	hidden := slices.IndexFunc(text.Tokens, tokenizer.Token.IsMask)
	return cmp.Or(hidden+1, unpinned(text.Tokens))
}
