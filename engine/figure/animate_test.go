package figure

import (
	"bytes"
	"image/png"
	"testing"
)

// TestAnimate: every figure is a frame of one size, and programs without support for animations see
// the last.
func TestAnimate(t *testing.T) {
	var frames []Figure
	for _, scale := range []int{40, 120, 60} {
		s := Spec{Title: "t", Map: softmaxMap(5, 2, uint64(scale)), Norm: PerRow}
		s.Scale = scale
		f, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		frames = append(frames, *f)
	}
	var out, last bytes.Buffer
	if err := Animate(&out, frames); err != nil {
		t.Fatal(err)
	}
	if err := frames[2].PNG(&last); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	want, err := png.Decode(&last)
	if err != nil {
		t.Fatal(err)
	}
	for y := range want.Bounds().Dy() {
		for x := range want.Bounds().Dx() {
			r, g, b, a := want.At(x, y).RGBA()
			if r2, g2, b2, a2 := img.At(x, y).RGBA(); r != r2 || g != g2 || b != b2 || a != a2 {
				t.Fatalf("pixel %d, %d is not that of the last figure", x, y)
			}
		}
	}
	if img.Bounds().Dx() <= want.Bounds().Dx() {
		t.Error("the animation is not as large as the largest figure")
	}
	for name, n := range map[string]int{"acTL": 1, "fcTL": 3, "fdAT": 3, "IDAT": 1} {
		if got := bytes.Count(out.Bytes(), []byte(name)); got != n {
			t.Errorf("%d chunks %s, not %d", got, name, n)
		}
	}
	if err := Animate(&out, nil); err == nil {
		t.Error("there is an animation of nothing")
	}
}
