package attention

import (
	"math"
	"sort"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/citation"
	"attnatlas/engine/formula"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/source"
)

// Mixer mixes the positions of a sequence: x [N,d] → y [N,d]. Every operation also works with a
// leading batch axis, so mixers need no code for it.
type Mixer interface {
	Mix(p *nn.Pass, x *ad.Var) *ad.Var
}

// Entry describes one mechanism. Cards, formulas, validation, command line, training, checkpoint
// names and tests are derived from it.
type Entry struct {
	ID     string // in URLs, file names and ids of texts, such as "dot-product"
	Family Family
	Texts
	Source  source.File // file in which the mechanism is written
	Formula string      // in the notation of package formula
	Cost    string      // asymptotic time in the same notation, such as "O(N²·d)"
	// Growth is the exponent of N in the time that the paper claims. The command viz bench compares
	// it with the measured exponent.
	Growth float64
	Paper  citation.Paper
	// Forms are the published definitions of the mechanism, if there are several. The first is the
	// default.
	Forms []Variant
	Masks Masks
	// Views names the maps to show, in order. The first is the main map, whose last two axes are
	// query and key. The others are strips over the tokens, factors, components and so on. Their
	// axes determine how they are drawn.
	Views []View
	// Terms are the names of the maps that add up to the map "scores". Nil: the scores are not a
	// sum.
	Terms []string
	// Parts are the ids of a mixture's components, in the order of their mixing weights. Nil: the
	// mechanism is not a mixture.
	Parts []string
	// Table names the parameters that are the scores themselves, whatever the text: one matrix, or
	// two matrices whose product is the scores. Nil: the scores depend on the text.
	Table []string
	// Running means that the mechanism computes running sums of keys and values. Its steps "phi q",
	// "phi k", "v" and "mixed" are then sufficient to show its recurrent form.
	Running bool
	// Compares names the steps of queries and keys [N,H·d_h] whose dot products go into the
	// softmax. If both are the same step, keys are normalised to a mean square of 1. Nil: the
	// mechanism compares no words by dot products.
	Compares []string
	// Planes returns the number of N×N planes in its maps, in addition to one for each view and
	// head. Nil means none.
	Planes func(c Config, n int) int
	// Blind means that its map is the same for every text of the same length.
	Blind bool
	// Still is the id of a mechanism with the same parameter that is never trained. It is shown
	// next to this mechanism's training as a control. Empty if there is none.
	Still string
	// NoWeights is the reason why there is no map of probabilities; zero if there is one.
	NoWeights messages.Message
	// NoJacobian means that its mixers are not Differentiable.
	NoJacobian bool
	// NoRollout is the reason why the weights of its layers cannot be multiplied, as
	// metrics.Rollout does. It is zero if the rows of the map "weights" [H,N,N] are shares, and
	// these shares are all that a word attends to.
	NoRollout messages.Message
	// NoValues is the reason why the mechanism has no values, which are vectors that words pass on
	// to the words that attend to them. It is zero if Mix declares its values with Pass.Values.
	NoValues messages.Message
	// NoSum is the reason why its result is not a sum of values with weights that do not depend on
	// the values. It is zero if Mix declares the sum with Pass.Sum.
	NoSum messages.Message
	// Cut is a sentence about the effect on the rest when words or cells are blocked (see nn.Cut).
	// The default is the sentence for a softmax over words.
	Cut messages.Message
	// NoHeads is the reason why it has no heads that could be zeroed out; zero if it has heads.
	NoHeads messages.Message
	// Options are the options that New takes from Config.Options.
	Options []Option
	// Params returns the number of trained parameters.
	Params func(c Config) int
	// FLOPs returns the number of multiplications and additions for a text of n tokens, if the pass
	// is not recorded. It counts matrix products and the operations that replace them, but not
	// biases, activations, masks and softmax. For long texts, the number does not fit into an int
	// of 32 bits.
	FLOPs func(c Config, n int) int64
	// ParamsFormula and FLOPsFormula are the formulas of Params and FLOPs with the default options,
	// such as "4d² + 4d". Their symbols are N, d, H, d_h, L and those of Sizes.
	ParamsFormula, FLOPsFormula string
	// Untrained returns the number of stored values that are not trained. Nil means 0.
	Untrained func(c Config) int
	// State is a formula for the number of values that a layer stores after N words to write the
	// next one without reading the text again. It has the same symbols, with the default options.
	// Empty if each new word requires reading all earlier words again.
	State string
	// Cached means that its mixer computes the next word from the stored keys and values of the
	// earlier words (nn.Cache).
	Cached bool
	// Sizes returns the mechanism's own numbers in these formulas, for a text of n tokens. Nil if
	// there are none.
	Sizes func(c Config, n int) []Size
	// PerPosition reports whether New makes parameters for each of the c.Length positions, so that
	// texts cannot be longer. Nil: it never does.
	PerPosition func(c Config) bool
	// Covers reports whether nothing in a text of n tokens is left out: every word attends to every
	// word and, in a mechanism with slots for the text, there are at least as many slots as words.
	// Nil: nothing is ever left out.
	Covers func(c Config, n int) bool
	// Note returns a sentence that readers of the maps of n tokens need to know, or the zero
	// Message. Nil if there is never such a sentence.
	Note func(c Config, n int) messages.Message
	New  func(s *nn.Scope, c Config) (Mixer, error)
}

