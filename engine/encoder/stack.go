package encoder

import (
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/citation"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/source"
)

// Stack turns embedded tokens into contextual ones: x [N,d] → [N,d]. As in mixers, x can have a
// leading batch axis. The maps of layer i are listed under "layer i".
type Stack interface {
	Apply(p *nn.Pass, x *ad.Var) *ad.Var
}

// Builder is a function that makes the mixer of one layer.
type Builder func(*nn.Scope, attention.Config) (attention.Mixer, error)

// Objective is the pre-training objective of a model.
type Objective string

const (
	// MaskedWords is masked language modelling: some words are masked and predicted from both sides
	// (Devlin et al. 2018, arXiv:1810.04805, sec. 3.1).
	MaskedWords Objective = "masked words"
	// NextWord is next-token prediction: every word is predicted from the words before it (Radford
	// et al. 2019).
	NextWord Objective = "next word"
)

// StackEntry describes one stack (architecture). Pages, API, command line, training and tests are
// derived from it, as they are from attention.Entry for mixers.
type StackEntry struct {
	ID string // in URLs, file names and ids of texts, such as "bert"
	attention.Texts
	Source  source.File // file in which the stack is written
	Formula string      // in the notation of package formula
	Cost    string      // in the notation of package formula, with N, d, l, …
	Paper   citation.Paper
	// Views are the maps that the stack itself records, in addition to the mixers' maps.
	Views []attention.View
	// Options are the options that New takes from Config.Options.
	Options []attention.Option
	// Widens means that Apply takes embeddings [N,E] of Config.Embed and widens them to [N,d]; all other stacks have
	// E = d.
	Widens bool
	// Rollout is a sentence about what attention rollout ignores in the stack. It is zero if the layers are of the
	// kind for which rollout was defined.
	Rollout messages.Message
	// Zeroing is a sentence about the output of a layer, which value zeroing compares. It is zero if the layer is a
	// mixer followed by a feed-forward part.
	Zeroing messages.Message
	// Doubles means that Apply returns [N,2d], which the heads then read.
	Doubles bool
	// Objective is the objective of the bundled model on running text. The classifiers are the
	// Tasks that Defaults adds.
	Objective Objective
	// Mixer is the mechanism of the bundled model; empty: dot product.
	Mixer string
	// Defaults fills in the values that the architecture fixes. It also fills in the sizes of the
	// bundled model where the configuration has none.
	Defaults func(*Config)
	// vary changes the facts of Describe that depend on the configuration. It may be nil.
	vary func(c Config, f *Facts)
	// New makes the stack. It is nil for a model with two stacks: see Seq2Seq.
	New func(s *nn.Scope, c Config, mixer Builder) (Stack, error)
}

// newStack completes an entry with its texts and its source file.
func newStack(e StackEntry) StackEntry {
	id := "stack." + e.ID
	e.Source = source.Caller(sources, "engine/encoder")
	e.Texts, e.Views, e.Options = e.Below(id), attention.ViewsBelow(id, e.Views), attention.OptionsBelow(id, e.Options)
	return e
}

// message returns a text about stacks.
func message(id string, args ...any) messages.Message { return messages.New("stack."+id, args...) }

// pairsLater returns the differences of a stack that was trained on pairs of texts after words.
func pairsLater(id string) attention.Texts {
	return attention.Texts{Differences: message(id+".differences", "pairs", message("shared.pairs-later"))}
}

// Facts describe one model of a stack.
type Facts struct {
	Summary messages.Message
	Formula string
	Runs    int  // number of layers that run, one after the other
	Own     int  // number of layers with their own weights
	Shared  bool // all layers share one set of weights
	Halts   bool // a text can need fewer layers than the model has
}

// Describe returns the facts about a model of the stack with this configuration. They depend on its
// layers, norm and options.
func (e *StackEntry) Describe(c Config) Facts {
	f := Facts{Summary: e.Summary, Formula: e.Formula, Runs: c.Layers, Own: c.Layers}
	if e.vary != nil {
		e.vary(c, &f)
	}
	return f
}

// Stacks lists every stack, in the order of the pages.
var Stacks = []StackEntry{Encoder, BERT, ALBERT, Universal, Sandwich, Reversible, GPT2, EncoderDecoder}

// FindStack returns the entry with this id. The empty id is Encoder's.
func FindStack(id string) (*StackEntry, bool) {
	if id == "" {
		id = Encoder.ID
	}
	for i := range Stacks {
		if Stacks[i].ID == id {
			return &Stacks[i], true
		}
	}
	return nil, false
}

// Parse splits the id of a model into the ids of its stack and its mixer. "bert" is BERT with its default mixer, and
// "albert.linformer" is ALBERT with Linformer. The id of a mechanism alone means Encoder with this mechanism, and gives
// an empty stack.
func Parse(id string) (stack, mechanism string, err error) {
	stack, mechanism, both := strings.Cut(id, ".")
	if e, ok := FindStack(stack); ok && stack != "" {
		if !both {
			return stack, e.mixer(), nil
		}
	} else if both {
		return "", "", messages.Errorf("model.stacks", "stack", quote(stack), "known", messages.List(StackIDs()))
	} else {
		stack, mechanism = "", id
	}
	if _, ok := attention.Find(mechanism); !ok {
		return "", "", messages.Errorf("model.either", "model", quote(mechanism))
	}
	return stack, mechanism, nil
}

// ID returns the name of the model in URLs and file names; Parse is its inverse.
func (c Config) ID() string {
	e, ok := FindStack(c.Stack)
	switch {
	case c.Stack == "":
		return c.Mechanism
	case ok && c.Mechanism == e.mixer():
		return c.Stack
	}
	return c.Stack + "." + c.Mechanism
}

// StackIDs returns the ids of all stacks.
func StackIDs() []string {
	ids := make([]string, len(Stacks))
	for i, e := range Stacks {
		ids[i] = e.ID
	}
	return ids
}

func (e *StackEntry) mixer() string {
	if e.Mixer != "" {
		return e.Mixer
	}
	return attention.DotProduct.ID
}

// Default returns the configuration of the bundled model of a stack with a mechanism, for a
// vocabulary of the given size.
func Default(stack, mechanism string, vocab int) (Config, error) {
	e, ok := FindStack(stack)
	if !ok {
		return Config{}, messages.Errorf("model.stacks", "stack", quote(stack), "known", messages.List(StackIDs()))
	}
	c := Config{Stack: stack, Mechanism: mechanism, Vocab: vocab, Objective: e.Objective}
	e.Defaults(&c)
	return c, nil
}

// fill sets a field if it is zero.
func fill[T comparable](to *T, value T) {
	var zero T
	if *to == zero {
		*to = value
	}
}

// small fills in the sizes of the bundled stacks.
func (c *Config) small() {
	fill(&c.Layers, 4)
	fill(&c.Width, 128)
	fill(&c.Heads, 4)
	fill(&c.Inner, 4*c.Width)
	fill(&c.Length, ShippedLength)
}
