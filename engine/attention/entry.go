package attention

import (
	"math"

	"attnatlas/engine/ad"
	"attnatlas/engine/formula"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/source"
)

// Mixer mixes the positions of a sequence: x [N,d] → y [N,d]. A leading batch
// axis, which no mixer has to know of, is carried through every operation.
type Mixer interface {
	Mix(p *nn.Pass, x *ad.Var) *ad.Var
}

// Entry describes one mechanism. Card, formula, validation, command line,
// training, checkpoint names and tests all follow from it.
type Entry struct {
	ID     string // in URLs, file names and ids of texts: "dot-product"
	Family Family
	Texts
	Source  source.File // in which it is written
	Formula string      // in the notation of package formula
	Cost    string      // asymptotic time, in the same notation: "O(N²·d)"
	// Growth is the exponent of N in the time that the paper claims, which viz bench
	// compares with the measured one.
	Growth float64
	Paper  Paper
	// Forms are the definitions that go by the mechanism's name, where there are
	// several; the first is the default.
	Forms []Variant
	Masks Masks
	// Views names the maps to show, in order: first the main map, whose last
	// two axes are query and key, then what else the mechanism computes: strips
	// over the tokens, factors, parts. Their axes say how to draw them.
	Views []View
	// Terms are maps that add up to the map "scores", where that is a sum. Nil: it is none.
	Terms []string
	// Parts are the ids of what a mixture is mixed of, in the order of its shares. Nil: it is none.
	Parts []string
	// Table are the names of the parameters that its scores are, without the text: one matrix, or two whose product
	// they are. Nil: they are made of the text.
	Table []string
	// Running says that it reads its text by running sums of keys and values, for which its steps "phi q", "phi k", "v"
	// and "mixed" are all that has to be known.
	Running bool
	// Compares are its steps of queries and keys [N,H·d_h], whose products its softmax takes; where both are one step, keys
	// are normalised to a mean square of 1. Nil: it compares no words by products.
	Compares []string
	// Planes are how many maps of N×N its maps hold beside one for each view and head; nil: none.
	Planes func(c Config, n int) int
	// Blind says that its map is the same for every text of a length.
	Blind bool
	// Still is the id of a mechanism with the same parameter, which it never changes: it
	// stands beside this one's training. Empty: there is none.
	Still string
	// NoWeights says why no map of probabilities exists; zero where one does.
	NoWeights messages.Message
	// NoJacobian says that its mixers are not Differentiable.
	NoJacobian bool
	// NoRollout says why its layers' weights cannot be multiplied, as metrics.Rollout
	// does; zero where the map "weights" [H,N,N] has rows of shares that are all that a
	// word reads.
	NoRollout messages.Message
	// NoValues says why nothing of the mechanism is a value that words hand over to those that
	// read them; zero where Mix says what is, to Pass.Values.
	NoValues messages.Message
	// NoSum says why its result is no sum of values with weights that do not depend on them; zero
	// where Mix says with which, to Pass.Sum.
	NoSum messages.Message
	// Cut says what becomes of the rest when words or cells are cut (see nn.Cut), in a sentence; by default that
	// of a softmax over words.
	Cut messages.Message
	// NoHeads says why it has no heads whose results could be cut; zero where it has.
	NoHeads messages.Message
	// Options are the choices that New takes from Config.Options.
	Options []Option
	// Params is the number of trained numbers.
	Params func(c Config) int
	// FLOPs is the number of multiplications and additions for a text of n
	// tokens that nobody watches, in its matrix products and the
	// operations that replace them. Biases, activations, masks and softmax are not counted.
	// Of long texts there are more than an int has on machines of 32 bits.
	FLOPs func(c Config, n int) int64
	// ParamsFormula and FLOPsFormula are Params and FLOPs as people read them, with
	// the default options: "4d² + 4d", in N, d, H, d_h, L and the symbols of Sizes.
	ParamsFormula, FLOPsFormula string
	// Untrained is how many numbers are stored besides those that are trained. Nil: none.
	Untrained func(c Config) int
	// State is how many numbers a layer keeps of N words to write the next one, which then need not be read again:
	// a formula in the same symbols, with the default options. Empty where a word needs all of them anew.
	State string
	// Cached says that its mixer computes the next word from the keys and values of those before (nn.Cache).
	Cached bool
	// Sizes are the numbers in those formulas that are the mechanism's own, for a
	// text of n tokens. Nil where there are none.
	Sizes func(c Config, n int) []Size
	// PerPosition says whether New makes parameters for each of the c.Length positions, so
	// that no text can be longer. Nil: it never does.
	PerPosition func(c Config) bool
	// Covers says whether nothing of a text of n tokens is left out: every word is read by every
	// word, or by every slot where there are fewer slots than words. Nil: nothing ever is.
	Covers func(c Config, n int) bool
	// Note is a sentence that whoever reads the maps of n tokens should know,
	// or the zero Message. Nil where there is never anything to say.
	Note func(c Config, n int) messages.Message
	New  func(s *nn.Scope, c Config) (Mixer, error)
}

