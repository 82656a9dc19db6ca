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
	Name  string // full path, such as "layer 1/mixer/W_Q"
	Value *tensor.T
	// Rate multiplies the learning rate. It is 1 unless the mechanism sets another value.
	Rate float64
	// Decay reports whether weight decay applies.
	Decay bool
	// Frozen parameters are stored but not trained (torch calls them buffers).
	Frozen bool
	// Factor reports that products with the parameter are frequent although it has no weight decay.
	Factor bool
	packed *tensor.Packed // made by Seal
}

// Faster multiplies the learning rate of p by a factor.
func (p *Param) Faster(by float64) *Param { p.Rate = by; return p }

// NoDecay exempts p from weight decay.
func (p *Param) NoDecay() *Param { p.Decay = false; return p }

// Seal declares that parameters will not change any more. It packs the weights of projections,
// which are the matrices with weight decay or with Factor, for fast matrix products.
func Seal(params []*Param) {
	var factors []*Param
	var matrices []tensor.Matrix
	for _, p := range params {
		if p.Value.Rank() == 2 && (p.Decay || p.Factor) {
			factors = append(factors, p)
			matrices = append(matrices, tensor.NewMatrix(p.Value.Data, p.Value.Dim(0), p.Value.Dim(1)).T())
		}
	}
	for i, packed := range tensor.PackAll(matrices) {
		factors[i].packed = packed
	}
}

// Init sets the initial values of a parameter.
type Init func(r *rand.Rand, t *tensor.T)

// Zeros leaves all elements of a parameter at 0.
func Zeros(*rand.Rand, *tensor.T) {}

// Ones sets all elements of a parameter to 1.
func Ones(r *rand.Rand, t *tensor.T) { Constant(1)(r, t) }

// Constant returns an Init that sets all elements to v.
func Constant(v float64) Init {
	return func(_ *rand.Rand, t *tensor.T) {
		for i := range t.Data {
			t.Data[i] = tensor.Elem(v)
		}
	}
}

// Normal returns an Init that draws the elements from N(0, std²).
func Normal(std float64) Init {
	return func(r *rand.Rand, t *tensor.T) {
		for i := range t.Data {
			t.Data[i] = tensor.Elem(r.NormFloat64() * std)
		}
	}
}

// Scope creates and names parameters. The initial value of a parameter depends only on the seed and
// on its full name. Models that share a part therefore start with equal values there, whatever else
// they contain.
type Scope struct {
	path   string
	root   *registry
	shared bool // parameters that exist already are returned again
}

type registry struct {
	seed   uint64
	params []*Param
	names  map[string]bool
	expect map[string][]int // shapes by name; nil: any parameter is allowed
	most   float64          // limit on the number of elements of all parameters; 0: no limit
	count  float64          // number of elements of all parameters so far
	blank  bool             // parameters stay 0
	bare   bool             // parameters have shapes but no numbers
}

// Misfit is the value that Param panics with if a parameter is not as expected.
type Misfit struct {
	Name          string
	There, Needed []int // shapes; There is nil if no parameter with this name is expected
}

// Expect restricts Param to parameters with these names and shapes. For any other, Param panics
// with a Misfit before it allocates memory.
func (s *Scope) Expect(shapes map[string][]int) { s.root.expect = shapes }

// Limit restricts the parameters to the given number of elements altogether. If a parameter exceeds
// it, Param panics before it allocates memory.
func (s *Scope) Limit(numbers int) *Scope { s.root.most = float64(numbers); return s }

// Blank leaves all parameters at 0, for models whose weights are read from a file. Drawing random
// numbers would take longer than reading.
func (s *Scope) Blank() { s.root.blank = true }

// Shapes makes Param create parameters that have names and shapes but no numbers. A model of such
// parameters can be counted and checked in a few kB, whatever its width, but it cannot run.
func (s *Scope) Shapes() *Scope { s.root.bare = true; return s }

// value returns a new array with the given shape.
func (r *registry) value(shape []int) *tensor.T {
	if r.bare {
		return &tensor.T{Shape: slices.Clone(shape)}
	}
	return tensor.New(shape...)
}

// take counts the elements of a parameter, and panics if there are too many.
func (r *registry) take(name string, shape []int) {
	size := 1.0
	for _, n := range shape {
		size *= float64(n)
	}
	if r.count += size; r.most > 0 && r.count > r.most {
		panic(fmt.Sprintf("nn: with %q %v the parameters have more than %.0f numbers", name, shape, r.most))
	}
}

// find returns the parameter with this name. It panics if the shape differs, which is a bug.
func (r *registry) find(name string, shape []int) *Param {
	p := r.params[slices.IndexFunc(r.params, func(p *Param) bool { return p.Name == name })]
	if !slices.Equal(p.Value.Shape, shape) {
		panic(tensor.ShapeError{Op: "nn: shared " + name, Want: fmt.Sprint(p.Value.Shape), Got: fmt.Sprint(shape)})
	}
	return p
}

// NewScope returns the root scope of a model.
func NewScope(seed uint64) *Scope {
	return &Scope{root: &registry{seed: seed, names: map[string]bool{}}}
}

// In returns a scope below this one.
func (s *Scope) In(name string) *Scope {
	return &Scope{path: s.path + name + "/", root: s.root, shared: s.shared}
}

// Param creates a parameter. It panics if the name is taken, which is a bug.
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

// Shared returns a scope that all layers share: the first layer creates a parameter, and the others
// get the same one.
func (s *Scope) Shared(name string) *Scope {
	return &Scope{path: name + "/", root: s.root, shared: true}
}

// Hash returns a number that depends only on the scope's full name. The layers of a model can use
// it to draw different random numbers, which are the same in every copy of the model.
func (s *Scope) Hash() uint64 {
	h := fnv.New64a()
	h.Write([]byte(s.path))
	return h.Sum64()
}

// Params lists all parameters of the model in the order of their creation.
func (s *Scope) Params() []*Param { return s.root.params }

// Count returns the number of elements of all trainable parameters.
func Count(params []*Param) int {
	n := 0
	for _, p := range params {
		if !p.Frozen {
			n += tensor.Size(p.Value.Shape...)
		}
	}
	return n
}
