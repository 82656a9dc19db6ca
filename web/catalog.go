package web

import (
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
)

// mechanism is what an id of an address names: a mechanism, or a stack with one.
type mechanism struct {
	*attention.Entry                     // of a stack what engine.Find composes
	Stack            *encoder.StackEntry // nil: a mechanism alone
}

// catalogue lists the mechanisms and then the stacks, each with its own mixer and then with
// those that some of the models have.
func catalogue(mechanisms []attention.Entry, stacks []encoder.StackEntry, models ...string) []mechanism {
	var all []mechanism
	for i := range mechanisms {
		all = append(all, mechanism{Entry: &mechanisms[i]})
	}
	for i := range stacks {
		if e, stack, ok := engine.Find(stacks[i].ID); ok {
			all = append(all, mechanism{e, stack})
		}
		for _, id := range models {
			if e, stack, ok := engine.Find(id); ok && stack != nil && stack.ID == stacks[i].ID && id != stack.ID {
				all = append(all, mechanism{e, stack})
			}
		}
	}
	return all
}

// find is what an id names, or nil. A stack may be named with another mixer.
func (s *Server) find(id string) *mechanism {
	for i := range s.mechanisms {
		if s.mechanisms[i].ID == id {
			return &s.mechanisms[i]
		}
	}
	e, stack, ok := engine.Find(id)
	if !ok || stack == nil {
		return nil
	}
	for _, known := range s.mechanisms {
		if known.Stack != nil && known.Stack.ID == stack.ID {
			return &mechanism{e, stack}
		}
	}
	return nil
}

// listed are all mechanisms, and those among ids that are a stack with another mixer.
func (s *Server) listed(ids []string) []mechanism {
	all := slices.Clone(s.mechanisms)
	for _, id := range ids {
		e := s.find(id)
		if e != nil && !slices.ContainsFunc(all, func(known mechanism) bool { return known.ID == id }) {
			all = append(all, *e)
		}
	}
	return all
}

// firstWall are the models of a wall for which none is named: the default mechanisms, or where
// one of them has no model, the first that have.
func (s *Server) firstWall() []string {
	usual := engine.Default[:]
	if !slices.ContainsFunc(usual, func(id string) bool { return !s.trained(id) }) {
		return slices.Clone(usual)
	}
	var ids []string
	for _, e := range s.mechanisms {
		if len(ids) < len(usual) && s.trained(e.ID) && !s.borrowed(e) {
			ids = append(ids, e.ID)
		}
	}
	if len(ids) == 0 {
		return slices.Clone(usual) // which say that there are no models
	}
	return ids
}

// borrowed says that a stack has no model of its own and shows a mechanism's.
func (s *Server) borrowed(e mechanism) bool {
	m := s.model(e.ID)
	return e.Stack != nil && e.Stack.ID == encoder.Encoder.ID && m != nil && m.Stack == ""
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

// model is the provenance of a mechanism's model, or nil when there is none.
func (s *Server) model(id string) *engine.ModelInfo {
	if s.info == nil {
		return nil
	}
	m, err := s.info(id)
	if err != nil {
		return nil
	}
	return m
}

// as is a mechanism with what is true of the model that is shown.
func (s *Server) as(e *mechanism) *mechanism {
	return &mechanism{engine.As(e.Entry, e.Stack, s.model(e.ID)), e.Stack}
}

// generates says that it reads one text and writes another; a card shows how it reads.
func (e mechanism) generates() bool { return e.Stack != nil && e.Stack.New == nil }

// facts are what is true of a model of it.
func (e mechanism) facts(m *engine.ModelInfo) encoder.Facts {
	stack := e.Stack
	if stack == nil {
		stack = &encoder.Encoder
	}
	return stack.Describe(encoder.Config{Layers: m.Layers, Norm: encoder.Norm(m.Norm), Options: m.Options})
}

// shares says that all layers of the model are one set of weights.
func (e mechanism) shares(m *engine.ModelInfo) bool { return m != nil && e.facts(m).Shared }

// mixer is what mixes words in its layers: itself, or a stack's mechanism.
func (e mechanism) mixer() *attention.Entry {
	if e.Stack == nil {
		return e.Entry
	}
	_, id, err := encoder.Parse(e.ID)
	if err != nil {
		return e.Entry // engine.Find has parsed it
	}
	m, _ := attention.Find(id)
	return m
}

// options are those of a stack, or of a mechanism alone.
func (e *mechanism) options() []attention.Option {
	if e.Stack != nil {
		return e.Stack.Options
	}
	return e.Options
}

// like is the model whose sizes the numbers of a mechanism are told for: its own, or where
// there is none the one that training would make: of a stack its own, of a mechanism with
// the sizes of all other mechanisms' models. Nil: there are no such models.
func (s *Server) like(e mechanism) *engine.ModelInfo {
	if m := s.model(e.ID); m != nil {
		return m
	}
	if e.Stack != nil {
		c, err := encoder.Default(e.Stack.ID, e.mixer().ID, s.vocab.Size())
		if err != nil {
			return nil // a stack that engine.Find knows has a default
		}
		return &engine.ModelInfo{Layers: c.Layers, Width: c.Width, Heads: c.Heads, Length: c.Length, MixerOptions: c.MixerOptions}
	}
	for _, other := range s.mechanisms {
		if m := s.model(other.ID); m != nil && other.Stack == nil {
			like := *m
			like.MixerOptions = nil // they are the other's
			return &like
		}
	}
	return nil
}

// noMechanism is the error of an id that the catalogue lacks.
func (s *Server) noMechanism(id string) *engine.Error {
	var ids messages.List
	for _, e := range s.mechanisms {
		ids = append(ids, e.ID)
	}
	return engine.Errorf(engine.NotFound, "error.unknown", "id", messages.Quote(id), "known", ids)
}

// nearest are up to three ids that are written like id, the nearest first.
func (s *Server) nearest(id string) []string {
	type candidate struct {
		id       string
		distance int
	}
	id = strings.ToLower(id[:min(len(id), 64)])
	var all []candidate
	for _, e := range s.mechanisms {
		d := distance(id, e.ID)
		if id != "" && (strings.Contains(e.ID, id) || strings.Contains(id, e.ID)) {
			d = 1
		}
		if d <= max(2, len(e.ID)/3) {
			all = append(all, candidate{e.ID, d})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return a.distance - b.distance })
	var ids []string
	for _, c := range all[:min(len(all), 3)] {
		ids = append(ids, c.id)
	}
	return ids
}

// distance counts the letters to insert, to remove and to exchange that make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// trainCommand is a command that trains a model with another option than the default.
func (e *mechanism) trainCommand() string {
	options := e.options()
	if len(options) == 0 {
		return ""
	}
	stack, id, _ := encoder.Parse(e.ID) // engine.Find has parsed it
	option := encoder.Config{Stack: stack, Mechanism: id}.OptionName(options[0].Name) + "=" + options[0].Other()
	if strings.Contains(option, " ") {
		option = strconv.Quote(option)
	}
	return "viz train " + e.ID + " --option " + option + " --data DIR"
}
