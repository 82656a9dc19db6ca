package explain

import (
	"context"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// StepsRequest asks for the steps of a forward pass.
type StepsRequest struct {
	engine.Request     // with one mechanism
	Layer          int // from 1
	Word           int // whose guess ends them, from 1; 0: engine.Prepared.FollowedWord
}

// Steps are a forward pass through one layer, step by step in the order of the equations: from the words to the
// layer, through it, and, behind the last layer, to the guess of a word and to the classes of the text. The
// numbers are those of the pass that Inspect shows.
type Steps struct {
	Tokens []tokenizer.Token // with [CLS] and [SEP]; in a decoder what it reads, [CLS] and what it wrote
	Layers []string          // names of all layers: "layer 1", "step 1"
	Layer  int               // from 1
	Last   int               // the last layer of its stack, from 1
	Heads  int
	Word   int  // whose guess ends them, from 1; 0: none does
	Next   bool // the guess is of the word after it
	List   []PassStep
}

// PassStep is one array of a pass.
type PassStep struct {
	Key     string    // once among the steps: the name, with a number behind it from the second on
	Map     trace.Map // of all heads
	Part    string    // "layer 1"; empty: in front of the layers, between or behind them
	Array   int       // its number for a Question; 0: its numbers cannot be asked for
	Columns []int     // which columns of the array are in the map; nil: all
	Same    bool      // the numbers are those of the step before
	Task    string    // of a classifier's steps
	Line    int       // of the file in which the mechanism is written, from 1; 0: it is made elsewhere
}

// StepView is what is drawn of a step: of one head, and of what is stacked one plane.
type StepView struct {
	Map    trace.Map // of one or two axes
	Planes int       // 0: nothing is stacked
	Plane  int       // which of them, from 1
	Stack  trace.Axis
	Width  int // features of a head that the columns are, of more; 0: they are none
	step   *PassStep
	from   int // cell [r,c] is number from + r·stride + c of the array
	stride int
}

// Place is where the cell of a row and a column is in the array, counted through.
func (v *StepView) Place(row, col int) int {
	if v.step.Columns != nil {
		col = v.step.Columns[col]
	}
	return v.from + row*v.stride + col
}

// View is the step of a head and plane, from 1; what has no heads, or no planes, is the same for all.
func (s *PassStep) View(head, plane int) StepView {
	v := StepView{Map: s.Map, step: s}
	if len(s.Map.Axes) > 1 && s.Map.Axes[0].Role == trace.Head {
		if one, err := s.Map.Head(head - 1); err == nil {
			v.Map, v.from = one, (head-1)*one.Value.Len()
		}
	}
	if len(v.Map.Axes) == 3 {
		v.Planes, v.Stack = v.Map.Value.Dim(0), v.Map.Axes[0]
		plane = min(max(plane, 1), v.Planes)
		v.Plane = plane
		v.Map = v.Map.Plane(plane - 1)
		v.from += (plane - 1) * v.Map.Value.Len()
	}
	v.stride = v.Map.Value.Dim(-1)
	return v
}

// ofHead is the view of the features of one of several heads, where the columns are those of all.
func (v StepView) ofHead(head, heads int) StepView {
	last := len(v.Map.Axes) - 1
	if last < 0 || v.Map.Axes[last].Role != trace.HeadChannel || heads < 1 || v.Map.Value.Dim(-1)%heads != 0 {
		return v
	}
	all := v.Map.Value
	width := all.Dim(-1) / heads
	shape := slices.Clone(all.Shape)
	shape[last] = width
	one := tensor.New(shape...)
	for r := range one.Len() / width {
		copy(one.Data[r*width:][:width], all.Data[r*all.Dim(-1)+(head-1)*width:])
	}
	v.Map.Value, v.Width = one, width
	v.from += (head - 1) * width
	return v
}

// View is what is drawn of step i for a head and a plane, from 1.
func (w *Steps) View(i, head, plane int) StepView {
	return w.List[i].View(head, plane).ofHead(head, w.Heads)
}

// Steps runs a text through a model and lists what it computed.
func (e Explainer) Steps(ctx context.Context, r StepsRequest) (w *Steps, err error) {
	err = traceOn(ctx, e.engine, r.Request, r.Word, func(t *traced) error {
		if r.Layer < 1 || r.Layer > len(t.pass.Run.Parts) {
			return fault.Errorf(fault.NotFound, "explain.no-layer", "layer", r.Layer, "layers", len(t.pass.Run.Parts))
		}
		w = t.steps(r)
		if r.Word > len(w.Tokens) {
			return fault.Errorf(fault.NotFound, "steps.no-word", "word", r.Word, "words", len(w.Tokens))
		}
		return nil
	})
	return w, err
}

// again are steps that are left out where another shows the same array.
var again = []string{"layer input", "mixer output", "projected", "embedded", "state out"}

// steps lists what the pass computed on the way through a layer.
func (t *traced) steps(r StepsRequest) *Steps {
	run := t.pass.Run
	at, in := run.Parts[r.Layer-1], t.stackOf(r.Layer)
	w := &Steps{Tokens: t.Text.Tokens, Layer: r.Layer, Last: in.last + 1, Heads: t.Config().Heads, Word: t.word,
		Next: t.guessesNext()}
	switch {
	case in.decodes:
		w.Tokens = t.read
	case t.read != nil:
		w.Word, w.Next = 0, false
	}
	for _, part := range run.Parts {
		w.Layers = append(w.Layers, part.Name)
	}
	c := collector{traced: t, steps: w, seen: map[*trace.Run]map[string]int{}}
	first, last := run.Parts[in.first].Since, run.Parts[in.last].Since
	c.skip(run, 0, in.from)
	c.add(run, "", in.from, first)
	if r.Layer-1 > in.first { // what it begins with, where it does not say so itself
		c.skip(run, first, at.Since)
	}
	c.part(at, at.Name)
	if r.Layer-1 < in.last {
		next := run.Parts[r.Layer].Since
		c.add(run, "", at.Since, next)
		c.skip(run, next, last)
	}
	c.add(run, "", max(last, at.Since), in.to)
	if in.decodes {
		c.heads(t.guess)
	}
	c.heads(t.classes)
	c.finish()
	return w
}

// span is a stack of layers in a pass: its parts first … last, from 0, and the steps from … to-1 of the whole pass
// around them.
type span struct {
	first, last, from, to int
	decodes               bool
}

// stackOf is the stack that a layer, from 1, is in.
func (t *traced) stackOf(layer int) span {
	run := t.pass.Run
	all := span{last: len(run.Parts) - 1, to: len(run.Steps)}
	if t.read == nil {
		return all
	}
	memory := slices.IndexFunc(run.Steps, func(m trace.Map) bool { return m.Name == "memory" })
	decoder := slices.IndexFunc(run.Parts, decodes)
	if layer <= decoder {
		return span{last: decoder - 1, to: memory + 1}
	}
	all.first, all.from, all.decodes = decoder, memory, true
	return all
}
