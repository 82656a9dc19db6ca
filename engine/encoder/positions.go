package encoder

import (
	"math"

	"attnatlas/engine/tensor"
)

// Sinusoids returns sinusoidal positional encodings [length,width] for any width (Vaswani et al.
// 2017, arXiv:1706.03762, sec. 3.5):
//
//	PE[p,2j] = sin(p/10000^(2j/d))    PE[p,2j+1] = cos(p/10000^(2j/d))
func Sinusoids(length, width int) *tensor.T {
	return waves(length, width, func(f int) (rate float64, wave func(float64) float64) {
		rate = math.Pow(longestWave, -float64(f/2*2)/float64(width))
		if f%2 == 0 {
			return rate, math.Sin
		}
		return rate, math.Cos
	})
}

// SinusoidHalves returns the sinusoids of tensor2tensor [length,width]. Their order and wavelengths
// differ from those of Sinusoids. Sines fill the first half of the features and cosines the second,
// and an odd last feature is 0. The longest wave is 2π·10000 instead of slightly less:
//
//	PE[p,j] = sin(p/10000^(j/(h−1)))    PE[p,h+j] = cos(p/10000^(j/(h−1)))    h = ⌊d/2⌋
func SinusoidHalves(length, width int) *tensor.T {
	half := width / 2
	return waves(length, width, func(f int) (rate float64, wave func(float64) float64) {
		rate = math.Pow(longestWave, -float64(f%max(half, 1))/float64(max(half-1, 1)))
		switch {
		case f < half:
			return rate, math.Sin
		case f < 2*half:
			return rate, math.Cos
		}
		return 0, math.Sin
	})
}

// longestWave is the longest wavelength divided by 2π, in positions.
const longestWave = 10000

// waves makes a table with the given function. For a model that has only shapes, the table has no
// numbers.
func (c Config) waves(table func(length, width int) *tensor.T, length, width int) *tensor.T {
	if c.bare {
		return &tensor.T{Shape: []int{length, width}}
	}
	return table(length, width)
}

// waves fills a table [length,width] with a wave for every feature.
func waves(length, width int, of func(feature int) (rate float64, wave func(float64) float64)) *tensor.T {
	t := tensor.New(length, width)
	for f := range width {
		rate, wave := of(f)
		for p := range length {
			t.Data[p*width+f] = tensor.Elem(wave(float64(p) * rate))
		}
	}
	return t
}

// HalvedSinusoids returns the sinusoids of Sinusoids for n positions, starting with from,
// [n,width], in another order: sines in the first half of the features, cosines in the second. If
// the width is odd, the middle feature is a sine.
func HalvedSinusoids(from, n, width int) *tensor.T {
	half := width/2 + width%2
	t := tensor.New(n, width)
	for f := range width {
		rate, wave := math.Pow(longestWave, -2*float64(f%half)/float64(width)), math.Sin
		if f >= half {
			wave = math.Cos
		}
		for p := range n {
			t.Data[p*width+f] = tensor.Elem(wave(float64(from+p) * rate))
		}
	}
	return t
}
