package site

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/results"

	"github.com/go-chi/chi/v5"
)

// weights says in a few words where the weights come from.
func (s *Server) weights(l *messages.Language) string {
	var commits messages.List
	for _, e := range s.Mechanisms {
		m := s.Model(e.ID)
		if m == nil {
			continue
		}
		if c := m.Commit[:min(len(m.Commit), 10)]; !slices.Contains(commits, c) {
			commits = append(commits, c)
		}
	}
	if commits == nil {
		return ""
	}
	return l.T("about.weights", "commits", commits)
}

// Mechanism is what an id of an address names: a mechanism, or a stack with one.
type Mechanism struct {
	*attention.Entry                     // of a stack what engine.Find composes
	Stack            *encoder.StackEntry // nil: a mechanism alone
}

// Catalogue lists the mechanisms and then the stacks, each with its own mixer and then with
// those that some of the models have.
func Catalogue(mechanisms []attention.Entry, stacks []encoder.StackEntry, models ...string) []Mechanism {
	var all []Mechanism
	for i := range mechanisms {
		all = append(all, Mechanism{Entry: &mechanisms[i]})
	}
	for i := range stacks {
		if e, stack, ok := engine.Find(stacks[i].ID); ok {
			all = append(all, Mechanism{e, stack})
		}
		for _, id := range models {
			if e, stack, ok := engine.Find(id); ok && stack != nil && stack.ID == stacks[i].ID && id != stack.ID {
				all = append(all, Mechanism{e, stack})
			}
		}
	}
	return all
}

// Find is what an id names, or nil. A stack may be named with another mixer.
func (s *Server) Find(id string) *Mechanism {
	for i := range s.Mechanisms {
		if s.Mechanisms[i].ID == id {
			return &s.Mechanisms[i]
		}
	}
	e, stack, ok := engine.Find(id)
	if engine.FindGuest(id) != nil {
		return &Mechanism{e, stack}
	}
	if !ok || stack == nil {
		return nil
	}
	for _, known := range s.Mechanisms {
		if known.Stack != nil && known.Stack.ID == stack.ID {
			return &Mechanism{e, stack}
		}
	}
	return nil
}

// Listed are all mechanisms and guests, and those among ids that are a stack with another mixer.
func (s *Server) Listed(ids []string) []Mechanism {
	all := slices.Clone(s.Mechanisms)
	for _, g := range engine.Guests() {
		all = append(all, Mechanism{g.Entry(), g.Stack()})
	}
	for _, id := range ids {
		e := s.Find(id)
		if e != nil && !slices.ContainsFunc(all, func(known Mechanism) bool { return known.ID == id }) {
			all = append(all, *e)
		}
	}
	return all
}

// FirstWall are the models of a wall for which none is named: the default mechanisms, or where
// one of them has no model, the first that have.
func (s *Server) FirstWall() []string {
	usual := engine.Default[:]
	if !slices.ContainsFunc(usual, func(id string) bool { return !s.Trained(id) }) {
		return slices.Clone(usual)
	}
	var ids []string
	for _, e := range s.Mechanisms {
		if len(ids) < len(usual) && s.Trained(e.ID) && !s.Borrowed(e) {
			ids = append(ids, e.ID)
		}
	}
	if len(ids) == 0 {
		return slices.Clone(usual) // which say that there are no models
	}
	return ids
}

// Borrowed says that a stack has no model of its own and shows a mechanism's.
func (s *Server) Borrowed(e Mechanism) bool {
	m := s.Model(e.ID)
	return e.Stack != nil && e.Stack.ID == encoder.Encoder.ID && m != nil && m.Stack == ""
}

// Trained says whether there is a model to show. Where nothing is known of models, they
// are taken for trained: asking will tell.
func (s *Server) Trained(id string) bool {
	if s.Info == nil {
		return true
	}
	_, err := s.Info(id)
	return err == nil || fault.KindOf(err) != fault.NotFound // one that cannot be opened says why
}

// Model is the provenance of a mechanism's model, or nil when there is none.
func (s *Server) Model(id string) *engine.ModelInfo {
	if s.Info == nil {
		return nil
	}
	m, err := s.Info(id)
	if err != nil {
		return nil
	}
	return m
}

// Described is a mechanism with what is true of the model that is shown.
func (s *Server) Described(e *Mechanism) *Mechanism {
	return &Mechanism{engine.As(e.Entry, e.Stack, s.Model(e.ID)), e.Stack}
}

// Generates says that it reads one text and writes another; a card shows how it reads.
func (e Mechanism) Generates() bool { return e.Stack != nil && e.Stack.New == nil }

// Facts are what is true of a model of it.
func (e Mechanism) Facts(m *engine.ModelInfo) encoder.Facts {
	stack := e.Stack
	if stack == nil {
		stack = &encoder.Encoder
	}
	return stack.Describe(encoder.Config{Layers: m.Layers, Norm: encoder.Norm(m.Norm), Options: m.Options})
}

