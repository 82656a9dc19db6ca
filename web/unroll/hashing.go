package unroll

import (
	"context"
	"net/http"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/unroll"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// hashed is a request to the hashing page with its result.
type hashed struct {
	state address.State
	asked hashes
	found *unroll.Hashing
}

// serveHashingJSON answers GET /api/v1/hashing.
func (s *pages) serveHashingJSON(w http.ResponseWriter, r *http.Request, q address.Query) error {
	x, err := s.hashing(r, q)
	if err != nil {
		return err
	}
	site.ResponseOf(r.Context()).Allow(site.MostDataBytes)
	return site.SendJSON(w, x.found)
}

// serveHashing answers GET /hashing.
func (s *pages) serveHashing(w http.ResponseWriter, r *http.Request, q address.Query) error {
	x, err := s.hashing(r, q)
	if err != nil {
		return err
	}
	view, err := s.hashingView(site.Language(r), x)
	if err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, Unrolled(view))
}

// hashing reads the request and runs the engine.
func (s *pages) hashing(r *http.Request, q address.Query) (x hashed, err error) {
	asked, _ := hashesTable.Decode(q.Values)
	asked.ID = q.State.Mechanisms[0]
	switch {
	case asked.Rounds > unroll.MostRounds:
		return x, fault.Errorf(fault.Invalid, "hashing.rounds", "rounds", asked.Rounds, "most", unroll.MostRounds)
	case asked.Top > unroll.MostTop:
		return x, fault.Errorf(fault.Invalid, "hashing.top", "k", asked.Top, "most", unroll.MostTop)
	}
	hasher, ok := s.Engine.(site.Hasher)
	if !ok {
		return x, fault.Errorf(fault.Unsupported, "hashing.nobody")
	}
	if _, err := engine.Explainable(s.Vocab, q.State.Text); err != nil { // before memory is claimed for its maps
		return x, err
	}
	st, err := s.apart(r.Context(), q.State)
	if err != nil {
		return x, err
	}
	x = hashed{state: st, asked: asked}
	request := unroll.HashingRequest{Request: st.Request(), Layer: st.Layer, Head: st.Head, Rounds: asked.Rounds,
		Seed: asked.Seed, Top: asked.Top}
	err = s.WithRoom(r.Context(), request.Request, func() (err error) {
		x.found, err = hasher.Hashing(r.Context(), request)
		return err
	})
	switch {
	case err != nil:
		return x, err
	case asked.Round > len(x.found.List):
		return x, fault.Errorf(fault.NotFound, "hashing.no-round", "round", asked.Round, "rounds", len(x.found.List))
	case st.Pin.Row > len(x.found.Tokens):
		return x, fault.Errorf(fault.NotFound, "steps.no-word", "word", st.Pin.Row, "words", len(x.found.Tokens))
	}
	return x, nil
}

// apart returns the state of a page that takes one layer and head of a model apart. Layer and head
// are those that a card would show.
func (s *pages) apart(ctx context.Context, st address.State) (address.State, error) {
	if err := address.CheckText(st.Text); err != nil {
		return st, err
	}
	st = st.One()
	head, err := s.HeadOf(ctx, st, st.Mechanisms[0])
	st.Head = head
	return st, err
}
