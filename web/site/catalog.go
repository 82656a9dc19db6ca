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
	"attnatlas/engine/modelfile"
	"attnatlas/engine/results"

	"github.com/go-chi/chi/v5"
)

// weights describes the origin of the weights in a few words.
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

// Mechanism is the mechanism, or the stack with a mechanism, that an id in an address names.
type Mechanism struct {
	*attention.Entry                     // for a stack, the entry that engine.Find composes
	Stack            *encoder.StackEntry // nil for a mechanism alone
}

// Catalogue lists the mechanisms and then the stacks. Each stack comes with its default mixer, and then with the
// other mixers for which there are models.
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

// Find returns the mechanism or stack with an id, or nil. The id of a stack may name another mixer.
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

// Listed returns all mechanisms and guests, and those stacks among ids that have another mixer.
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

// FirstWall returns the models of a wall whose address names none: the default mechanisms, or, if one of them has no
// model, the first mechanisms that have one.
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
		return slices.Clone(usual) // their cards then say that there are no models
	}
	return ids
}

// Borrowed reports whether a stack has no model of its own and shows that of a mechanism.
func (s *Server) Borrowed(e Mechanism) bool {
	m := s.Model(e.ID)
	return e.Stack != nil && e.Stack.ID == encoder.Encoder.ID && m != nil && m.Stack == ""
}

// Trained reports whether there is a model to show. If nothing is known about the models, it reports true, and the
// request finds out.
func (s *Server) Trained(id string) bool {
	if s.Info == nil {
		return true
	}
	_, err := s.Info(id)
	return err == nil || fault.KindOf(err) != fault.NotFound // if the file cannot be opened, the card says why
}

// Model returns the provenance of a mechanism's model, or nil if there is no model.
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

// Described returns a mechanism with the facts about the model that is shown.
func (s *Server) Described(e *Mechanism) *Mechanism {
	return &Mechanism{engine.As(e.Entry, e.Stack, s.Model(e.ID)), e.Stack}
}

// Generates reports whether the model reads one text and writes another. A card shows how such a model reads.
func (e Mechanism) Generates() bool { return e.Stack != nil && e.Stack.New == nil }

// Facts returns the facts about the mechanism's model.
func (e Mechanism) Facts(m *engine.ModelInfo) encoder.Facts {
	stack := e.Stack
	if stack == nil {
		stack = &encoder.Encoder
	}
	return stack.Describe(encoder.Config{Layers: m.Layers, Norm: encoder.Norm(m.Norm), Options: m.Options})
}

// Shares reports whether all layers of the model share one set of weights.
func (e Mechanism) Shares(m *engine.ModelInfo) bool { return m != nil && e.Facts(m).Shared }

// Mixer returns the mechanism in the layers: the mechanism itself, or that of the stack.
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

// Choices returns the options of a stack or of a mechanism alone. A guest has no options to choose.
func (e *Mechanism) Choices() []attention.Option {
	if engine.FindGuest(e.ID) != nil {
		return nil
	}
	if e.Stack != nil {
		return e.Stack.Options
	}
	return e.Options
}

// SizedLike returns the model whose sizes a page uses for its numbers. It is the mechanism's own model, or else the
// model that training would make: a stack has its own sizes, and a mechanism those of all other mechanisms' models.
// It returns nil if there are no such models.
func (s *Server) SizedLike(e Mechanism) *engine.ModelInfo {
	if m := s.Model(e.ID); m != nil {
		return m
	}
	if e.Stack != nil {
		c, err := encoder.Default(e.Stack.ID, e.Mixer().ID, s.Vocab.Size())
		if err != nil {
			return nil // a stack that engine.Find returns has a default mixer
		}
		return &engine.ModelInfo{Layers: c.Layers, Width: c.Width, Heads: c.Heads, Length: c.Length,
			MixerOptions: c.MixerOptions}
	}
	for _, other := range s.Mechanisms {
		if m := s.Model(other.ID); m != nil && other.Stack == nil {
			like := *m
			like.MixerOptions = nil // these options belong to the other mechanism
			return &like
		}
	}
	return nil
}

// NoMechanism is the error for an id that is not in the catalogue.
func (s *Server) NoMechanism(id string) *fault.Error {
	var ids messages.List
	for _, e := range s.Mechanisms {
		ids = append(ids, e.ID)
	}
	return fault.Errorf(fault.NotFound, "error.unknown", "id", messages.Quote(id), "known", ids)
}

// Nearest returns up to three ids that are spelled like id, the most similar first.
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

// distance returns the number of letters to insert, remove or exchange to turn a into b.
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

// TrainCommand returns a command that trains a model with an option other than the default.
func (e *Mechanism) TrainCommand() string {
	options := e.Choices()
	if len(options) == 0 {
		return ""
	}
	stack, id, _ := encoder.Parse(e.ID) // engine.Find has already parsed it
	option := encoder.Config{Stack: stack, Mechanism: id}.OptionName(options[0].Name) + "=" + options[0].Other()
	if strings.Contains(option, " ") {
		option = strconv.Quote(option)
	}
	return "viz train " + e.ID + " --option " + option + " --data DIR"
}

// AtDesk reports whether a mechanism has a playground.
func AtDesk(e *attention.Entry) bool { return e.Parts != nil || e.Table != nil || e.Running }

// DeskKind names what a visitor sets in the playground of a mechanism.
func DeskKind(e *attention.Entry) string {
	switch {
	case e.Parts != nil:
		return "mixture"
	case e.Running:
		return "running"
	}
	return "rank"
}

// MechanismOf returns the mechanism that an address names.
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

// ResultsOf returns the results of the model that a mechanism or stack shows, or nil.
func (s *Server) ResultsOf(e *Mechanism) *results.ModelResults {
	if m := s.Model(e.ID); m != nil && s.Borrowed(*e) {
		return s.Results.Find(m.Mechanism)
	}
	return s.Results.Find(e.ID)
}

// Objective describes the training objective of a model in words.
func Objective(name string) messages.Message { return messages.New("objective." + messages.Key(name)) }

// Owner returns the part of message ids that names the owner of the models: "shipped", or "own" for the visitor's.
func (s *Server) Owner() string {
	if s.Own {
		return "own"
	}
	return "shipped"
}

// Unlike lists the options in which the visitor's own model differs from the shipped one, such as "halting =
// accumulated, norm = post". It is empty if they are equal, and for shipped models.
func (s *Server) Unlike(id string) []messages.Message {
	m := s.Model(id)
	if !s.Own || m == nil {
		return nil
	}
	var all []messages.Message
	for _, c := range modelfile.Overrides(m) {
		all = append(all, messages.New("option.chosen", "name", c.Name, "value", c.Value))
	}
	return all
}

// ShippedForm reports whether the text above a page's story describes the shipped model too. It does if options have
// changed what a mechanism computes, because there is no other formula for it. Stacks have a text for every such
// option.
func (s *Server) ShippedForm(e *Mechanism) bool {
	m := s.Model(e.ID)
	if !s.Own || m == nil || e.Stack != nil || len(m.MixerOptions) == 0 {
		return false
	}
	entry, _, ok := engine.Find(e.ID)
	return ok && engine.As(entry, nil, m).Formula == entry.Formula
}

// Runs returns the number of layers of a mechanism's model. For a model with two stacks, it counts the first.
func (s *Server) Runs(id string) int {
	if e, m := s.Find(id), s.Model(id); e != nil && m != nil {
		return e.Facts(m).Runs
	}
	return 0
}
