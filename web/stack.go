package web

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/trace"
)

// make says what a stack is made of: its layers, its mixer, what it learned. The mixer's
// link keeps the state of the page.
func (s *Server) makeOf(e *subject, st State) components.Make {
	if e.Stack == nil {
		return components.Make{}
	}
	mixer := e.mixer()
	m := components.Make{Mixer: components.Link{Label: mixer.Name, URL: s.subjectURL(st, mixer.ID)}}
	if model := s.model(e.ID); model != nil && !e.writes() {
		m.Depth = components.Count(e.depth(model), "layer")
		if e.shares(model) {
			m.Depth = fmt.Sprintf("%d times the same layer", model.Layers)
			if e.Stack.ID == encoder.Universal.ID && model.Options["halting"] != "none" {
				m.Depth = "the same layer, up to " + components.Count(model.Layers, "time")
			}
		}
		m.Learned = strings.Join(learned(e.Stack, model), ", ")
	}
	return m
}

// learned are the objectives of a stack's model, without the classifications that any
// model can have.
func learned(stack *encoder.StackEntry, model *engine.ModelInfo) []string {
	all := []string{string(stack.Objective)}
	for _, task := range []encoder.Task{encoder.NextSentence, encoder.SentenceOrder} {
		if _, ok := model.Score[task.Name]; ok {
			all = append(all, task.Name)
		}
	}
	return all
}

// shares says that all layers of the model are one set of weights.
func (e subject) shares(model *engine.ModelInfo) bool {
	return model != nil && factsOf(e.Stack, model).Shared
}

// depth is how many layers a model of it runs, which ALBERT's options can multiply.
func (e subject) depth(model *engine.ModelInfo) int { return depthOf(e.Stack, model) }

func depthOf(stack *encoder.StackEntry, model *engine.ModelInfo) int {
	return factsOf(stack, model).Runs
}

// factsOf are what is true of a model of a stack, or of a mechanism's.
func factsOf(stack *encoder.StackEntry, model *engine.ModelInfo) encoder.Facts {
	if stack == nil {
		stack = &encoder.Encoder
	}
	return stack.Describe(encoder.Config{Layers: model.Layers, Options: model.Options})
}

// subjectURL is the address of the page of a mechanism or stack, whose model may have
// fewer layers than the one that is looked at.
func (s *Server) subjectURL(st State, id string) string {
	if e, m := s.subject(id), s.model(id); e != nil && m != nil && st.Layer > e.depth(m) {
		st.Layer = 0
	}
	return mechanismURL(st, id)
}

// alwaysCausal is what cards of stacks say that read backwards only.
const alwaysCausal = "Always causal: it learned to guess the next word, so no word reads what comes later, whatever the mask says."

// neverMasked is what they say beside it of a text with [MASK].
const neverMasked = "It has never seen [MASK] in training: what it makes of one means nothing."

// rolloutCaption says through which layers words were followed.
func rolloutCaption(m *engine.Result, number int) string {
	one := unit(m)
	where := fmt.Sprintf("through %ss 1 to %d", one, number)
	if number <= 1 {
		where = "after " + one + " 1"
	}
	return "share of the row’s word that comes from the column’s, " + where + ", if weights and residual connections were all that counts"
}

// rolloutNote says what rollout does not know of a stack.
func rolloutNote(st State, m *engine.Result) string {
	if m.Stack == nil || st.Show != ShowRollout {
		return ""
	}
	return m.Stack.Rollout
}

// stackFacts are what was measured on the maps of a stack itself.
func stackFacts(m *engine.Result) []components.Fact {
	var list []components.Fact
	if updates, ok := wholeMap(m, "updates"); ok {
		list = append(list, components.Fact{Label: "steps", Value: components.Number(mean(updates)) + " of " + strconv.Itoa(mostSteps(m)),
			Help: "how many steps a word took before it halted, on average"})
	}
	for _, c := range m.Charges {
		list = append(list, components.Fact{Label: c.Name + " cost", Value: components.Number(c.Value),
			Help: "what training would pay for this text: the price of a step times the mean of steps and remainders"})
	}
	if wrong, ok := wholeMap(m, "reconstruction error"); ok {
		list = append(list, components.Fact{Label: "error", Value: components.Number(largest(wrong)),
			Help: "the largest, over all layers and words: how far an input that was computed backwards is from what it was"})
	}
	return list
}

// mostSteps is how many steps a word could have taken.
func mostSteps(m *engine.Result) int {
	if m.Model != nil {
		return depthOf(m.Stack, m.Model)
	}
	return len(m.Layers)
}

// stoppedEarly says that every word had halted before the last step that the model can take.
func stoppedEarly(m *engine.Result) bool {
	return len(m.Layers) > 0 && unit(m) == "step" && len(m.Layers) < mostSteps(m)
}

// haltingNote says why a model has fewer steps to show than it can take.
func haltingNote(m *engine.Result) string {
	if !stoppedEarly(m) {
		return ""
	}
	return fmt.Sprintf("This text stopped after %d of up to %d steps.", len(m.Layers), mostSteps(m))
}

func mean(t trace.Map) float64 {
	sum := 0.0
	for _, v := range t.Value.Data {
		sum += float64(v)
	}
	return sum / float64(max(t.Value.Len(), 1))
}

// depthView leads through layers that share their weights, round and round.
func (s *Server) depthView(p *wallPage, e *subject) components.Depth {
	res := find(p.report, e.ID)
	if res == nil || res.Err != nil || len(res.Layers) < 2 || !e.shares(res.Model) {
		return components.Depth{}
	}
	at := slices.IndexFunc(res.Layers, func(l engine.Layer) bool { return l.Number == p.state.Layer })
	if at < 0 {
		return components.Depth{}
	}
	to := func(i int) components.Link {
		l := res.Layers[(i+len(res.Layers))%len(res.Layers)]
		st := p.state
		st.Layer = l.Number
		return components.Link{Label: l.Name, URL: p.url(st)}
	}
	one := unit(res)
	return components.Depth{
		Title: "The same weights in every " + one,
		Text:  fmt.Sprintf("%s of %d, with the same weights as every other: what differs, the words have brought about.", capital(res.Layers[at].Name), len(res.Layers)),
		Back:  to(at - 1), Next: to(at + 1), Unit: one,
	}
}

// capital begins a label.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
