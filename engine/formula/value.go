package formula

import (
	"fmt"
	"math"
	"strings"

	"attnatlas/engine/messages"
)

// Value computes an expression: sums, products, quotients, brackets, ⌈x/y⌉, min(x, y), squares and 2ᵐ, of numbers
// and symbols that have values: "H(2d² + ⌈N/b⌉) + 2ᵐd". A product needs no sign. The longest matching symbol wins:
// d_h before d.
func Value(s string, symbols map[string]float64) (v float64, err error) {
	e := evaluator{rest: []rune(strings.ReplaceAll(s, " ", "")), symbols: symbols}
	defer func() {
		if fault, ok := recover().(fault); ok {
			v, err = 0, fmt.Errorf("formula: %s: %s", messages.Quote(s), string(fault))
		}
	}()
	v = e.sum()
	if len(e.rest) > 0 {
		e.fail("%s closes no bracket; each ), ⌉ or comma needs a (, ⌈ or min( before it", e.quoted())
	}
	return v, nil
}

type evaluator struct {
	rest    []rune
	symbols map[string]float64
}

func (v *evaluator) fail(format string, args ...any) { panic(fault(fmt.Sprintf(format, args...))) }

// quoted returns the rest of the expression for an error.
func (v *evaluator) quoted() string { return messages.Quote(string(v.rest)) }

// take consumes a prefix and reports whether it was there.
func (v *evaluator) take(prefix string) bool {
	rest, ok := strings.CutPrefix(string(v.rest), prefix)
	if ok {
		v.rest = []rune(rest)
	}
	return ok
}

func (v *evaluator) must(prefix string) {
	if !v.take(prefix) {
		v.fail("%s is missing before %s", prefix, v.quoted())
	}
}

func (v *evaluator) sum() float64 {
	total := v.product()
	for {
		switch {
		case v.take("+"):
			total += v.product()
		case v.take("−"):
			total -= v.product()
		default:
			return total
		}
	}
}

func (v *evaluator) product() float64 {
	total := v.factor()
	for len(v.rest) > 0 && !strings.ContainsRune("+−)⌉,", v.rest[0]) {
		if v.take("/") {
			total /= v.factor()
			continue
		}
		v.take("·")
		total *= v.factor()
	}
	return total
}

func (v *evaluator) factor() float64 {
	base := v.base()
	switch {
	case v.take("²"):
		return base * base
	case v.take("ᵐ"):
		return math.Pow(base, v.symbols["m"])
	}
	return base
}

func (v *evaluator) base() float64 {
	switch {
	case len(v.rest) == 0:
		v.fail("it ends too early")
	case v.take("("):
		x := v.sum()
		v.must(")")
		return x
	case v.take("⌈"):
		x := v.sum()
		v.must("⌉")
		return math.Ceil(x)
	case v.take("min("):
		x := v.sum()
		v.must(",")
		y := v.sum()
		v.must(")")
		return min(x, y)
	case '0' <= v.rest[0] && v.rest[0] <= '9':
		return v.digits()
	}
	return v.symbol()
}

func (v *evaluator) digits() (x float64) {
	for len(v.rest) > 0 && '0' <= v.rest[0] && v.rest[0] <= '9' {
		x = 10*x + float64(v.rest[0]-'0')
		v.rest = v.rest[1:]
	}
	return x
}

func (v *evaluator) symbol() float64 {
	best := ""
	for s := range v.symbols {
		if len(s) > len(best) && strings.HasPrefix(string(v.rest), s) {
			best = s
		}
	}
	if best == "" {
		v.fail("%s must begin with a number, a bracket or a known symbol", v.quoted())
	}
	v.must(best)
	return v.symbols[best]
}
