package components

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Number writes a value with three significant digits for a read-out: "0.621",
// "0.0143", "12.3", "1"; what is smaller than a thousandth or larger than
// about 100000 in scientific form, "2.10·10⁻⁷". The script's format.js does the same.
func Number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 0):
		return minus(strings.Replace(strconv.FormatFloat(v, 'g', -1, 64), "Inf", "∞", 1))
	case v == 0 || v == 1 || v == -1:
		return minus(strconv.FormatFloat(v, 'f', 0, 64))
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', 2, 64), "e")
	e, err := strconv.Atoi(exponent)
	if err != nil {
		return exponent // FormatFloat has no such form
	}
	if e < -3 || e > 4 {
		return minus(mantissa) + "·10" + superscript(e)
	}
	return minus(strconv.FormatFloat(v, 'f', max(0, 2-e), 64))
}

// minus uses the mathematical sign.
func minus(s string) string {
	return strings.TrimPrefix(strings.Replace(s, "-", "−", 1), "+")
}

func superscript(n int) string {
	return strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴",
		"5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹").Replace(strconv.Itoa(n))
}

// Millis writes a measured time: "18 ms", "0.42 ms", "1.3 s".
func Millis(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms >= 1000:
		return strconv.FormatFloat(ms/1000, 'f', 1, 64) + " s"
	case ms >= 10:
		return strconv.FormatFloat(ms, 'f', 0, 64) + " ms"
	case ms >= 1:
		return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
	default:
		return strconv.FormatFloat(ms, 'f', 2, 64) + " ms"
	}
}

// Count writes a whole number with its noun: "1 token", "37 tokens".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Grouped(n) + " " + noun + "s"
}

// Grouped writes a whole number with narrow spaces between thousands.
func Grouped(n int) string {
	digits := strconv.Itoa(n)
	if n < 0 {
		return "−" + Grouped(-n)
	}
	if len(digits) <= 4 {
		return digits
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteRune('\u202f')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// fixed writes a number with two digits after the point, as probabilities of
// classes are read: "0.91".
func fixed(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

// Shorten cuts the middle out of a label of more than limit runes: pieces of a
// word often differ in their ends.
func Shorten(label string, limit int) string {
	runes := []rune(label)
	if len(runes) <= limit || limit < 3 {
		return label
	}
	head := limit / 2
	tail := limit - 1 - head
	return string(runes[:head]) + "…" + string(runes[len(runes)-tail:])
}
