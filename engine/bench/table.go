package bench

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Print writes the document as a table.
func (d *Document) Print(w io.Writer) error {
	fmt.Fprintf(w, "%s, kernels: %s, %d processors, %s %s/%s, commit %s\n\n",
		d.CPU, d.Instructions, d.Processors, d.Go, d.OS, d.Arch, d.Commit)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	width, group := 0, ""
	for _, f := range d.Figures {
		width = max(width, len(f.Name))
	}
	fmt.Fprintln(t, pad("figure", width)+"\t"+strings.Join(header[:], "\t")+"\t")
	for i := range d.Figures {
		f := &d.Figures[i]
		if g, _, _ := strings.Cut(f.Name, "/"); g != group {
			if group != "" {
				fmt.Fprintln(t, strings.Repeat("\t", 1+len(header)))
			}
			group = g
		}
		fmt.Fprintln(t, pad(f.Name, width)+"\t"+strings.Join(f.cells(), "\t")+"\t  "+f.remark())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, n := range d.Notes {
		fmt.Fprintln(w, "note:", n)
	}
	return nil
}

// pad fills a name up with spaces: names are the only column that is not set
// to the right.
func pad(name string, width int) string { return fmt.Sprintf("%-*s", width, name) }

var header = [...]string{"median", "min", "max", "unit", "clock", "by wall", "rounds", "bytes/op", "allocs/op"}

func (f *Figure) cells() []string {
	return []string{
		digits(f.Median), digits(f.Min), digits(f.Max), string(f.Unit), string(f.Clock), digits(f.Wall),
		strconv.Itoa(f.Rounds), size(f.Bytes), digits(f.Allocations),
	}
}

// remark is what else there is to say of a figure.
func (f *Figure) remark() string {
	var parts []string
	if f.Share > 0 {
		parts = append(parts, fmt.Sprintf("%.0f %% of peak", 100*f.Share))
	}
	if f.Claimed > 0 {
		parts = append(parts, fmt.Sprintf("claimed %g", f.Claimed))
	}
	if b := f.Before; b != nil {
		said := fmt.Sprintf("was %s, gain %.2f×", digits(b.Median), b.Gain)
		if f.Min <= b.Max && b.Min <= f.Max {
			said += " (within noise)"
		}
		parts = append(parts, said)
	}
	return strings.Join(parts, ", ")
}

// digits writes a number with about four significant digits.
func digits(x float64) string {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return fmt.Sprint(x)
	}
	decimals := 3 - int(math.Floor(math.Log10(math.Abs(x))))
	return strconv.FormatFloat(x, 'f', min(max(decimals, 0), 5), 64)
}

// size writes a number of bytes with its unit.
func size(bytes float64) string {
	units := [...]string{"B", "kB", "MB", "GB"}
	i, decimals := 0, 0
	for ; bytes >= 1000 && i < len(units)-1; i++ {
		bytes, decimals = bytes/1000, 1
	}
	return strconv.FormatFloat(bytes, 'f', decimals, 64) + " " + units[i]
}
