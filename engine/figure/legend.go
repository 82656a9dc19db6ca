package figure

import (
	"math"
	"slices"
	"strconv"

	"attnatlas/engine/messages"
)

// Legend explains a grid's colours.
type Legend struct {
	Text    messages.Message // explanation of the scale
	Ticks   []Tick           // none if Hues explains everything
	Hues    []Hue            // classes that occur, if few enough to list
	Nothing []Note           // kinds of empty cells that occur
}

// Hue names a class of a Category, or several that share a colour.
type Hue struct {
	Index uint8 // entry of the categorical table
	Text  messages.Message
}

// Tick is a labelled place on the colour bar, 0…1.
type Tick struct {
	Place float64
	Label string
}

// Note is a kind of empty cell with its explanation.
type Note struct {
	Class Class
	Text  messages.Message
}

// Legend returns the explanation of the grid's colours.
func (g *Grid) Legend() Legend {
	s := &g.Scale
	if g.form == Wiring {
		return Legend{Text: messages.New("legend.wiring")}
	}
	l := Legend{Text: s.text(g.noun, g.Has(Aside)), Ticks: s.ticks(), Hues: g.hues()}
	if l.Hues != nil {
		l.Ticks = nil
		l.Text = g.classesText()
	}
	l.Text = messages.Join("; ", l.Text, g.remark)
	for _, class := range []Class{Forbidden, Cut, Missing, Aside, Zero, Tiny, Bad} {
		id := "legend.nothing.cell-" + class.String()
		if class == Missing && g.form == Order {
			id = "legend.nothing.filled"
		}
		if g.Has(class) || slices.Contains(g.also, class) {
			l.Nothing = append(l.Nothing, Note{class, messages.New(id)})
		}
	}
	return l
}

// hues returns the classes that occur: named ones one by one, numbered ones by colour. It returns
// nil if there are no classes.
func (g *Grid) hues() []Hue {
	if !g.Scale.Category {
		return nil
	}
	var list []Hue
	for _, n := range g.numbers {
		index := g.Scale.Index(float64(n), 0)
		switch i := slices.IndexFunc(list, func(h Hue) bool { return h.Index == index }); {
		case n < len(g.names):
			list = append(list, Hue{index, ClassName(g.names[n])})
		case i >= 0:
			list[i].Text = messages.Join(", ", list[i].Text, messages.Text(strconv.Itoa(n)))
		default:
			list = append(list, Hue{index, messages.Text(strconv.Itoa(n))})
		}
	}
	return list
}

// ClassName returns the name of a map's class, or the zero Message if it has none.
func ClassName(class string) messages.Message {
	if class == "" {
		return messages.Message{}
	}
	return messages.New("class." + messages.Key(class))
}

// classesText returns the explanation of the hues.
func (g *Grid) classesText() messages.Message {
	switch {
	case g.form == Order:
		return messages.New("legend.order")
	case g.form == Buckets:
		return messages.New("legend.bucket")
	case g.names != nil:
		return messages.New("legend.kind")
	}
	return messages.New("legend.class")
}

// nounOf returns the name of the quantity in a figure.
func nounOf(s Spec) messages.Message {
	if !s.Noun.IsZero() {
		return s.Noun
	}
	return messages.New("noun." + s.Map.Kind.String())
}

// text names the quantity and the normalisation. less means that only the shown part of the map was
// normalised.
func (s *Scale) text(noun messages.Message, less bool) messages.Message {
	norm := s.Norm.String()
	if less && (s.Norm == PerRow || s.Norm == PerMap) {
		norm += "-shown"
	}
	switch {
	case s.Category:
		return messages.New("legend.classes", "steps", Steps)
	case s.Signed:
		return messages.New("legend.signed."+norm, "noun", noun)
	}
	return messages.New("legend."+norm, "noun", noun)
}

// ticks returns the labelled places of the scale.
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
		least = 1.5 // each side has half the space
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

// linearTicks returns round numbers from 0, and the top itself. The step is the largest with at
// least least ticks.
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

// logTicks returns powers of ten.
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
