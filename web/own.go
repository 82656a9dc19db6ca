package web

import (
	"attnatlas/engine"
	"attnatlas/engine/messages"
)

// whose names the models of the server in ids of messages: "shipped", or "own" for the
// visitor's.
func (s *Server) whose() string {
	if s.own {
		return "own"
	}
	return "shipped"
}

// unlike says what the visitor's own model has otherwise than the shipped one: "halting =
// accumulated, norm = post". It is empty where nothing is, and of shipped models.
func (s *Server) unlike(id string) []messages.Message {
	m := s.model(id)
	if !s.own || m == nil {
		return nil
	}
	var all []messages.Message
	for _, c := range engine.Overrides(m) {
		all = append(all, messages.New("option.chosen", "name", c.Name, "value", c.Value))
	}
	return all
}

// shippedForm says that what stands above a page's story is told of the shipped model, too:
// options have changed what a mechanism computes, and no other formula is known for them.
// Stacks have one for every choice that changes theirs.
func (s *Server) shippedForm(e *mechanism) bool {
	m := s.model(e.ID)
	if !s.own || m == nil || e.Stack != nil || len(m.MixerOptions) == 0 {
		return false
	}
	entry, _, ok := engine.Find(e.ID)
	return ok && engine.As(entry, nil, m).Formula == entry.Formula
}

// ownStory is what comes before a story that is told of another model than the one shown.
func (p *page) ownStory(e *mechanism) []string {
	if !p.s.own || p.s.model(e.ID) == nil {
		return nil
	}
	unlike := p.s.unlike(e.ID)
	switch {
	case unlike == nil:
		return []string{p.t("own.story-same")}
	case p.s.shippedForm(e):
		return []string{p.t("own.story-formula", "unlike", unlike)}
	}
	return []string{p.t("own.story", "unlike", unlike)}
}

// differencesOf says of which model the differences are, where it is not the one shown.
func (p *page) differencesOf(e *mechanism) string {
	if !p.s.own || p.s.model(e.ID) == nil {
		return ""
	}
	if unlike := p.s.unlike(e.ID); unlike != nil {
		return p.t("own.differences", "unlike", unlike)
	}
	return p.t("own.differences-same")
}

// ownNote says on a card of the wall what a model has otherwise; its page says it at large.
func (p *page) ownNote(e *mechanism) messages.Message {
	unlike := p.s.unlike(e.ID)
	switch {
	case unlike == nil || p.at != nil:
		return messages.Message{}
	case p.s.shippedForm(e):
		return messages.New("own.note-formula", "unlike", unlike)
	}
	return messages.New("own.note", "unlike", unlike)
}
