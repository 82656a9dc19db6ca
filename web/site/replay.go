package site

import (
	"strconv"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/recording"
	"attnatlas/web/address"
)

// Replay returns the report of a state that asks for the maps after some steps of the training.
func (s *Server) Replay(st address.State) (*engine.Report, error) {
	step, err := strconv.Atoi(st.After)
	if err != nil {
		return nil, err
	}
	var all *engine.Report
	for _, id := range st.Mechanisms {
		rep, err := s.recorded(id, step, st)
		switch {
		case err != nil && all == nil:
			return nil, err
		case all == nil:
			all = rep
		case err != nil:
			entry, stack, _ := engine.Find(id)
			all.Mechanisms = append(all.Mechanisms, engine.Result{ID: id, Entry: entry, Stack: stack, Err: err})
		default:
			all.Mechanisms = append(all.Mechanisms, rep.Mechanisms...)
		}
	}
	return all, nil
}

// recorded returns the report of one model.
func (s *Server) recorded(id string, step int, st address.State) (*engine.Report, error) {
	r, err := s.RecordingOf(id)
	if err != nil {
		return nil, err
	}
	if err := r.Check(step, st.Text, st.Task); err != nil {
		return nil, err
	}
	frame, _ := r.Frame(step)
	number, _ := r.Reading(st.Text, st.Task)
	return r.Report(s.Vocab, s.Model(id), frame, number), nil
}

// RecordingOf returns the recording of a model, or an error if there is none.
func (s *Server) RecordingOf(id string) (*recording.Recording, error) {
	if s.Find(id) == nil {
		return nil, s.NoMechanism(id)
	}
	r, err := s.Recordings.Find(id)
	if err != nil {
		return nil, fault.Errorf(fault.Internal, "error.recording.damaged", "cause", messages.Of(err))
	}
	if r == nil {
		return nil, fault.Errorf(fault.NotFound, "error.recording.none", "id", messages.Quote(id))
	}
	return r, nil
}