// Family is a group of mechanisms, used to order long lists of them.
type Family string

// Families of mechanisms. Their names are ids of texts.
const (
	comparing    Family = "pairs"        // pairwise attention
	synthesizers Family = "synthesizers" // no pairwise comparison
	summarising  Family = "summaries"
	sparse       Family = "sparse" // only some pairs
	switching    Family = "switches"
)

// newEntry completes an entry with its texts, and wraps New so that it rejects invalid options and
// sizes.
func newEntry(e Entry) Entry {
	id := "mechanism." + e.ID
	e.Source = source.Caller(sources, "engine/attention")
	e.Texts, e.Views, e.Options = e.Below(id), ViewsBelow(id, e.Views), OptionsBelow(id, e.Options)
	orBelow(&e.Masks.EmptyRow.Text, id, "empty-row")
	orBelow(&e.Cut, "mechanism.shared", "cut")
	build := e.New
	e.New = func(s *nn.Scope, c Config) (Mixer, error) {
		if err := c.check(e.Options...); err != nil {
			return nil, err
		}
		return build(s, c)
	}
	return e
}

// product64 returns the product of sizes in 64 bits, because an int can have only 32.
func product64(sizes ...int) int64 {
	all := int64(1)
	for _, n := range sizes {
		all *= int64(n)
	}
	return all
}

// everyPosition is the value of PerPosition for mechanisms that have parameters for each position
// whatever their options.
func everyPosition(Config) bool { return true }

// Endless reports whether a mixer of this configuration accepts texts of any length, instead of at
// most c.Length tokens.
func (e *Entry) Endless(c Config) bool { return e.PerPosition == nil || !e.PerPosition(c) }

// Symbols returns the values of the symbols in an entry's formulas, for a text of n tokens.
func (e *Entry) Symbols(c Config, n int) map[string]float64 {
	symbols := map[string]float64{"N": float64(n), "d": float64(c.Width), "H": float64(c.Heads), "L": float64(c.Length),
		"d_h": float64(c.HeadWidth())}
	if e.Sizes != nil {
		for _, s := range e.Sizes(c, n) {
			symbols[s.Symbol] = float64(s.Value)
		}
	}
	return symbols
}

// Kept returns the value of State for a text of n tokens; ok is false if State is empty.
func (e *Entry) Kept(c Config, n int) (numbers int, ok bool) {
	if e.State == "" {
		return 0, false
	}
	v, err := formula.Value(e.State, e.Symbols(c, n))
	if err != nil {
		panic(err) // the catalogue's tests evaluate all formulas
	}
	return int(v), true
}

// Stored returns the number of values that a mixer stores, trained or not.
func (e *Entry) Stored(c Config) int {
	if e.Untrained == nil {
		return e.Params(c)
	}
	return e.Params(c) + e.Untrained(c)
}

// Variant is one of several definitions of a mechanism.
type Variant struct {
	Option  string           // option and value, such as "mix = outputs"
	Formula string           // in the notation of package formula
	Source  messages.Message // source of the definition, such as "the paper’s definition"
	Text    messages.Message // explanation in one or two sentences
}

