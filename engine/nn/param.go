package nn

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"attnatlas/engine/tensor"
)

// Param is a trainable array. Passes read it; only the optimiser writes it.
type Param struct {
	Name  string // full path: "layer 1/mixer/W_Q"
	Value *tensor.T
	// Rate multiplies the learning rate: 1 unless the mechanism says otherwise.
	Rate float64
	// Decay says whether weight decay applies.
	Decay bool
	// Frozen parameters are stored but not trained (a buffer in torch's words).
	Frozen bool
	packed *tensor.Packed // made by Seal
}

// Faster multiplies the learning rate of p.
func (p *Param) Faster(by float64) *Param { p.Rate = by; return p }

// NoDecay exempts p from weight decay.
func (p *Param) NoDecay() *Param { p.Decay = false; return p }

// Seal says that parameters will not change any more and prepares the weights of
// projections, which are the matrices that decay, for quick products.
func Seal(params []*Param) {
	for _, p := range params {
		if p.Value.Rank() == 2 && p.Decay {
			p.packed = tensor.Pack(tensor.NewMatrix(p.Value.Data, p.Value.Dim(0), p.Value.Dim(1)).T())
		}
	}
}

// Init fills a new parameter.
type Init func(r *rand.Rand, t *tensor.T)

// Zeros leaves a parameter at 0.
func Zeros(*rand.Rand, *tensor.T) {}

// Ones sets a parameter to 1.
func Ones(r *rand.Rand, t *tensor.T) { Constant(1)(r, t) }

// Constant sets a parameter to one value.
func Constant(v float64) Init {
	return func(_ *rand.Rand, t *tensor.T) {
		for i := range t.Data {
			t.Data[i] = tensor.Elem(v)
		}
	}
}

// Normal draws from N(0, std²).
func Normal(std float64) Init {
	return func(r *rand.Rand, t *tensor.T) {
		for i := range t.Data {
			t.Data[i] = tensor.Elem(r.NormFloat64() * std)
		}
	}
}

// Scope names parameters and creates them. A parameter's first value depends
// on the seed and its full name only, so models that share a part start equal
// there whatever else they have.
type Scope struct {
	path   string
	root   *registry
	shared bool // parameters that exist already are handed out again
}

type registry struct {
	seed   uint64
	params []*Param
	names  map[string]bool
	expect map[string][]int // nil: whatever is asked for
	most   float64          // numbers in all parameters; 0: any number
	count  float64          // numbers in all of them
	blank  bool             // parameters stay 0
	bare   bool             // parameters have shapes and no numbers
}

// Misfit is what Param panics with where a parameter is not as expected.
type Misfit struct {
	Name          string
	There, Needed []int // shapes; There is nil where no parameter of that name is expected
}

// Expect lets Param make only parameters of these names and shapes: anything else is
// refused, by a panic with a Misfit, before it takes memory.
func (s *Scope) Expect(shapes map[string][]int) { s.root.expect = shapes }

// Limit lets Param make parameters of so many numbers altogether: more are refused, by a panic,
// before they take memory.
func (s *Scope) Limit(numbers int) *Scope { s.root.most = float64(numbers); return s }

// Blank leaves all parameters at 0: weights will be read into them, and drawing numbers takes longer than that.
func (s *Scope) Blank() { s.root.blank = true }

// Shapes lets Param make parameters that have names and shapes but no numbers. A model that is made of them can be
// counted and checked in a few kB, whatever its width; it cannot run.
func (s *Scope) Shapes() *Scope { s.root.bare = true; return s }

// value is a new array of a shape.
func (r *registry) value(shape []int) *tensor.T {
	if r.bare {
		return &tensor.T{Shape: slices.Clone(shape)}
	}
	return tensor.New(shape...)
}

// take counts the numbers of a parameter.
func (r *registry) take(name string, shape []int) {
	size := 1.0
	for _, n := range shape {
		size *= float64(n)
	}
	if r.count += size; r.most > 0 && r.count > r.most {
		panic(fmt.Sprintf("nn: with %q %v the parameters have more than %.0f numbers", name, shape, r.most))
	}
}

// find is the parameter of this name; another shape than it has is a bug.
func (r *registry) find(name string, shape []int) *Param {
	p := r.params[slices.IndexFunc(r.params, func(p *Param) bool { return p.Name == name })]
	if !slices.Equal(p.Value.Shape, shape) {
		panic(tensor.ShapeError{Op: "nn: shared " + name, Want: fmt.Sprint(p.Value.Shape), Got: fmt.Sprint(shape)})
	}
	return p
}

// NewScope is the root scope of a model.
func NewScope(seed uint64) *Scope {
	return &Scope{root: &registry{seed: seed, names: map[string]bool{}}}
}

// In is the scope below this one.
func (s *Scope) In(name string) *Scope {
	return &Scope{path: s.path + name + "/", root: s.root, shared: s.shared}
}

// Param creates a parameter. A name that is taken is a bug and panics.
func (s *Scope) Param(name string, init Init, shape ...int) *Param {
	full := s.path + name
	if s.root.names[full] {
		if s.shared {
			return s.root.find(full, shape)
		}
		panic(fmt.Sprintf("nn: two parameters are called %q", full))
	}
	if s.root.expect != nil {
		switch there, ok := s.root.expect[full]; {
		case !ok:
			panic(Misfit{Name: full, Needed: shape})
		case !slices.Equal(there, shape):
			panic(Misfit{Name: full, There: there, Needed: shape})
		}
	}
	s.root.take(full, shape)
	s.root.names[full] = true
	p := &Param{Name: full, Value: s.root.value(shape), Rate: 1, Decay: len(shape) > 1}
	if !s.root.blank && !s.root.bare {
		h := fnv.New64a()
		h.Write([]byte(full))
		init(rand.New(rand.NewPCG(s.root.seed, h.Sum64())), p.Value)
	}
	s.root.params = append(s.root.params, p)
	return p
}

// Shared is a scope that all layers have together: a parameter is created by the first
// and handed out again to the others.
func (s *Scope) Shared(name string) *Scope {
	return &Scope{path: name + "/", root: s.root, shared: true}
}

// Hash is a number that follows from the scope's full name alone, so that the
// layers of a model differ where something is drawn, and every copy of the model
// draws the same.
func (s *Scope) Hash() uint64 {
	h := fnv.New64a()
	h.Write([]byte(s.path))
	return h.Sum64()
}

// Params lists all parameters of the model in the order of their creation.
func (s *Scope) Params() []*Param { return s.root.params }

// Count is the number of trainable numbers.
func Count(params []*Param) int {
	n := 0
	for _, p := range params {
		if !p.Frozen {
			n += tensor.Size(p.Value.Shape...)
		}
	}
	return n
}