// Shares says that all layers of the model are one set of weights.
func (e Mechanism) Shares(m *engine.ModelInfo) bool { return m != nil && e.Facts(m).Shared }

// Mixer is what mixes words in its layers: itself, or a stack's mechanism.
func (e Mechanism) Mixer() *attention.Entry {
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

// Choices are those of a stack, or of a mechanism alone. Nobody chooses those of a guest.
func (e *Mechanism) Choices() []attention.Option {
	if engine.FindGuest(e.ID) != nil {
		return nil
	}
	if e.Stack != nil {
		return e.Stack.Options
	}
	return e.Options
}

// SizedLike is the model whose sizes the numbers of a mechanism are told for: its own, or where
// there is none the one that training would make: of a stack its own, of a mechanism with
// the sizes of all other mechanisms' models. Nil: there are no such models.
func (s *Server) SizedLike(e Mechanism) *engine.ModelInfo {
	if m := s.Model(e.ID); m != nil {
		return m
	}
	if e.Stack != nil {
		c, err := encoder.Default(e.Stack.ID, e.Mixer().ID, s.Vocab.Size())
		if err != nil {
			return nil // a stack that engine.Find knows has a default
		}
		return &engine.ModelInfo{Layers: c.Layers, Width: c.Width, Heads: c.Heads, Length: c.Length,
			MixerOptions: c.MixerOptions}
	}
	for _, other := range s.Mechanisms {
		if m := s.Model(other.ID); m != nil && other.Stack == nil {
			like := *m
			like.MixerOptions = nil // they are the other's
			return &like
		}
	}
	return nil
}

// NoMechanism is the error of an id that the catalogue lacks.
func (s *Server) NoMechanism(id string) *fault.Error {
	var ids messages.List
	for _, e := range s.Mechanisms {
		ids = append(ids, e.ID)
	}
	return fault.Errorf(fault.NotFound, "error.unknown", "id", messages.Quote(id), "known", ids)
}

// Nearest are up to three ids that are written like id, the nearest first.
func (s *Server) Nearest(id string) []string {
	type candidate struct {
		id       string
		distance int
	}
	id = strings.ToLower(id[:min(len(id), 64)])
	var all []candidate
	for _, e := range s.Mechanisms {
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

// TrainCommand is a command that trains a model with another option than the default.
func (e *Mechanism) TrainCommand() string {
	options := e.Choices()
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

// AtDesk says whether a mechanism has a desk.
func AtDesk(e *attention.Entry) bool { return e.Parts != nil || e.Table != nil || e.Running }

// DeskKind is what is set at the desk of a mechanism.
func DeskKind(e *attention.Entry) string {
	switch {
	case e.Parts != nil:
		return "mixture"
	case e.Running:
		return "running"
	}
	return "rank"
}

// MechanismOf is the mechanism that an address names.
func (s *Server) MechanismOf(r *http.Request) (*Mechanism, error) {
	id, err := IDOf(chi.URLParam(r, "mechanism"))
	if err != nil {
		return nil, err
	}
	if e := s.Find(id); e != nil {
		return e, nil
	}
	return nil, s.NoMechanism(id)
}

// ResultsOf are those of the model that a mechanism or stack shows, or nil.
func (s *Server) ResultsOf(e *Mechanism) *results.ModelResults {
	if m := s.Model(e.ID); m != nil && s.Borrowed(*e) {
		return s.Results.Find(m.Mechanism)
	}
	return s.Results.Find(e.ID)
}

// Objective is what a model learned, in words.
func Objective(name string) messages.Message { return messages.New("objective." + messages.Key(name)) }

// Owner names the models of the server in ids of messages: "shipped", or "own" for the
// visitor's.
func (s *Server) Owner() string {
	if s.Own {
		return "own"
	}
	return "shipped"
}

// Unlike says what the visitor's own model has otherwise than the shipped one: "halting =
// accumulated, norm = post". It is empty where nothing is, and of shipped models.
func (s *Server) Unlike(id string) []messages.Message {
	m := s.Model(id)
	if !s.Own || m == nil {
		return nil
	}
	var all []messages.Message
	for _, c := range engine.Overrides(m) {
		all = append(all, messages.New("option.chosen", "name", c.Name, "value", c.Value))
	}
	return all
}

// ShippedForm says that what stands above a page's story is told of the shipped model, too:
// options have changed what a mechanism computes, and no other formula is known for them.
// Stacks have one for every choice that changes theirs.
func (s *Server) ShippedForm(e *Mechanism) bool {
	m := s.Model(e.ID)
	if !s.Own || m == nil || e.Stack != nil || len(m.MixerOptions) == 0 {
		return false
	}
	entry, _, ok := engine.Find(e.ID)
	return ok && engine.As(entry, nil, m).Formula == entry.Formula
}

// Runs is how many layers the model of a mechanism has, of two stacks the first.
func (s *Server) Runs(id string) int {
	if e, m := s.Find(id), s.Model(id); e != nil && m != nil {
		return e.Facts(m).Runs
	}
	return 0
}
