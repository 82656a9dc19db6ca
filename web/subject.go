package web

import (
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
)

// subject is what an id of an address names: a mechanism, or a stack with a mixer.
type subject struct {
	*attention.Entry                     // of a stack what engine.Find composes
	Stack            *encoder.StackEntry // nil: a mechanism alone
}

// subjectsOf are the mechanisms and then the stacks, each with its own mixer and then with
// those that some of the models have.
func subjectsOf(mechanisms []attention.Entry, stacks []encoder.StackEntry, models ...string) []subject {
	var all []subject
	for i := range mechanisms {
		all = append(all, subject{Entry: &mechanisms[i]})
	}
	for i := range stacks {
		if e, stack, ok := engine.Find(stacks[i].ID); ok {
			all = append(all, subject{e, stack})
		}
		for _, id := range models {
			if e, stack, ok := engine.Find(id); ok && stack != nil && stack.ID == stacks[i].ID && id != stack.ID {
				all = append(all, subject{e, stack})
			}
		}
	}
	return all
}

// firstWall are the models of a wall for which none is named: the default mechanisms, or where
// one of them has no model, the first that have.
func (s *Server) firstWall() []string {
	usual := DefaultState().Mechanisms
	if !slices.ContainsFunc(usual, func(id string) bool { return !s.trained(id) }) {
		return usual
	}
	var ids []string
	for _, e := range s.subjects {
		if len(ids) < len(usual) && s.trained(e.ID) && !s.borrowed(e) {
			ids = append(ids, e.ID)
		}
	}
	if len(ids) == 0 {
		return usual // which say that there are no models
	}
	return ids
}

// borrowed says that a stack has no model of its own and shows a mechanism's.
func (s *Server) borrowed(e subject) bool {
	m := s.model(e.ID)
	return e.Stack != nil && e.Stack.ID == encoder.Encoder.ID && m != nil && m.Stack == ""
}

// subject is what an id names, or nil. A stack may be named with another mixer.
func (s *Server) subject(id string) *subject {
	for i := range s.subjects {
		if s.subjects[i].ID == id {
			return &s.subjects[i]
		}
	}
	e, stack, ok := engine.Find(id)
	if !ok || stack == nil {
		return nil
	}
	for _, known := range s.subjects {
		if known.Stack != nil && known.Stack.ID == stack.ID {
			return &subject{e, stack}
		}
	}
	return nil
}

// listed are all subjects, and those among ids that are a stack with another mixer.
func (s *Server) listed(ids []string) []subject {
	all := slices.Clone(s.subjects)
	for _, id := range ids {
		e := s.subject(id)
		if e != nil && !slices.ContainsFunc(all, func(known subject) bool { return known.ID == id }) {
			all = append(all, *e)
		}
	}
	return all
}

// writes says that it reads one text and writes another; a card shows how it reads.
func (e subject) writes() bool { return e.Stack != nil && e.Stack.New == nil }

// story is what a student should know of it, and of which model it is said.
func (s *Server) story(e subject) []string {
	story := s.ownStory(e)
	if e.Stack == nil {
		return append(story, e.Story()...)
	}
	story = append(story, e.Stack.Story()...)
	switch {
	case e.Stack.ID == encoder.Encoder.ID: // the mechanisms' own models are its shipped ones
	case e.ID != e.Stack.ID:
		story = append(story, "What is said of the shipped model, here and below, holds for "+e.Stack.Name+" with its own mixer.")
	case !s.trained(e.ID):
		story = append(story, "What is said of the shipped model, here and below, holds for the one that “viz train "+e.ID+"” makes: there is none yet.")
	}
	return story
}

// mixer is what mixes words in its layers: itself, or a stack's mechanism.
func (e subject) mixer() *attention.Entry {
	if e.Stack == nil {
		return e.Entry
	}
	_, mechanism, err := encoder.Parse(e.ID)
	if err != nil {
		return e.Entry // engine.Find has parsed it
	}
	m, _ := attention.Find(mechanism)
	return m
}

// trained says whether there is a model to show. Where nothing is known of models, they
// are taken for trained: asking will tell.
func (s *Server) trained(id string) bool {
	if s.info == nil {
		return true
	}
	_, err := s.info(id)
	return err == nil || engine.KindOf(err) != engine.NotFound // one that cannot be opened says why
}
