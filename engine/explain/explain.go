package explain

import (
	"context"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/ad"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Question asks for the origin of a number: one in a map of a layer, or one in an array that an
// earlier explanation named.
type Question struct {
	engine.Request     // with one mechanism
	Layer          int // from 1
	Map            string
	At             []int // index along the axes of the map, from 0
	Array          int   // instead of Layer, Map and At: the number of an array …
	Place          int   // … and the flat index in it, from 0
	Word           int   // position whose prediction ends the pass, as in StepsRequest
}

// Explanation traces a number through its steps. Each step's number is computed from operands; the
// next step explains one of them where one belongs to it. The operands of the last step can be the
// subject of further questions.
type Explanation struct {
	Tokens []string
	Steps  []ExplainedStep
}

// ExplainedStep is one number with its operands.
type ExplainedStep struct {
	Array    ArrayName
	Source   ArrayName // array from which the number was copied; Array if it was not copied
	At       []int     // index along the axes of the array, from 0
	Place    int       // flat index
	Value    float64
	Origin   ad.Origin
	X, Y     []Strip // Origin's operands, split into runs within one array
	Plus     []Strip
	Computed float64 // value recomputed from the operands, in float64
	Size     float64 // size of the summands: the reference for rounding errors
	Unknown  bool    // the operation does not record how its numbers are computed
}

// ArrayName identifies the array of a number. The same text gives the same numbers of arrays.
type ArrayName struct {
	Number int
	Name   string // name of a map, or path of a parameter; empty: none
	Part   string // part with the map: "layer 1"
	Tex    string // the map's formula
	Param  bool
	Given  bool // an input or parameter, not computed
	Shape  []int
	Roles  []trace.Role // roles of the axes; nil if it is not a map
	Words  [][]string   // labels along the axes; nil: as those of the text, or none
}

// Strip is a list of numbers in one array.
type Strip struct {
	Array  ArrayName
	Places []int // flat indices in the array
	Values []float64
}

// longestChain is the most steps in an explanation.
const longestChain = 12

// Explainer traces the computations of an engine.
type Explainer struct{ engine *engine.Engine }

// New returns the Explainer of an engine.
func New(e *engine.Engine) Explainer { return Explainer{e} }

// Explain traces how a number was computed.
func (e Explainer) Explain(ctx context.Context, q Question) (x *Explanation, err error) {
	err = traceOn(ctx, e.engine, q.Request, q.Word, func(t *traced) (err error) {
		if x, err = newNumbers(t.pass).explain(q); err != nil {
			return err
		}
		x.Tokens = tokenizer.Labels(t.Text.Tokens)
		return nil
	})
	return x, err
}

// numbers holds the names of the arrays in a pass.
type numbers struct {
	pass   *nn.Pass
	named  map[*ad.Var]nn.Named
	shown  map[*ad.Var]trace.Map
	alias  map[*ad.Var]string
	arrays []*ad.Var
}

func newNumbers(p *nn.Pass) *numbers {
	e := &numbers{pass: p, named: map[*ad.Var]nn.Named{}, shown: map[*ad.Var]trace.Map{}, alias: map[*ad.Var]string{},
		arrays: p.Tape.Arrays()}
	count := map[nn.Named]int{} // number of arrays of a part with this name
	for _, n := range p.Named() {
		shown, _ := n.Run.Nth(n.Name, count[nn.Named{Run: n.Run, Name: n.Name}])
		count[nn.Named{Run: n.Run, Name: n.Name}]++
		if _, ok := e.named[n.Var]; !ok {
			e.named[n.Var], e.shown[n.Var] = n, shown
		}
	}
	for _, n := range p.Named() { // the source of a copied map has the map's name
		for from := n.Var; from.Value.Len() > 0; {
			o, ok := from.Origin(0)
			if !ok || o.Operation != ad.Copied || o.X[0].Of.Value.Len() > n.Var.Value.Len() {
				break
			}
			if from = o.X[0].Of; e.alias[from] == "" {
				e.alias[from] = n.Name
			}
		}
	}
	return e
}

// find returns the number of a question.
func (e *numbers) find(q Question) (n ad.Number, err error) {
	if q.Array > 0 {
		if q.Array > len(e.arrays) || q.Place < 0 || q.Place >= e.arrays[q.Array-1].Value.Len() {
			return n, fault.Errorf(fault.NotFound, "explain.no-number")
		}
		return ad.Number{Of: e.arrays[q.Array-1], At: q.Place}, nil
	}
	if q.Layer < 1 || q.Layer > len(e.pass.Run.Parts) {
		return n, fault.Errorf(fault.NotFound, "explain.no-layer", "layer", q.Layer, "layers", len(e.pass.Run.Parts))
	}
	part := e.pass.Run.Parts[q.Layer-1]
	list := e.pass.Named()
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Run == part && list[i].Name == q.Map {
			place, ok := placeOf(e.shown[list[i].Var].Value.Shape, q.At)
			if !ok {
				return n, fault.Errorf(fault.NotFound, "explain.no-number")
			}
			return ad.Number{Of: list[i].Var, At: place}, nil
		}
	}
	if _, ok := part.Find(q.Map); ok {
		return n, fault.Errorf(fault.Unsupported, "explain.off-path", "map", messages.Quote(q.Map))
	}
	return n, fault.Errorf(fault.NotFound, "explain.no-map", "map", messages.Quote(q.Map))
}

