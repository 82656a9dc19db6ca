package site

import (
	"context"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/web/address"
)

// tokenBytes is the memory of one token in a report. A text has at most as many tokens as bytes.
const tokenBytes = 128

// Inspect runs the engine on the text of a state.
func (s *Server) Inspect(ctx context.Context, st address.State) (*exhibit.Selection, error) {
	all, err := s.InspectAll(ctx, st)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// InspectAll runs the engine on several states, after claiming memory for all of their reports.
func (s *Server) InspectAll(ctx context.Context, states ...address.State) ([]*exhibit.Selection, error) {
	bytes := int64(0)
	for _, st := range states {
		if err := address.CheckText(st.Text); err != nil {
			return nil, err
		}
		bytes += s.Cost(st.Request()).Bytes + int64(len(st.Text))*tokenBytes
	}
	if len(states) > 1 { // the maps of their differences are drawn, too
		bytes += bytes / 2
	}
	if err := Claim(ctx, bytes); err != nil {
		return nil, err
	}
	var all []*exhibit.Selection
	for _, st := range states {
		inspect := s.Inspector.Inspect
		if r := st.Request(); st.After != "" && r.Cuts.KeyFor(r.Mechanisms) != "" {
			return nil, fault.Errorf(fault.Unsupported, "error.cut.recording")
		}
		if st.After != "" {
			inspect = func(context.Context, engine.Request) (*engine.Report, error) { return s.Replay(st) }
		}
		report, err := inspect(ctx, st.Request())
		if err != nil {
			return nil, err
		}
		sel := exhibit.Select(report, st.Choice)
		for _, other := range all {
			other.ShareScaleWith(sel)
			sel.ShareScaleWith(other)
		}
		all = append(all, sel)
	}
	return all, nil
}

// InspectBoth runs the engine on the text of a state and on its second text, in the same heads. If there is no second
// text, the second report is nil.
func (s *Server) InspectBoth(ctx context.Context, st address.State) (sel, second *exhibit.Selection, err error) {
	if st.Other == "" {
		sel, err = s.Inspect(ctx, st)
		return sel, nil, err
	}
	st.Choice = st.InTextOrder() // the only order in which the words of both texts can be compared
	both, err := s.InspectAll(ctx, st, st.Second())
	if err != nil {
		return nil, nil, err
	}
	both[1].SameHeads(both[0])
	return both[0], both[1], nil
}

// Report returns the report of a request, after claiming memory for it and for the answer.
func (s *Server) Report(ctx context.Context, r engine.Request,
	inspect func(context.Context, engine.Request) (*engine.Report, error)) (*engine.Report, error) {
	if err := s.Reserve(ctx, r); err != nil {
		return nil, err
	}
	return inspect(ctx, r)
}

// HeadOf returns the head of a page of steps, counted from 1: the one in the address, or the one that a card would
// show.
func (s *Server) HeadOf(ctx context.Context, st address.State, id string) (int, error) {
	st = st.SingleCard(id)
	if st.Head == exhibit.Mean { // no page of steps shows the mean of the heads
		st.Head = exhibit.Auto
	}
	if n, e := s.Runs(id), s.Find(id); e != nil && e.Generates() && st.Layer > n { // in the decoder
		st.Layer -= n
	}
	sel, err := s.Inspect(ctx, st)
	if err != nil {
		return 0, err
	}
	x, err := sel.Exhibit(id, "", 0)
	if err != nil {
		return 0, err
	}
	return max(x.Number, 1), nil
}
