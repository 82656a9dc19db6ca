package messages

import (
	"math"
	"strconv"
	"strings"
)

// Number formats a value with three significant digits for a read-out: "0.621", "0.0143", "12.3",
// "1". Values below a thousandth or above about 100000 are in scientific notation, "2.10·10⁻⁷". The
// script format.js does the same.
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
		return exponent // FormatFloat never returns such a text
	}
	if e < -3 || e > 4 {
		return minus(mantissa) + "·10" + Superscript(e)
	}
	return minus(strconv.FormatFloat(v, 'f', max(0, 2-e), 64))
}

// minus replaces hyphens with the mathematical minus sign.
func minus(s string) string {
	return strings.TrimPrefix(strings.Replace(s, "-", "−", 1), "+")
}

var raised = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴",
	"5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// Superscript formats a whole number as an exponent.
func Superscript(n int) string { return raised.Replace(strconv.Itoa(n)) }

// Percent formats a fraction in percent with one decimal: "26.4 %".
func Percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + " %" }

// WholePercent formats a fraction in percent without decimals.
func WholePercent(share float64) string { return strconv.FormatFloat(100*share, 'f', 0, 64) + " %" }
