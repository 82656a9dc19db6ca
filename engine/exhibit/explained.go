package exhibit

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/explain"
	"attnatlas/engine/messages"
	"attnatlas/engine/trace"
)

// ArrayName returns the name of an array on the page.
func ArrayName(l *messages.Language, a explain.ArrayName) string {
	switch {
	case a.Name != "":
		return a.Name
	case a.Given:
		return l.T("explain.input")
	}
	return l.T("explain.between")
}

// PlaceIn describes the position of a number in an array: by words, heads and features, or by indices from 1.
func PlaceIn(l *messages.Language, a explain.ArrayName, at []int, tokens []string) string {
	var parts []string
	for i, n := range at {
		if i >= len(a.Roles) {
			parts = append(parts, strconv.Itoa(n+1))
			continue
		}
		word := strconv.Itoa(n + 1)
		words, named := tokens, i < len(a.Words) && a.Words[i] != nil
		if named {
			words = a.Words[i]
		}
		if n < len(words) {
			word = words[n]
		}
		switch role := a.Roles[i]; {
		case role == trace.Query || role == trace.Key || role == trace.Token:
			parts = append(parts, l.T("explain.at."+role.String(), "word", word))
		case named: // such as the component of a mixture
			parts = append(parts, word)
		default:
			parts = append(parts, l.T("explain.at.axis", "axis", role.String(), "number", n+1))
		}
	}
	if len(a.Roles) == 0 && len(parts) > 0 {
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return strings.Join(parts, ", ")
}

// Digits formats a number with enough digits to compute with by hand.
func Digits(v float64) string {
	return strings.ReplaceAll(strconv.FormatFloat(v, 'g', 5, 64), "-", "−")
}

// WithAllDigits formats a number with all digits of a float32.
func WithAllDigits(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// mostFilled is the number of terms of a sum that are written out. For a longer sum, these are the largest terms.
const mostFilled = 3

// Filled returns the operation with its numbers filled in.
func Filled(s explain.ExplainedStep) string {
	o := s.Origin
	x, y, plus := valuesOf(s.X), valuesOf(s.Y), valuesOf(s.Plus)
	switch o.Operation {
	case ad.Softmaxed:
		return fmt.Sprintf("exp(%s) / (%s) = %s", Digits(x[o.Own]),
			terms(x, func(v float64) string { return "exp(" + Digits(v) + ")" }), Digits(s.Value))
	case ad.Quotient:
		return fmt.Sprintf("%s / (%s + %s) = %s", Digits(x[0]), Digits(y[0]), Digits(o.Eps), Digits(s.Value))
	case ad.Applied:
		return fmt.Sprintf("f(%s) = %s", Digits(x[0]), Digits(s.Value))
	case ad.Length:
		return fmt.Sprintf("√(%s) = %s", terms(x, func(v float64) string { return bracketed(v) + "²" }), Digits(s.Value))
	case ad.Summed:
		return filledSum(o, x, y, plus) + " = " + Digits(s.Value)
	}
	return ""
}

func filledSum(o ad.Origin, x, y, plus []float64) string {
	size := func(k int) float64 {
		if len(y) > 0 {
			return math.Abs(x[k] * y[k])
		}
		return math.Abs(x[k])
	}
	order := make([]int, len(x))
	for k := range order {
		order[k] = k
	}
	if len(x) > mostFilled+1 { // the largest terms matter most
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
	}
	var parts []string
	for _, k := range order[:min(len(order), mostFilled+1)] {
		part := bracketed(x[k])
		if len(y) > 0 {
			part += "·" + bracketed(y[k])
		}
		parts = append(parts, part)
	}
	if len(order) > mostFilled+1 {
		parts[mostFilled] = "…"
	}
	sum := strings.Join(parts, " + ")
	if o.Scale != 1 && len(x) > 0 {
		sum = Digits(o.Scale) + "·(" + sum + ")"
	}
	parts = nil
	if sum != "" {
		parts = append(parts, sum)
	}
	for _, v := range plus {
		parts = append(parts, bracketed(v))
	}
	if o.Constant != 0 || len(parts) == 0 {
		parts = append(parts, bracketed(o.Constant))
	}
	return strings.Join(parts, " + ")
}

// terms writes the first terms of a sum, and the last one.
func terms(list []float64, write func(float64) string) string {
	var parts []string
	for k, v := range list {
		switch {
		case k < mostFilled || len(list) <= mostFilled+1:
			parts = append(parts, write(v))
		case k == len(list)-1:
			parts = append(parts, "…", write(v))
		}
	}
	return strings.Join(parts, " + ")
}

func bracketed(v float64) string {
	if v < 0 {
		return "(" + Digits(v) + ")"
	}
	return Digits(v)
}

func valuesOf(strips []explain.Strip) (list []float64) {
	for _, s := range strips {
		list = append(list, s.Values...)
	}
	return list
}

// OperationOf returns the name of the operation that computed a number.
func OperationOf(s explain.ExplainedStep) string {
	if s.Unknown {
		return "unknown"
	}
	return string(s.Origin.Operation)
}

// IsOwn reports whether operand k of x is the operand that a number belongs to.
func IsOwn(s explain.ExplainedStep, k int) bool {
	return k == s.Origin.Own && s.Origin.Operation != ad.Summed && s.Origin.Operation != ad.Length && len(s.X) == 1
}

// Largest returns the cell, from 1, whose value has the largest magnitude. For a map without rows, row is 1.
func (x *Exhibit) Largest() (row, col int) {
	cols, best, at := x.Map.Value.Dim(-1), -1.0, 0
	for i, v := range x.Map.Value.Data {
		if size := math.Abs(float64(v)); size > best {
			best, at = size, i
		}
	}
	return at/cols + 1, at%cols + 1
}

// Place returns the index of a cell along all axes of its map, from 0; row and col count from 1. In a map without
// rows, row or col can name the column. ok is false if the cell does not exist or the map belongs to no layer.
func (x *Exhibit) Place(row, col int) (at []int, ok bool) {
	whole, ok := x.Layer.Find(x.Name)
	cell := []int{row, col}
	if len(x.Map.Axes) == 1 {
		if col == 0 {
			col = row
		}
		cell = []int{col}
	}
	if !ok || slices.Contains(cell, 0) {
		return nil, false
	}
	at = make([]int, len(whole.Axes)-len(cell))
	if axis, ok := whole.Has(trace.Head); ok && axis < len(at) {
		at[axis] = max(x.Number, 1) - 1
	}
	for _, n := range cell {
		at = append(at, n-1)
	}
	return at, true
}