// placeOf returns the flat index of an index along axes.
func placeOf(shape, at []int) (place int, ok bool) {
	if len(at) != len(shape) {
		return 0, false
	}
	for i, n := range shape {
		if at[i] < 0 || at[i] >= n {
			return 0, false
		}
		place = place*n + at[i]
	}
	return place, true
}

// AlongAxes returns the index along the axes of an array for a flat index.
func AlongAxes(shape []int, place int) []int {
	at := make([]int, len(shape))
	for i := len(shape) - 1; i >= 0; i-- {
		at[i], place = place%shape[i], place/shape[i]
	}
	return at
}

// explain traces a number.
func (e *numbers) explain(q Question) (*Explanation, error) {
	n, err := e.find(q)
	if err != nil {
		return nil, err
	}
	x := &Explanation{}
	for range longestChain {
		step := e.step(n)
		x.Steps = append(x.Steps, step)
		if step.Unknown {
			break
		}
		next, ok := follow(step.Origin)
		if !ok {
			break
		}
		n = next
	}
	return x, nil
}

// follow returns the operand to which a number belongs, if there is one.
func follow(o ad.Origin) (n ad.Number, ok bool) {
	switch o.Operation {
	case ad.Given, ad.Length:
		return n, false
	case ad.Summed:
		if len(o.X) != 1 || len(o.Y) > 0 || len(o.Plus) > 0 {
			return n, false
		}
	}
	return o.X[o.Own], true
}

// step explains one number by the source of its copies. Its name is the first one on the way to the
// source.
func (e *numbers) step(n ad.Number) ExplainedStep {
	called, n := e.source(n)
	s := ExplainedStep{Array: e.name(called), Source: e.name(n), At: AlongAxes(called.Of.Shape(), called.At),
		Place: called.At, Value: n.Value()}
	if len(s.Array.Roles) > 0 {
		s.At = s.At[len(s.At)-len(s.Array.Roles):] // without the axis of a single sequence
	}
	o, ok := n.Of.Origin(n.At)
	if !ok {
		s.Unknown = true
		return s
	}
	s.Origin = o
	if o.Operation == ad.Given {
		s.Computed, s.Size = s.Value, 0
		return s
	}
	s.X, s.Y, s.Plus = e.strips(o.X), e.strips(o.Y), e.strips(o.Plus)
	s.Computed, s.Size = o.Compute()
	return s
}

// source follows copies of a number to the original. called is the first number on the way whose
// array has a name, or the original if none has.
func (e *numbers) source(n ad.Number) (called, source ad.Number) {
	for {
		if _, ok := e.named[n.Of]; ok && called.Of == nil {
			called = n
		}
		o, ok := n.Of.Origin(n.At)
		if !ok || o.Operation != ad.Copied {
			break
		}
		n = o.X[0]
	}
	if called.Of == nil {
		called = n
	}
	return called, n
}

// strips splits numbers into runs within one array.
func (e *numbers) strips(list []ad.Number) (strips []Strip) {
	var of *ad.Var
	for _, n := range list {
		if n.Of != of || len(strips) == 0 {
			of = n.Of
			strips = append(strips, Strip{Array: e.name(n)})
		}
		s := &strips[len(strips)-1]
		s.Places, s.Values = append(s.Places, n.At), append(s.Values, n.Value())
	}
	return strips
}

// name returns the name of a number's array: a map, a parameter, or the array it copies.
func (e *numbers) name(number ad.Number) ArrayName {
	v := number.Of
	a := ArrayName{Number: slices.Index(e.arrays, v) + 1, Shape: v.Shape()}
	if o, ok := v.Origin(number.At); ok && o.Operation == ad.Given {
		a.Given = true
	}
	if n, ok := e.named[v]; ok {
		a.Name, a.Part, a.Tex = n.Name, n.Run.Name, e.shown[v].Tex
		if a.Roles = e.shown[v].Roles(); len(a.Roles) > 0 {
			a.Shape = a.Shape[len(a.Shape)-len(a.Roles):]
		}
		for _, axis := range e.shown[v].Axes {
			a.Words = append(a.Words, axis.Labels)
		}
		a.Param = a.Given && e.pass.ParamOf(v) != nil
		return a
	}
	for {
		if w := e.pass.ParamOf(number.Of); w != nil {
			a.Name, a.Param = w.Name, true
			return a
		}
		if a.Name = e.alias[number.Of]; a.Name != "" {
			return a
		}
		o, ok := number.Of.Origin(number.At)
		if !ok || o.Operation != ad.Copied {
			return a
		}
		number = o.X[0]
		if n, ok := e.named[number.Of]; ok {
			a.Name = n.Name
			return a
		}
	}
}
