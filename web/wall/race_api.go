package wall

import (
	"net/http"

	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// serveRace answers GET /api/v1/race.
func (s *Views) serveRace(w http.ResponseWriter, r *http.Request, q address.Query) error {
	st, err := s.raceOf(q)
	if err != nil {
		return err
	}
	report, err := s.race(r.Context(), st, st.Mechanisms)
	if err != nil {
		return err
	}
	errs := make([]error, len(report.Mechanisms))
	for i, m := range report.Mechanisms {
		errs[i] = m.Err
		if m.Err != nil {
			s.LogUnforeseen(r, m.Err)
		}
	}
	if err := site.NothingAnswered(errs); err != nil {
		return err
	}
	answer := newRace(report, st.Mask.String(), st.Race,
		func(err error) string { return site.Language(r).Say(site.MessageOf(err)) })
	if st.Race == address.EveryWord {
		answer.Score(report)
	}
	site.ResponseOf(r.Context()).Allow(site.MostDataBytes)
	return site.SendJSON(w, answer)
}

// raceOf reads which words of which text are masked, and which models predict them.
func (s *Views) raceOf(q address.Query) (address.State, error) {
	v, st := q.Values, q.State
	if err := address.CheckText(st.Text); err != nil {
		return st, err
	}
	st, _, err := address.Toggle(v, st, s.Vocab)
	if err != nil {
		return st, err
	}
	hidden := st.HiddenCount(s.Vocab)
	switch {
	case st.Race != address.EveryWord && hidden == 0:
		return st, fault.Errorf(fault.Invalid, "error.race.nothing-hidden")
	case st.Race > hidden:
		return st, fault.Errorf(fault.NotFound, "error.race.no-word", "number", st.Race, "has",
			messages.New("count.hidden", "count", hidden))
	case !v.Has(address.Mechanisms):
		st.Mechanisms = s.racers(nil)
	}
	return st, nil
}