// Size is a number in the formulas of parameters and operations.
type Size struct {
	Symbol  string // such as "k"
	Value   int
	Meaning messages.Message // such as "slots"
}

// Core is a mixer without its projections, which some reference implementations provide. It maps q,
// which includes the factor 1/√d_h, k and v [N,d] → [N,d].
type Core interface {
	Attend(p *nn.Pass, q, k, v *ad.Var) *ad.Var
}

// View is a map to show, with the sentence that explains its cells.
type View struct {
	Map     string           // name under which Mix records it
	Symbol  string           // such as "A" or "α"
	Caption messages.Message // meaning of a cell, such as "how much row i attends to column j"
	// By names a view with classes of tokens, if the values of this view are tokens. Each value is
	// coloured by the class of its token.
	By string
	// Apart means that the numbers are not computed in the forward pass. They are derived from its
	// maps, or are classes that follow from the structure of the mechanism, so they cannot be
	// traced.
	Apart bool
}

// Masks says for which attention masks a mechanism is defined. A zero reason means that it is
// defined; otherwise the reason is a sentence for the user. NoPairs is about masks that hide single
// pairs of words.
type Masks struct {
	NoPadding, NoCausal, NoPairs messages.Message
	EmptyRow                     EmptyRow
}

// EmptyRow describes the result for a word that can attend to nothing under a mask. This happens in
// a text that is all padding, and if all pairs of the word are hidden. A field is empty if there is
// no such mask.
type EmptyRow struct {
	Padding, Pairs EmptyResult      // for short texts, with the default options
	Text           messages.Message // the same as a sentence for the user, and the effect of other options and lengths
}

// EmptyResult is the kind of result for a word that can attend to nothing.
type EmptyResult string

const (
	UniformRow  EmptyResult = "alike"    // the row attends to every position with 1/N, including the masked ones
	ZeroRow     EmptyResult = "zero"     // the row is 0, and the result is the same for every text
	SelfRow     EmptyResult = "itself"   // the row attends only to the word itself
	UnmaskedRow EmptyResult = "unmasked" // the result is the same as without the mask
	ZeroInput   EmptyResult = "blank"    // the result is the same as for an input of zeros
)

// uniformRow is the EmptyRow of a softmax over all words, whose scores are then all nn.Masked.
var uniformRow = EmptyRow{UniformRow, UniformRow, message("shared.uniform-row")}

// Config holds the sizes of a mixer. Its symbols are those of package engine.
type Config struct {
	Width  int // d
	Heads  int // H; must divide Width
	Length int // L: longest sequence; size of parameters with one entry per position
	// Options are the chosen values, by the names of Entry.Options. Missing options have their
	// defaults.
	Options map[string]string
}

// linear returns the number of parameters of a projection with bias.
func linear(in, out int) int { return in*out + out }

// HeadWidth returns d_h = d / H.
func (c Config) HeadWidth() int { return c.Width / c.Heads }

// scale returns 1/√d_h, the factor of scores.
func (c Config) scale() ad.Elem { return ad.Elem(1 / math.Sqrt(float64(c.HeadWidth()))) }

// Complete returns a sentence for a text of n tokens in which nothing is left out. It also names
// the number of tokens, up to longest, from which something is left out. The message is zero if
// something is left out, and for mechanisms that never leave anything out.
func (e *Entry) Complete(c Config, n, longest int) messages.Message {
	if e.Covers == nil || !e.Covers(c, n) {
		return messages.Message{}
	}
	args := []any{"tokens", n}
	for _, o := range e.Options {
		args = append(args, strings.ReplaceAll(o.Name, "-", "_"), c.choices(e.Options...).text(o.Name))
	}
	whole, to := messages.New("mechanism."+e.ID+".covers", args...), n
	for to < longest && e.Covers(c, to) { // double the length until something is left out
		to = min(2*to, longest)
	}
	if e.Covers(c, to) {
		return messages.Join(" ", whole, message("shared.covers-all", "longest", longest))
	}
	from := n + sort.Search(to-n, func(i int) bool { return !e.Covers(c, n+i) })
	return messages.Join(" ", whole, messages.New("mechanism."+e.ID+".from", "from", from))
}
