package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"attnatlas/engine/trace"
)

// Legend explains a grid's colours.
type Legend struct {
	Text    string // what the scale means
	Ticks   []Tick // none where Hues says it all
	Hues    []Hue  // the classes that occur, if they are few enough to be listed
	Nothing []Note // the kinds of nothing that occur
}

// Hue names a class of a Category, or several that share a colour.
type Hue struct {
	Index uint8 // entry of the categorical table
	Text  string
}

// Tick is a labelled place on the scale, 0…1.
type Tick struct {
	Place float64
	Label string
}

// Note names a class of cells that occurs.
type Note struct {
	Class Class
	Text  string
}

// Legend explains the grid's colours.
func (g *Grid) Legend() Legend {
	s := &g.Scale
	if g.form == Wiring {
		return Legend{Text: "bars are switches of two places; a line comes from the place that a place takes from"}
	}
	l := Legend{Text: s.text(g.noun), Ticks: s.ticks(), Hues: g.hues()}
	if l.Hues != nil {
		l.Ticks = nil
		l.Text = g.classesText()
	}
	missing := "not computed"
	if g.form == Order {
		missing = "no word: the last chunk is filled up"
	}
	for _, n := range []Note{
		{Forbidden, "forbidden or out of reach"},
		{Missing, missing},
		{Zero, "exactly 0"},
		{Tiny, "above 0, too small to show"},
		{Bad, "not a number"},
	} {
		if g.Has(n.Class) {
			l.Nothing = append(l.Nothing, n)
		}
	}
	return l
}

// hues are the classes that occur: those with names one by one, and numbers by their
// colour. Nil where there are no classes.
func (g *Grid) hues() []Hue {
	if !g.Scale.Category {
		return nil
	}
	var list []Hue
	for _, n := range g.numbers {
		index := g.Scale.Index(float64(n), 0)
		switch i := slices.IndexFunc(list, func(h Hue) bool { return h.Index == index }); {
		case n < len(g.names):
			list = append(list, Hue{index, g.names[n]})
		case i >= 0:
			list[i].Text += ", " + strconv.Itoa(n)
		default:
			list = append(list, Hue{index, strconv.Itoa(n)})
		}
	}
	return list
}

// classesText says what the hues are.
func (g *Grid) classesText() string {
	switch {
	case g.form == Order:
		return "coloured by bucket"
	case g.form == Buckets:
		return "bucket"
	case g.names != nil:
		return "kind of cell"
	}
	return "class number"
}

// nounOf is what the values of a figure are.
func nounOf(s Spec) string {
	switch {
	case s.Noun != "":
		return s.Noun
	case s.Map.Kind == trace.Activation:
		return "value"
	}
	return s.Map.Kind.String()
}

// text names the quantity and the normalisation.
func (s *Scale) text(noun string) string {
	switch {
	case s.Category:
		return fmt.Sprintf("class number, hues repeat after %d", Steps)
	case s.Signed && s.Norm == PerRow:
		return noun + " ÷ largest magnitude in its row, symmetric around 0"
	case s.Signed:
		return noun + ", " + s.extent() + ", symmetric around 0"
	}
	switch s.Norm {
	case PerRow:
		return noun + " ÷ largest in its row"
	case Log:
		return noun + ", log₁₀ scale"
	case Uniform:
		return noun + " × keys allowed in its row (1 = uniform)"
	}
	return noun + ", " + s.extent()
}

// extent says where the scale's end comes from.
func (s *Scale) extent() string {
	switch s.Norm {
	case PerMap:
		return "scaled to this map's largest"
	case Shared:
		return "scale shared between maps"
	}
	return "absolute scale"
}

// ticks are the labelled places of the scale.
func (s *Scale) ticks() []Tick {
	switch {
	case s.Category:
		return classTicks()
	case s.Norm == Uniform:
		return uniformTicks()
	case s.Norm == Log:
		return logTicks(s.Columns)
	}
	top := s.Max
	if s.Norm == Absolute || s.Norm == PerRow {
		top = 1
	}
	if top == 0 {
		return []Tick{{0, "0"}}
	}
	least := 2.5
	if s.Signed {
		least = 1.5 // each side has half the room
	}
	up := linearTicks(top, least)
	if s.Norm == Absolute && s.Max > 1 {
		up[len(up)-1].Label = "≥ 1"
	}
	if !s.Signed {
		return up
	}
	var out []Tick
	for i := len(up) - 1; i > 0; i-- {
		label := "−" + up[i].Label
		if up[i].Label == "≥ 1" {
			label = "≤ −1"
		}
		out = append(out, Tick{0.5 - up[i].Place/2, label})
	}
	for _, t := range up {
		out = append(out, Tick{0.5 + t.Place/2, t.Label})
	}
	return out
}

// linearTicks are the round numbers from 0, with the largest step of which at
// least so many fit, and the top itself.
func linearTicks(top, least float64) []Tick {
	step := math.Pow(10, math.Floor(math.Log10(top)))
	for _, f := range []float64{5, 2.5, 2, 1, 0.5, 0.25, 0.2} {
		if top/(step*f) >= least {
			step *= f
			break
		}
	}
	ticks := []Tick{{0, "0"}}
	for i := 1; ; i++ {
		v := float64(i) * step
		if v > 0.85*top {
			break
		}
		ticks = append(ticks, Tick{v / top, number(v)})
	}
	return append(ticks, Tick{1, number(top)})
}

// logTicks are powers of ten.
func logTicks(columns int) []Tick {
	decades := math.Log10(1000 * float64(columns))
	var ticks []Tick
	for d := int(decades); d >= 0; d-- {
		ticks = append(ticks, Tick{1 - float64(d)/decades, number(math.Pow10(-d))})
	}
	return ticks
}

func uniformTicks() []Tick {
	return []Tick{{0, "≤ 1/16"}, {0.25, "1/4"}, {0.5, "1"}, {0.75, "4"}, {1, "≥ 16"}}
}

func classTicks() []Tick {
	ticks := make([]Tick, Steps)
	for i := range ticks {
		ticks[i] = Tick{(float64(i) + 0.5) / Steps, strconv.Itoa(i)}
	}
	return ticks
}

// number prints at most three significant digits.
func number(v float64) string {
	if v != 0 && (math.Abs(v) < 1e-3 || math.Abs(v) >= 1e5) {
		exp := int(math.Floor(math.Log10(math.Abs(v)) + 1e-9))
		mant := strconv.FormatFloat(v/math.Pow10(exp), 'g', 3, 64)
		if mant == "1" {
			return "10" + superscript(exp)
		}
		return mant + "·10" + superscript(exp)
	}
	f, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	return strconv.FormatFloat(f, 'f', -1, 64)
}

func superscript(n int) string {
	const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹"
	runes := []rune(digits)
	out := ""
	for _, r := range strconv.Itoa(n) {
		if r == '-' {
			out += "⁻"
			continue
		}
		out += string(runes[r-'0'])
	}
	return out
}
