package verify

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
)

// Tolerances of float32 against float32 of another order of summation. The
// reference's own rounding error, where a case states it, is allowed four times.
const (
	mapTolerance      = 2e-6 // probabilities
	valueTolerance    = 1e-5 // outputs and what lies between
	relativeTolerance = 1e-6 // of the largest value, where values exceed 10
	gradientTolerance = 1e-4 // times the largest gradient of the array
	roundingFactor    = 4
	// Some gradients are 0 but for rounding: softmax does not see a bias of keys.
	// Where a case does not state its rounding, this times the largest gradient of the
	// case counts as such noise.
	vanishing = 1e-6
	// Fastformer adds −10⁴ to the scores of padding, which leaves about 10⁻³ of their
	// precision: it shows where a text is nothing but padding.
	penaltyTolerance = 2e-3
)

// mostLeftOut is how many of 100 arrays of a reference may go without comparison.
const mostLeftOut = 10

// Row is the comparison of one array.
type Row struct {
	Name      string
	Diff      float64 // largest absolute difference; +Inf where one side is not a number
	Tolerance float64 // the largest, where elements differ in it
	OK        bool
}

// Outcome is the comparison of a case.
type Outcome struct {
	Case    *Case
	Rows    []Row                // compared arrays, in alphabetical order
	Skipped []string             // "name: reason" of the others
	Values  map[string]*tensor.T // what we computed, by the reference's names
}

// OK says that enough was compared and everything agreed.
func (o *Outcome) OK() bool {
	return o.Enough() && !slices.ContainsFunc(o.Rows, func(r Row) bool { return !r.OK })
}

// Enough says that of what the reference computed nearly everything was compared.
func (o *Outcome) Enough() bool {
	not := o.NotCompared()
	return len(o.Rows) > 0 && 100*not <= mostLeftOut*(len(o.Rows)+not)
}

// Run computes a case and compares.
func Run(c *Case) (o *Outcome, err error) {
	defer caught(c.Mechanism+"/"+c.Name, &err)
	ref, ok := references[c.Mechanism]
	if !ok {
		fail("unknown", "name", c.Mechanism, "known", messages.List(Known()))
	}
	values := c.compute(ref)
	o = &Outcome{Case: c, Values: values}
	for _, name := range c.IO.Names() {
		if got, ok := values[name]; ok {
			o.Rows = append(o.Rows, c.compare(name, got, c.IO.Arrays[name]))
		} else {
			o.Skipped = append(o.Skipped, name+": "+c.reason(name))
		}
	}
	for name, want := range c.IO.Ints {
		if got, ok := values[name]; ok {
			o.Rows = append(o.Rows, compareInts(name, got, want))
		} else {
			o.Skipped = append(o.Skipped, name+": "+c.reason(name))
		}
	}
	slices.SortFunc(o.Rows, func(a, b Row) int { return strings.Compare(a.Name, b.Name) })
	slices.Sort(o.Skipped)
	return o, nil
}

func (c *Case) reason(name string) string {
	if references[c.Mechanism].names(c.Mechanism).given(name) {
		return "input"
	}
	return "our computation has no such value"
}

func (c *Case) compare(name string, got, want *tensor.T) Row {
	r := Row{Name: name, OK: true}
	allowed := c.limit(references[c.Mechanism], name, want)
	for i, w := range want.Data {
		g, tolerance := got.Data[i], allowed(i)
		r.Tolerance = max(r.Tolerance, tolerance)
		d := math.Abs(float64(g) - float64(w))
		if g == w { // also where both are infinite
			d = 0
		}
		if math.IsNaN(float64(g)) != math.IsNaN(float64(w)) {
			d = math.Inf(1)
		}
		if d > r.Diff || math.IsNaN(d) {
			r.Diff = d
		}
		if !(d <= tolerance) {
			r.OK = false
		}
	}
	return r
}

// compareInts compares whole numbers, which are equal or not.
func compareInts(name string, got *tensor.T, want *checkpoint.Ints) Row {
	r := Row{Name: name}
	for i, w := range want.Data {
		r.Diff = max(r.Diff, math.Abs(float64(got.Data[i])-float64(w)))
	}
	r.OK = r.Diff == 0
	return r
}

// hasEmptyText says that a sequence of the case is nothing but padding.
func (c *Case) hasEmptyText() bool {
	m := c.IO.Arrays["mask01"]
	for b := 0; m != nil && m.Rank() == 2 && b < m.Dim(0); b++ {
		if largest(m.Sub(b)) == 0 {
			return true
		}
	}
	return false
}

// steepest is the largest gradient of a case.
func (c *Case) steepest() float64 {
	top := 0.0
	for name, g := range c.IO.Arrays {
		if strings.HasPrefix(name, "grad.") {
			top = max(top, largest(g))
		}
	}
	return top
}

// largest is the largest magnitude, leaving out what stands for −∞.
func largest(t *tensor.T) float64 {
	top := 0.0
	for _, v := range t.Data {
		if v := math.Abs(float64(v)); v < 1e8 {
			top = max(top, v)
		}
	}
	return top
}

// Print writes one line for each compared array, then the summary.
func (o *Outcome) Print(w io.Writer) {
	fmt.Fprintf(w, "%s/%s\n", o.Case.Mechanism, o.Case.Name)
	for _, r := range o.Rows {
		verdict := "ok"
		if !r.OK {
			verdict = "DIFFERS"
		}
		fmt.Fprintf(w, "  %-32s max |Δ| %.2e   tolerance %.1e   %s\n", r.Name, r.Diff, r.Tolerance, verdict)
	}
	for _, s := range o.Skipped {
		if !strings.HasSuffix(s, ": input") {
			fmt.Fprintf(w, "  not compared: %s\n", s)
		}
	}
	not := o.NotCompared()
	fmt.Fprintf(w, "  %d compared, %d not (and %d inputs)\n", len(o.Rows), not, len(o.Skipped)-not)
	if !o.Enough() {
		fmt.Fprintf(w, "  TOO FEW are compared: a case agrees only when at least %d %% are\n", 100-mostLeftOut)
	}
}

// NotCompared counts the arrays that the reference computed and we did not.
func (o *Outcome) NotCompared() int {
	n := 0
	for _, s := range o.Skipped {
		if !strings.HasSuffix(s, ": input") {
			n++
		}
	}
	return n
}

// Save writes what we computed to dir/<mechanism>/<case>.safetensors.
func (o *Outcome) Save(dir string, create func(path string) (io.WriteCloser, error)) error {
	path := filepath.Join(dir, o.Case.Mechanism, o.Case.Name+".safetensors")
	f, err := create(path)
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	if err := errors.Join(checkpoint.Write(f, o.Values, nil, checkpoint.All(checkpoint.Single)), f.Close()); err != nil {
		return fmt.Errorf("verify: %s: %w", path, err)
	}
	return nil
}
