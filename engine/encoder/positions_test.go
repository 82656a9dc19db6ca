package encoder_test

import (
	"math"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// TestWavesAreAdded: with sinusoidal positions, the input of the stack is √d times the word plus
// the sinusoids of its position.
func TestWavesAreAdded(t *testing.T) {
	ids := []int{3, 5, 3}
	entering := func(positions encoder.Positions) *tensor.T {
		c := config("dot-product", encoder.PreNorm)
		c.Stack, c.Positions = "sandwich", positions
		p := nn.NewPass(ad.NewFrozen())
		p.Run = &trace.Run{}
		newModel(t, c).Encode(p, ids, 1)
		stream, output := shown(t, p.Run, "residual stream").Sub(0).Clone(), shown(t, p.Run, "sublayer outputs").Sub(0)
		tensor.Axpy(stream.Data, -1, output.Data)
		return stream
	}
	words := entering(encoder.NoPositions)
	for positions, waves := range map[encoder.Positions]*tensor.T{
		encoder.Sinusoidal: encoder.Sinusoids(8, 8), encoder.SinusoidalHalves: encoder.SinusoidHalves(8, 8),
	} {
		want := tensor.New(3, 8)
		for i := range want.Data {
			want.Data[i] = words.Data[i]*tensor.Elem(math.Sqrt(8)) + waves.Data[i]
		}
		same(t, string(positions), entering(positions), want, 1e-5)
	}
}

// TestWavesOfOddWidth: for an odd width, the last feature is a sine in the paper and 0 in
// tensor2tensor. A single position has sines of 0 and cosines of 0.
func TestWavesOfOddWidth(t *testing.T) {
	paper, halves := encoder.Sinusoids(3, 5), encoder.SinusoidHalves(3, 5)
	if got, want := float64(paper.At(2, 4)), math.Sin(2/math.Pow(10000, 4.0/5)); math.Abs(got-want) > 1e-6 {
		t.Errorf("paper: %v, wanted %v", got, want)
	}
	if got, want := float64(halves.At(2, 3)), math.Cos(2.0/10000); math.Abs(got-want) > 1e-6 || halves.At(2, 4) != 0 {
		t.Errorf("halves: %v and %v, wanted %v and 0", got, halves.At(2, 4), want)
	}
	for f, v := range encoder.Sinusoids(1, 3).Data {
		if float64(v) != float64(f%2) {
			t.Errorf("feature %d of position 0 is %v", f, v)
		}
	}
	if one := encoder.SinusoidHalves(2, 1); one.At(1, 0) != 0 {
		t.Errorf("width 1: %v", one.Data)
	}
}
