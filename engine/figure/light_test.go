package figure

import "math"

// lightness returns CIE L* of an sRGB colour, accurate enough for comparisons.
func lightness(c [3]uint8) float64 {
	y := 0.2126*linear(c[0]) + 0.7152*linear(c[1]) + 0.0722*linear(c[2])
	return lstar(y)
}

// linear inverts sRGB's transfer curve.
func linear(c uint8) float64 {
	v := float64(c) / 255
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// lstar returns CIE 1976 lightness, 0…100, of a relative luminance.
func lstar(y float64) float64 {
	if y <= 216.0/24389 {
		return y * 24389 / 27
	}
	return 116*math.Cbrt(y) - 16
}
