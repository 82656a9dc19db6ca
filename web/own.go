package web

import (
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
)

// as is a subject with what is true of the model that is shown.
func (s *Server) as(e *subject) *subject {
	return &subject{engine.As(e.Entry, e.Stack, s.model(e.ID)), e.Stack}
}

// whose names the model of a page.
func (s *Server) whose() string {
	if s.own {
		return "your model"
	}
	return "the shipped model"
}

// unlike says what the visitor's own model has otherwise than the shipped one: "halting =
// accumulated, norm = post". It is empty where nothing is, and of shipped models.
func (s *Server) unlike(id string) string {
	m := s.model(id)
	if !s.own || m == nil {
		return ""
	}
	var all []string
	for _, c := range engine.Choices(m) {
		all = append(all, c.Name+" = "+c.Value)
	}
	return strings.Join(all, ", ")
}

// shippedForm says that what stands above a page's story is told of the shipped model, too:
// options have changed what a mechanism computes, and no other formula is known for them.
// Stacks have one for every choice that changes theirs.
func (s *Server) shippedForm(e subject) bool {
	m := s.model(e.ID)
	if !s.own || m == nil || e.Stack != nil || len(m.Knobs) == 0 {
		return false
	}
	entry, _, ok := engine.Find(e.ID)
	return ok && engine.As(entry, nil, m).Formula == entry.Formula
}

// ownStory is what comes before a story that is told of another model than the one shown.
func (s *Server) ownStory(e subject) []string {
	if !s.own || s.model(e.ID) == nil {
		return nil
	}
	unlike := s.unlike(e.ID)
	switch {
	case unlike == "":
		return []string{"This is a model of your own; the differences and the story below tell of the shipped one, which has the same form and other weights."}
	case s.shippedForm(e):
		return []string{"Your model has " + unlike + "; the formula above, the differences and the story below tell of the shipped one."}
	}
	return []string{"Your model has " + unlike + "; the differences and the story below tell of the shipped one."}
}

// differencesOf says of which model the differences are, where it is not the one shown.
func (s *Server) differencesOf(id string) string {
	if !s.own || s.model(id) == nil {
		return ""
	}
	if unlike := s.unlike(id); unlike != "" {
		return "This is said of the shipped model; yours has " + unlike + "."
	}
	return "This is said of the shipped model; yours has the same form, and other weights."
}

// ownNote says on a card of the wall what a model has otherwise; its page says it at large.
func (s *Server) ownNote(p *wallPage, e subject) string {
	unlike := s.unlike(e.ID)
	switch {
	case unlike == "" || p.at != "":
		return ""
	case s.shippedForm(e):
		return "Your model has " + unlike + "; the formula is that of the shipped one."
	}
	return "Your model has " + unlike + "."
}

// seen says of examples in which models was seen what they say.
func (s *Server) seen(list []components.Example) []components.Example {
	for i := range list {
		if s.own && list[i].Shipped {
			list[i].Look = "Of the shipped models: " + list[i].Look
		}
	}
	return list
}
