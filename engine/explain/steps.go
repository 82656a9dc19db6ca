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
	Word           int // position whose prediction ends the steps, from 1; 0: engine.Prepared.FollowedWord
}

// Steps lists a forward pass through one layer in the order of the equations: from the embeddings
// to the layer and through it. After the last layer come the prediction of a token and the classes
// of the text. The numbers are those of the pass that Inspect shows.
type Steps struct {
	Tokens []tokenizer.Token // with [CLS] and [SEP]; in a decoder its input: [CLS] and the written tokens
	Layers []string          // names of all layers: "layer 1", "step 1"
	Layer  int               // from 1
	Last   int               // the last layer of its stack, from 1
	Heads  int
	Word   int  // position whose prediction ends the steps, from 1; 0: none
	Next   bool // the prediction is for the token after it
	List   []PassStep
}

// PassStep is one array of a pass.
type PassStep struct {
	Key     string    // unique among the steps: the name, numbered from the second occurrence
	Map     trace.Map // of all heads
	Part    string    // "layer 1"; empty: before, between or after the layers
	Array   int       // number for a Question; 0: its numbers cannot be traced
	Columns []int     // columns of the array that are in the map; nil: all
	Same    bool      // same numbers as the previous step
	Task    string    // task of a classifier's steps
	Line    int       // line in the source file of the mechanism, from 1; 0: computed elsewhere
}

// StepView is the drawn part of a step: one head and one plane.
type StepView struct {
	Map    trace.Map // of one or two axes
	Planes int       // 0: no planes
	Plane  int       // selected plane, from 1
	Stack  trace.Axis
	Width  int // features of the head in the columns, if the map has several heads; 0: the columns are not features
	step   *PassStep
	from   int // cell [r,c] is number from + r·stride + c of the array
	stride int
}

// Place returns the flat index in the array for the cell of a row and a column.
func (v *StepView) Place(row, col int) int {
	if v.step.Columns != nil {
		col = v.step.Columns[col]
	}
	return v.from + row*v.stride + col
}

// View returns the step of a head and plane, from 1. A step without heads or planes is the same for
// all.
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

// ofHead restricts the view to the features of one head, if the columns are the features of all
// heads.
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

// View returns the drawn part of step i for a head and a plane, from 1.
func (w *Steps) View(i, head, plane int) StepView {
	return w.List[i].View(head, plane).ofHead(head, w.Heads)
}

// Steps runs a text through a model and lists the computed arrays.
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

// again are the names of steps that are left out if another step shows the same array.
var again = []string{"layer input", "mixer output", "projected", "embedded", "state out"}

// steps lists the arrays of the pass on the way through a layer.
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
	if r.Layer-1 > in.first { // its input, if the layer does not show it itself
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

// span is a stack of layers in a pass: its parts first … last, from 0, and the steps from … to-1 of
// the whole pass around them.
type span struct {
	first, last, from, to int
	decodes               bool
}

// stackOf returns the stack that contains a layer, from 1.
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
