package exhibit

import (
	"math"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/metrics"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Fact is a measured number with its name and an explanation of how it is computed.
type Fact struct{ Label, Value, Help messages.Message }

// fact returns the Fact whose texts have an id, with the arguments of its help.
func fact(id, value string, args ...any) Fact {
	return Fact{messages.New("fact." + id + ".label"), messages.Text(value), messages.New("fact."+id+".help", args...)}
}

// RowSums reports whether the rows of maps sum to 1 where they must.
type RowSums struct {
	Rule  bool // the rows of the main map must sum to 1
	Holds bool // all rows that must sum to 1 do
	Text  messages.Message
}

// sumTolerance is the largest deviation from 1 of a row of float32 probabilities. It allows for the rounding of a
// sum of a few hundred terms, with one decimal to spare.
const sumTolerance = 1e-5

// RowSums checks the main map and the strips of a card.
func (c *Card) RowSums() RowSums {
	worst, symbols := 0.0, messages.List{}
	for _, x := range c.Shown() {
		if x.Map.Kind != trace.Probability {
			continue
		}
		worst = max(worst, metrics.RowSumDeviation(x.rest())) // NaN stays
		symbols = append(symbols, x.View.Symbol)
	}
	noRule := messages.New("sums.by-design", "symbol", c.Main.View.Symbol)
	if m := method.Find(c.Main.Map.Name); m != nil && c.Main.Map.Kind != trace.Probability {
		noRule = messages.New("sums." + m.Name)
	}
	r := RowSums{Rule: c.Main.Map.Kind == trace.Probability, Holds: worst <= sumTolerance, Text: noRule}
	switch {
	case r.Rule:
		r.Text = messages.New("sums.holds", "deviation", messages.Number(worst))
	case len(symbols) > 0:
		r.Text = messages.New("sums.strips", "symbols", symbols, "deviation", messages.Number(worst), "main", noRule)
	}
	return r
}

// Facts returns the measurements of the main map and the strips of a card, and of the pass.
func (c *Card) Facts() []Fact {
	if m, _ := method.Of(c.Main.Map.Name); m != nil && m.Facts != nil {
		return append(methodFacts(c.Main, m.Facts[0], m.Facts[1]), layerFacts(c.Main)...)
	}
	list := layerFacts(c.Main)
	for _, x := range c.Shown() {
		if x.Map.Kind != trace.Probability {
			continue
		}
		uniform := math.Log2(float64(x.Grid().Cols))
		entropy := fact("entropy", "", "uniform", messages.Number(uniform), "positions", x.Grid().Cols)
		entropy.Value = messages.New("bits", "value", messages.Number(metrics.Entropy(x.Map)))
		if len(c.Strips) > 0 {
			entropy.Label = messages.New("fact.entropy.of", "symbol", x.View.Symbol)
		}
		list = append(list, entropy)
		if _, pairs := x.Map.Has(trace.Query); pairs && x.Map.Axes[len(x.Map.Axes)-1].Role == trace.Key {
			list = append(list, distance("distance", metrics.MeanDistance(x.Map)))
		}
	}
	return append(list, stackFacts(c.Main.Result)...)
}

// Spread returns the perplexity of the rows of the map, in tokens: 2 to the power of their mean entropy. ok is
// false if the map does not have attention weights from words to words.
func (x *Exhibit) Spread() (tokens float64, ok bool) {
	if x.Map.Kind != trace.Probability || !ofWords(x.Map) {
		return 0, false
	}
	return math.Exp2(metrics.Entropy(x.Map)), true
}

func distance(id string, tokens float64) Fact {
	f := fact(id, "")
	f.Value = messages.New("tokens", "value", messages.Number(tokens))
	return f
}

// methodFacts returns the measurements of a map of influence or of an attribution method, under these names: the
// mean distance, and the fraction on the diagonal.
func methodFacts(x *Exhibit, far, diagonal string) []Fact {
	shares := metrics.RowShares(x.Map)
	return []Fact{
		distance(far, metrics.MeanDistance(shares)),
		fact(diagonal, messages.Number(100*metrics.Diagonal(shares))+" %"),
	}
}

// layerFacts returns the fact about what a layer of a visitor's own model attends to, or nil.
func layerFacts(x *Exhibit) []Fact {
	if x.Whole || x.Part != "" {
		return nil
	}
	says := ReachSays(x.Result.ID, x.Layer.Number)
	if says.IsZero() {
		return nil
	}
	f := fact("layer", "", "number", x.Layer.Number)
	f.Value = says
	return []Fact{f}
}

// ReachSays describes what a layer of a visitor's own model, counted from 1, attends to. It returns the zero Message
// if that is not known.
func ReachSays(id string, layer int) messages.Message {
	r, ok := engine.Reach(id, layer)
	if !ok {
		return messages.Message{}
	}
	says := messages.New("layer-reach.all")
	switch {
	case r.BothSides:
		says = messages.New("layer-reach.sides", "tokens", messages.New("count.token", "count", r.Window))
	case r.Window > 0:
		says = messages.New("layer-reach.window", "tokens", messages.New("count.token", "count", r.Window))
	}
	if !r.Positioned {
		says = messages.Join(", ", says, messages.New("layer-reach.unpositioned"))
	}
	return says
}

// stackFacts returns the measurements of the maps of an architecture.
func stackFacts(res *engine.Result) []Fact {
	var list []Fact
	whole := trace.Run{Steps: res.Maps}
	if updates, ok := whole.Find("updates"); ok {
		f := fact("steps", "")
		f.Value = messages.New("steps-of", "value", messages.Number(mean(updates)), "most", MostSteps(res))
		list = append(list, f)
	}
	for _, c := range res.Charges {
		list = append(list, Fact{messages.New("fact.cost.label", "name", c.Name), messages.Text(messages.Number(c.Value)),
			messages.New("fact.cost.help")})
	}
	if wrong, ok := whole.Find("reconstruction error"); ok {
		list = append(list, fact("error", messages.Number(largest(wrong, nil))))
	}
	return list
}

func mean(t trace.Map) float64 {
	sum := 0.0
	for _, v := range t.Value.Data {
		sum += float64(v)
	}
	return sum / float64(max(t.Value.Len(), 1))
}

// MostSteps returns the largest number of steps that a word can take.
func MostSteps(res *engine.Result) int {
	if res.Model != nil {
		return DepthOf(res.Stack, res.Model)
	}
	return len(res.Layers)
}

// DepthOf returns the number of layers that a model of an architecture runs. ALBERT's options can multiply it.
func DepthOf(stack *encoder.StackEntry, model *engine.ModelInfo) int {
	if stack == nil {
		return model.Layers
	}
	return stack.Describe(encoder.Config{Layers: model.Layers, Norm: encoder.Norm(model.Norm),
		Options: model.Options}).Runs
}

// StoppedEarly reports whether every word had halted before the last step that the model can take.
func StoppedEarly(res *engine.Result) bool {
	return len(res.Layers) > 0 && res.Layers[0].Unit() == "step" && len(res.Layers) < MostSteps(res)
}

// Beyond returns a note if a text of n tokens is longer than the training texts of a model. It is zero for shorter
// texts.
func Beyond(m *engine.ModelInfo, n int) messages.Message {
	switch {
	case m == nil || n <= m.Length:
		return messages.Message{}
	case m.Positions != string(encoder.Learned):
		return messages.New("note.beyond", "length", m.Length)
	}
	return messages.New("note.beyond-learned", "length", m.Length, "next", m.Length+1)
}

// Note returns what readers of the maps of this text should know.
func Note(res *engine.Result, tokens []tokenizer.Token) messages.Message {
	var own, halting messages.Message
	beyond := Beyond(res.Model, len(tokens))
	if res.Stack != nil && res.Stack.Objective == encoder.NextWord {
		own = messages.New("note.always-causal")
		if slices.ContainsFunc(tokens, tokenizer.Token.IsMask) {
			own = messages.Join(" ", own, messages.New("note.never-masked"))
		}
		return messages.Join(" ", beyond, own)
	}
	if StoppedEarly(res) {
		halting = messages.New("note.stopped", "steps", len(res.Layers), "most", MostSteps(res))
	}
	if m := res.Model; m != nil && res.Entry != nil {
		c := engine.MixerOf(m)
		if mixer, ok := attention.Find(m.Mechanism); ok { // also the mechanism of an architecture
			own = mixer.Complete(c, len(tokens), max(m.Length, m.Longest))
		}
		if res.Entry.Note != nil {
			own = messages.Join(" ", own, res.Entry.Note(c, len(tokens)))
		}
	}
	return messages.Join(" ", beyond, own, halting)
}

// CardNote returns Note, extended by remarks on the view of the card.
func (s *Selection) CardNote(res *engine.Result) messages.Message {
	var written, shown messages.Message
	if res.Generated != nil {
		written = messages.New("note.written", "text", res.Generated.Text)
	}
	switch m := s.Choice.Show.Method(); {
	case res.Remark != "":
		shown = messages.New("note."+res.Remark, "layer", UnitName(res.Layers[s.Choice.Measurement().Layer-1]))
	case m != nil && m.StackNote != nil && res.Stack != nil:
		shown = m.StackNote(res.Stack)
	}
	return messages.Join(" ", written, Note(res, s.Report.TokensOf(res)), shown)
}
