package bench

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"attnatlas/engine/messages"
)

// Print writes the document as a table.
func (d *Document) Print(w io.Writer) error {
	fmt.Fprintf(w, "%s\n\n", messages.New("bench.machine", "processor", d.CPU, "instructions", d.Instructions,
		"processors", d.Processors,
		"system", d.Go+" "+d.OS+"/"+d.Arch, "commit", d.Commit))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	width, group := 0, ""
	for _, f := range d.Figures {
		width = max(width, len(f.Name))
	}
	header := messages.English.Lines(messages.New("bench.columns"))
	fmt.Fprintln(t, pad(header[0], width)+"\t"+strings.Join(header[1:], "\t")+"\t")
	for i := range d.Figures {
		f := &d.Figures[i]
		if g, _, _ := strings.Cut(f.Name, "/"); g != group {
			if group != "" {
				fmt.Fprintln(t, strings.Repeat("\t", len(header)))
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
		fmt.Fprintln(w, messages.New("bench.note", "note", n))
	}
	return nil
}

// pad fills a name with spaces, because names are the only left-aligned column.
func pad(name string, width int) string { return fmt.Sprintf("%-*s", width, name) }

func (f *Quantity) cells() []string {
	return []string{
		digits(f.Median), digits(f.Min), digits(f.Max), string(f.Unit), string(f.Clock), digits(f.Wall),
		strconv.Itoa(f.Rounds), size(f.Bytes), digits(f.Allocations),
	}
}

// remark returns the additional remarks on a figure.
func (f *Quantity) remark() string {
	var parts messages.List
	add := func(id string, args ...any) { parts = append(parts, messages.English.T(id, args...)) }
	if f.Share > 0 {
		add("bench.peak", "share", fmt.Sprintf("%.0f", 100*f.Share))
	}
	if f.Claimed > 0 {
		add("bench.claimed", "growth", fmt.Sprint(f.Claimed))
	}
	if b := f.Before; b != nil {
		id := "bench.before"
		if f.Min <= b.Max && b.Min <= f.Max {
			id = "bench.before-within"
		}
		add(id, "median", digits(b.Median), "gain", fmt.Sprintf("%.2f", b.Gain))
	}
	return messages.English.T("list.all", "items", parts)
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