// Family is what mechanisms have in common that stand together where there are many.
type Family string

// Families, whose names are those of texts.
const (
	comparing    Family = "pairs"        // of words
	synthesizers Family = "synthesizers" // weights that compare no words
	summarising  Family = "summaries"
	sparse       Family = "sparse" // pairs, not all of them
	switching    Family = "switches"
)

// newEntry is an entry with its texts, and with New that gets only what check allows.
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

// product64 is the product of sizes, for which an int of 32 bits has too few bits.
func product64(sizes ...int) int64 {
	all := int64(1)
	for _, n := range sizes {
		all *= int64(n)
	}
	return all
}

// everyPosition is PerPosition of mechanisms that have such parameters whatever the options.
func everyPosition(Config) bool { return true }

// Endless says that a mixer of the configuration computes texts of any length, not of
// c.Length tokens at most.
func (e *Entry) Endless(c Config) bool { return e.PerPosition == nil || !e.PerPosition(c) }

// Symbols are what the symbols of an entry's formulas stand for, of a text of n tokens.
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

// Kept is State, worked out; ok is false where there is none.
func (e *Entry) Kept(c Config, n int) (numbers int, ok bool) {
	if e.State == "" {
		return 0, false
	}
	v, err := formula.Value(e.State, e.Symbols(c, n))
	if err != nil {
		panic(err) // the catalogue's tests read all formulas
	}
	return int(v), true
}

// Stored is how many numbers a mixer holds, trained and not.
func (e *Entry) Stored(c Config) int {
	if e.Untrained == nil {
		return e.Params(c)
	}
	return e.Params(c) + e.Untrained(c)
}

// Variant is one of several definitions of a mechanism.
type Variant struct {
	Option  string           // with its value: "mix = outputs"
	Formula string           // in the notation of package formula
	Source  messages.Message // whose definition it is: "the paper’s definition"
	Text    messages.Message // what it means, in a sentence or two
}

// Size is a number in the formulas of costs.
type Size struct {
	Symbol  string // "k"
	Value   int
	Meaning messages.Message // "slots"
}

// Core is a mixer between its projections, where some references begin and end: q, which
// holds the factor 1/√d_h, k and v [N,d] → [N,d].
type Core interface {
	Attend(p *nn.Pass, q, k, v *ad.Var) *ad.Var
}

// View is a map worth showing and the sentence that reads it.
type View struct {
	Map     string           // the name under which Mix records it
	Symbol  string           // "A", "α"
	Caption messages.Message // what a cell is: "how much row i reads from column j"
	// By names a view of classes of tokens, where the values of this one are tokens:
	// each is coloured by its class.
	By string
	// Apart says that the numbers are computed beside the pass, of what it shows, or are classes of what the
	// mechanism is built like: how they are made cannot be asked.
	Apart bool
}

// Masks says for which masks a mechanism is defined. The zero reason means
// that it is; otherwise the reason is a sentence for the user. Pairs are masks
// that forbid single pairs of words.
type Masks struct {
	NoPadding, NoCausal, NoPairs messages.Message
	EmptyRow                     EmptyRow
}

// EmptyRow says what a word gets to which a mask leaves nothing to read: in a text that is
// all padding, and where all its pairs are forbidden. A field is empty where there is no
// such mask.
type EmptyRow struct {
	Padding, Pairs EmptyResult      // of short texts, with the default options
	Text           messages.Message // the same for the user, and what other options and lengths change
}

// EmptyResult is a kind of result of a word that has nothing to read.
type EmptyResult string

const (
	UniformRow  EmptyResult = "alike"    // the row reads every position 1/N, the masked ones included
	ZeroRow     EmptyResult = "zero"     // the row is 0, and the result the same for every text
	SelfRow     EmptyResult = "itself"   // the row reads the word itself, and nothing else
	UnmaskedRow EmptyResult = "unmasked" // the result is that without the mask
	ZeroInput   EmptyResult = "blank"    // the result is that of a text of zeros
)

// uniformRow is the result of a softmax over all words whose scores are all nn.Masked.
var uniformRow = EmptyRow{UniformRow, UniformRow, message("shared.uniform-row")}

// Config gives a mixer its sizes. The alphabet is that of package engine.
type Config struct {
	Width  int // d
	Heads  int // H; must divide Width
	Length int // L: longest sequence, for parameters with one entry per position
	// Options are the chosen values, by the names of Entry.Options; what is missing has
	// its default.
	Options map[string]string
}

// linear is the number of parameters of a projection with bias.
func linear(in, out int) int { return in*out + out }

// HeadWidth is d_h = d / H.
func (c Config) HeadWidth() int { return c.Width / c.Heads }

// scale is 1/√d_h, the factor of scores.
func (c Config) scale() ad.Elem { return ad.Elem(1 / math.Sqrt(float64(c.HeadWidth()))) }
