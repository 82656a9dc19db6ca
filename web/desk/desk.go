package desk

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/predict"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/site"
	"attnatlas/web/unroll"
)

// A desk changes what a model learned, and shows what becomes of its map and its guesses.

// mostAtDesk is the longest text of a desk, in tokens: every word is hidden in its turn.
const mostAtDesk = 128

// desked is a desk with its answers.
type desked struct {
	state address.State
	asked change
	entry *attention.Entry
	head  int // from 1
	word  int // whose row and guesses are shown, from 1
	bad   error
	// text is what the model reads, Learned and Changed what it computes of it as it learned and as is asked;
	// Hidden has the guesses of both for every word that was hidden in its turn.
	text *engine.Report
	api.DeskSides
}

// desks are the mechanisms that have one.
func desks() (all []*attention.Entry) {
	for i := range attention.Catalog {
		if e := &attention.Catalog[i]; site.AtDesk(e) {
			all = append(all, e)
		}
	}
	return all
}

// serveDesk answers GET /desk.
func (s *pages) serveDesk(w http.ResponseWriter, r *http.Request, q address.Query) error {
	x, err := s.desk(r, q)
	if err != nil {
		return err
	}
	view, err := s.deskView(site.Language(r), x)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if x.bad != nil {
		status = site.StatusOf(x.bad)
	}
	return s.Render(w, r, status, Desk(view))
}

// serveDeskJSON answers GET /api/v1/desk.
func (s *pages) serveDeskJSON(w http.ResponseWriter, r *http.Request, q address.Query) error {
	x, err := s.desk(r, q)
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
	return site.SendJSON(w, answer)
}

// desk reads what is asked and asks the engine. Of what is wrong with a change alone is said so beside what was
// learned.
func (s *pages) desk(r *http.Request, q address.Query) (x desked, err error) {
	st := q.State.One()
	asked, _ := changeTable.Decode(q.Values)
	asked.ID = st.Mechanisms[0]
	st = st.SingleCard(asked.ID)
	x = desked{state: st, asked: asked, bad: q.Wrong()}
	if x.entry, err = s.deskOf(asked.ID); err != nil {
		return x, err
	}
	if tokens := s.Vocab.Count(st.Text); tokens > mostAtDesk {
		return x, fault.Errorf(fault.Unsupported, "desk.error.long", "tokens", tokens, "most", mostAtDesk)
	}
	if x.head, err = s.HeadOf(r.Context(), st, asked.ID); err != nil {
		return x, err
	}
	return x, s.sides(r.Context(), &x)
}

// deskOf is the entry of a mechanism that has a desk.
func (s *pages) deskOf(id string) (*attention.Entry, error) {
	entry, ok := attention.Find(id)
	if !ok && s.Find(id) == nil {
		return nil, s.NoMechanism(id)
	}
	if ok && site.AtDesk(entry) {
		return entry, nil
	}
	var ids messages.List
	for _, e := range desks() {
		ids = append(ids, e.ID)
	}
	return nil, fault.Errorf(fault.Unsupported, "desk.error.none", "id", messages.Quote(id), "known", ids)
}

// sides asks for the model as it learned and as it is to be.
func (s *pages) sides(ctx context.Context, x *desked) (err error) {
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
		return fault.Errorf(fault.NotFound, "steps.no-word", "word", x.word, "words", n)
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
	case fault.KindOf(err) == fault.Busy || fault.KindOf(err) == fault.Internal:
		return err
	default:
		x.bad = err
	}
	return nil
}

// runningSums asks for those of the head that is looked at.
func (s *pages) runningSums(ctx context.Context, x *desked) (err error) {
	r := x.state.Request()
	r.Change, r.Running = x.asked.Change, engine.Place{Layer: x.state.Layer, Head: x.head}
	if x.text, err = s.Report(ctx, r, s.Inspector.Inspect); err != nil {
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
func (s *pages) side(ctx context.Context, st address.State, c engine.Change) (text *engine.Report, res *engine.Result,
	hidden []predict.Attempt, err error) {
	maps := st.Request()
	maps.Change = c
	maps.Change.Spectra = true
	st.Race = address.EveryWord
	guesses := st.Contest(s.Vocab, st.Mechanisms)
	guesses.Change = c
	if text, err = s.Report(ctx, maps, s.Inspector.Inspect); err != nil {
		return nil, nil, nil, err
	}
	if res = &text.Mechanisms[0]; res.Err != nil {
		return nil, nil, nil, res.Err
	}
	race, err := s.Report(ctx, guesses, s.Inspector.Inspect)
	if err != nil {
		return nil, nil, nil, err
	}
	return text, res, race.Mechanisms[0].Attempts, race.Mechanisms[0].Err
}

// firstHidden is the first hidden word of a text, from 1, or the first of all.
func firstHidden(text *engine.Report) int {
	hidden := slices.IndexFunc(text.Tokens, tokenizer.Token.IsMask)
	return cmp.Or(hidden+1, unroll.Unpinned(text.Tokens))
}
