package verify

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/disk"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
)

// mostLeftOut is the percentage of a reference's arrays that can remain uncompared.
const mostLeftOut = 10

// ArrayDifference is the comparison of one array.
type ArrayDifference struct {
	Name      string
	Diff      float64 // largest absolute difference; +Inf if one side is NaN
	Tolerance float64 // the largest, if the tolerances of elements differ
	OK        bool
}

// Outcome is the comparison of a case.
type Outcome struct {
	Case    *Case
	Rows    []ArrayDifference    // compared arrays, in alphabetical order
	Missing []string             // arrays that only the reference computed
	Values  map[string]*tensor.T // our values, by the reference's names
}

// OK reports whether enough arrays were compared and all of them agree.
func (o *Outcome) OK() bool {
	return o.Enough() && !slices.ContainsFunc(o.Rows, func(r ArrayDifference) bool { return !r.OK })
}

// Enough reports whether nearly all arrays of the reference were compared.
func (o *Outcome) Enough() bool {
	return len(o.Rows) > 0 && 100*len(o.Missing) <= mostLeftOut*(len(o.Rows)+len(o.Missing))
}

// Run computes a case and compares the results with the reference.
func Run(c *Case) (o *Outcome, err error) {
	defer caught(c.Mechanism+"/"+c.Name, &err)
	ref := c.reference()
	o = &Outcome{Case: c, Values: c.compute(ref)}
	for _, name := range c.IO.Names() {
		got, ok := o.Values[name]
		switch {
		case ok:
			o.Rows = append(o.Rows, c.compare(ref, name, got))
		case !ref.names().given(name):
			o.Missing = append(o.Missing, name)
		}
	}
	return o, nil
}

// compare compares our array with an array of the case.
func (c *Case) compare(ref reference, name string, got *tensor.T) ArrayDifference {
	r, allowed := ArrayDifference{Name: name, OK: true}, c.limit(ref, name)
	for i, want := range c.IO.Arrays[name].Data {
		g, w, tolerance := float64(got.Data[i]), float64(want), allowed(i)
		r.Tolerance = max(r.Tolerance, tolerance)
		d := math.Abs(g - w)
		if g == w { // also if both are infinite
			d = 0
		}
		if math.IsNaN(g) != math.IsNaN(w) {
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

// Print writes one line for each compared array, then the summary.
func (o *Outcome) Print(w io.Writer) {
	say := func(id string, args ...any) { fmt.Fprintln(w, messages.New("verify."+id, args...)) }
	say("title", "case", o.Case.Mechanism+"/"+o.Case.Name)
	say = func(id string, args ...any) { fmt.Fprintf(w, "  %s\n", messages.New("verify."+id, args...)) }
	for _, r := range o.Rows {
		verdict := "verify.agrees"
		if !r.OK {
			verdict = "verify.differs"
		}
		say("row", "name", fmt.Sprintf("%-32s", r.Name), "difference", fmt.Sprintf("%.2e", r.Diff), "tolerance",
			fmt.Sprintf("%.1e", r.Tolerance), "verdict", messages.New(verdict))
	}
	for _, name := range o.Missing {
		say("not-compared", "name", name)
	}
	say("compared", "rows", len(o.Rows), "missing", len(o.Missing), "inputs",
		len(o.Case.IO.Arrays)-len(o.Rows)-len(o.Missing))
	if !o.Enough() {
		say("too-few", "least", 100-mostLeftOut)
	}
}

// Save writes our values to dir/<mechanism>/<case>.safetensors.
func (o *Outcome) Save(dir string) error {
	path := filepath.Join(dir, o.Case.Mechanism, o.Case.Name+".safetensors")
	return disk.Replace(path, func(w io.Writer) error {
		return checkpoint.Write(w, o.Values, nil, checkpoint.All(checkpoint.Single))
	})
}
