package desk

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/altered"
	"attnatlas/engine/attention"
	"attnatlas/engine/fault"
	"attnatlas/engine/headstats"
	"attnatlas/engine/messages"
	"attnatlas/engine/predict"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
	"attnatlas/web/site"
	"attnatlas/web/unroll"
)

// The playground changes learned values of a model, and shows the effect on its map and
// predictions.

// mostAtDesk is the longest text in the playground, in tokens, because every word is masked in
// turn.
const mostAtDesk = 128

// desked is a request to the playground with its results.
type desked struct {
	state address.State
	asked change
	entry *attention.Entry
	head  int // from 1
	word  int // position of the selected word, from 1
	bad   error
	// text is the input of the model. Learned and Changed are its results as learned and with the
	// requested changes. Hidden holds both predictions for every word, masked in turn.
	text *engine.Report
	bothSides
}

// desks returns the mechanisms with a playground.
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
	return s.Render(w, r, status, DeskPage(view))
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
	answer, err := newDesk(x.entry, x.text, x.state.Layer, x.head, x.bothSides)
	if err != nil {
		return err
	}
	answer.Rank = x.asked.Rank
	return site.SendJSON(w, answer)
}

// desk reads the request and runs the engine. If only the change is wrong, the page shows the error
// next to the learned values.
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

// deskOf returns the entry of a mechanism with a playground.
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

// sides runs the model as learned and with the change.
func (s *pages) sides(ctx context.Context, x *desked) (err error) {
	if x.entry.Running {
		err = s.runningSums(ctx, x)
	} else {
		x.text, x.Learned, x.Hidden[0], err = s.side(ctx, x.state, altered.Change{})
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

// runningSums requests the running sums of the selected head.
func (s *pages) runningSums(ctx context.Context, x *desked) (err error) {
	r := x.state.Request()
	r.Change, r.Running = x.asked.Change, headstats.Place{Layer: x.state.Layer, Head: x.head}
	if x.text, err = s.Report(ctx, r, s.Inspector.Inspect); err != nil {
		return err
	}
	x.Learned = &x.text.Mechanisms[0]
	return x.Learned.Err
}

// forgetLearned removes mixing weights that equal the learned ones.
func (x *desked) forgetLearned() {
	for i, learned := range sharesOf(x.Learned) {
		asked := x.asked.Shares[i+1]
		if slices.EqualFunc(asked, learned, func(a float64, b tensor.Elem) bool { return tensor.Elem(a) == b }) {
			delete(x.asked.Shares, i+1)
		}
	}
}

// side runs a model with a change on a text: its maps, and its predictions of every word, masked in
// turn.
func (s *pages) side(ctx context.Context, st address.State, c altered.Change) (text *engine.Report, res *engine.Result,
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

// firstHidden returns the position of the first masked token, from 1, or else of the first word.
func firstHidden(text *engine.Report) int {
	hidden := slices.IndexFunc(text.Tokens, tokenizer.Token.IsMask)
	return cmp.Or(hidden+1, unroll.Unpinned(text.Tokens))
}
