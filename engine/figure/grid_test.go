package figure

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// square returns a map [query, key] with these values.
func square(kind trace.Kind, rows ...[]float64) trace.Map {
	v := tensor.New(len(rows), len(rows[0]))
	for i, row := range rows {
		for j, x := range row {
			v.Set(tensor.Elem(x), i, j)
		}
	}
	return trace.Map{Name: "weights", Kind: kind, Value: v,
		Axes: []trace.Axis{{Role: trace.Query}, {Role: trace.Key}}}
}

// softmaxMap returns a plausible attention map of n tokens.
func softmaxMap(n int, sharpness float64, seed uint64) trace.Map {
	r := rand.New(rand.NewPCG(seed, 1))
	m := trace.Map{Name: "weights", Kind: trace.Probability, Value: tensor.New(n, n),
		Axes: []trace.Axis{{Role: trace.Query}, {Role: trace.Key}}}
	for i := range n {
		row, sum := make([]float64, n), 0.0
		for j := range n {
			d := math.Abs(float64(i - j))
			row[j] = math.Exp(sharpness*r.NormFloat64() - d/float64(4+i%5))
			sum += row[j]
		}
		for j := range n {
			m.Value.Set(tensor.Elem(float32(row[j]/sum)), i, j) // the same with the build tag f64
		}
	}
	return m
}

func mustQuantise(t *testing.T, s Spec) *Grid {
	t.Helper()
	g, err := Quantise(s)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestPlacesOnTheScale(t *testing.T) {
	m := square(trace.Probability, []float64{0.5, 0.25, 0.25, 0}, []float64{0.125, 0.125, 0.125, 0.625})
	for _, c := range []struct {
		norm   Norm
		shared float64
		want   []uint8
	}{
		{Absolute, 0, []uint8{128, 64, 64, 0, 32, 32, 32, 160}},
		{PerMap, 0, []uint8{204, 102, 102, 0, 51, 51, 51, 255}},
		{PerRow, 0, []uint8{255, 128, 128, 0, 51, 51, 51, 255}},
		{Shared, 0.5, []uint8{255, 128, 128, 0, 64, 64, 64, 255}},
		// 4 keys: 0.5 is 2× uniform, one octave of four above the middle.
		{Uniform, 0, []uint8{160, 128, 128, 0, 96, 96, 96, 170}},
		// ln(2000)/ln(4000)·256 = 234.6, ln(1000)/ln(4000)·256 = 213.2 …
		{Log, 0, []uint8{234, 213, 213, 0, 191, 191, 191, 241}},
	} {
		g := mustQuantise(t, Spec{Map: m, Norm: c.norm, SharedMax: c.shared})
		if !bytes.Equal(g.Index, c.want) {
			t.Errorf("%v: got %v, want %v", c.norm, g.Index, c.want)
		}
		if g.Class[3] != Zero {
			t.Errorf("%v: an exact zero is %v", c.norm, g.Class[3])
		}
	}
}

func TestSignedDataAreSymmetric(t *testing.T) {
	m := square(trace.Weight, []float64{-2, 0, 2}, []float64{1, -1, 0.5})
	for _, n := range []Norm{PerMap, Log, Uniform} {
		g := mustQuantise(t, Spec{Map: m, Norm: n})
		if want := []uint8{0, 128, 255, 192, 64, 160}; !bytes.Equal(g.Index, want) {
			t.Errorf("%v: got %v, want %v", n, g.Index, want)
		}
		if !g.Scale.Signed || g.Table(Viridis, Light) != Diverging(Light) {
			t.Errorf("%v: signed data are not drawn with the diverging table", n)
		}
	}
}

func TestClassesOfNothing(t *testing.T) {
	m := square(trace.Probability, []float64{1, 0, 1e-6, math.NaN()}, []float64{math.Inf(1), 0.5, 7, 7})
	m.Reach = func(q, k int) bool { return q == 0 || k < 3 }
	g := mustQuantise(t, Spec{Map: m, Computed: func(r, c int) bool { return r == 0 || c != 2 }})
	want := []Class{Value, Zero, Tiny, Bad, Bad, Value, Missing, Forbidden}
	for i, c := range want {
		if g.Class[i] != c {
			t.Errorf("cell %d is %v, want %v", i, g.Class[i], c)
		}
	}
	if g.Scale.Max != 1 || g.Scale.RowKeys[1] != 2 {
		t.Errorf("measured max %v, keys %v: cells that hold nothing were counted", g.Scale.Max, g.Scale.RowKeys)
	}
}

func TestClassNumbersRepeatTheirHues(t *testing.T) {
	g := mustQuantise(t, Spec{Map: square(trace.Category, []float64{0, 7, 8, -1})})
	if want := []uint8{16, 240, 16, 0}; !bytes.Equal(g.Index, want) || g.Class[3] != Missing || g.Class[0] != Value {
		t.Errorf("got %v %v, want %v", g.Index, g.Class, want)
	}
}

// decode reads a PNG from one of the package's functions.
func decode(t testing.TB, write func(*bytes.Buffer) error) image.Image {
	t.Helper()
	var buf bytes.Buffer
	if err := write(&buf); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&buf)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func bareImage(t testing.TB, s Spec) image.Image {
	return decode(t, func(b *bytes.Buffer) error { return Bare(b, s) })
}

func sameColour(c color.Color, e [3]uint8) bool {
	r, g, b, a := c.RGBA()
	return a == 0xffff && uint8(r>>8) == e[0] && uint8(g>>8) == e[1] && uint8(b>>8) == e[2]
}

// TestBareDrawsEachCellAsASolidBlock uses an asymmetric map: row 0 on top, column 0 on the left,
// solid blocks.
func TestBareDrawsEachCellAsASolidBlock(t *testing.T) {
	m := square(trace.Probability, []float64{1, 0.75, 0.5}, []float64{0.25, 0.125, 0.0625})
	const scale = 7
	img := bareImage(t, Spec{Map: m, Scale: scale, Palette: Viridis})
	if got := img.Bounds().Size(); got != image.Pt(3*scale, 2*scale) {
		t.Fatalf("the image is %v", got)
	}
	for y := range 2 * scale {
		for x := range 3 * scale {
			v := float64(m.Value.At(y/scale, x/scale))
			if want := viridisTable[min(255, int(v*256))]; !sameColour(img.At(x, y), want) {
				t.Fatalf("pixel %d,%d is %v, want %v", x, y, img.At(x, y), want)
			}
		}
	}
}

func TestEveryCellHasTheColourOfItsIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 60 {
		n, scale := 1+r.IntN(40), 1+r.IntN(20)
		s := Spec{Map: softmaxMap(n, 3*r.Float64(), r.Uint64()), Scale: scale, Norm: Norm(r.IntN(5)),
			Palette: Palette(r.IntN(5)), Theme: Theme(r.IntN(2))}
		g := mustQuantise(t, s)
		img, table := bareImage(t, s), g.Table(s.Palette, s.Theme)
		for i, index := range g.Index {
			if x, y := i%n*scale, i/n*scale; !sameColour(img.At(x, y), table[index]) {
				t.Fatalf("%v: cell %d of %d² is %v, want %v", s.Norm, i, n, img.At(x, y), table[index])
			}
		}
	}
}

func TestRequestsThatCannotBeDrawnSaySo(t *testing.T) {
	ok := square(trace.Probability, []float64{1})
	three := trace.Map{Value: tensor.New(2, 3, 3), Axes: make([]trace.Axis, 3)}
	for name, s := range map[string]Spec{
		"empty map":    {Map: trace.Map{Value: tensor.New(0, 0), Axes: make([]trace.Axis, 2)}},
		"no map":       {},
		"three axes":   {Map: three},
		"scale":        {Map: ok, Scale: 100000},
		"minus":        {Map: ok, Scale: -1},
		"resolution":   {Map: ok, DPI: 7},
		"no maximum":   {Map: ok, Norm: Shared},
		"large":        {Map: softmaxMap(64, 1, 1), Scale: 512},
		"unnamed axes": {Map: trace.Map{Value: tensor.New(2, 2)}},
	} {
		var b bytes.Buffer
		if err := Bare(&b, s); !errors.Is(err, ErrInvalid) || b.Len() > 0 {
			t.Errorf("%s: error %v after %d bytes", name, err, b.Len())
		}
	}
}

func TestTransparentPaper(t *testing.T) {
	m := square(trace.Probability, []float64{1, 0})
	m.Reach = func(_, k int) bool { return k == 0 }
	img := bareImage(t, Spec{Map: m, Scale: 8, Transparent: true})
	if _, _, _, a := img.At(9, 3).RGBA(); a != 0 {
		t.Errorf("a forbidden cell's ground has alpha %d", a)
	}
	if _, _, _, a := img.At(3, 3).RGBA(); a != 0xffff {
		t.Errorf("a value's ground has alpha %d", a)
	}
}

// TestNegativeCellsOnPaper: on paper, a negative cell has a minus sign, because a grey print shows only its magnitude.
// Values written into cells have their own minus sign.
func TestNegativeCellsOnPaper(t *testing.T) {
	spec := func(preset string, numbers bool) Spec {
		m := trace.Map{Name: "weights", Kind: trace.Activation, Value: tensor.New(2, 2),
			Axes: []trace.Axis{{Role: trace.Query}, {Role: trace.Key}}}
		copy(m.Value.Data, []float32{-1, 1, -0.2, 0.2})
		return Spec{Title: "Title", Map: m, Preset: FindPreset(preset), Numbers: numbers}
	}
	for _, c := range []struct {
		spec Spec
		want bool
	}{{spec("column", false), true}, {spec("text", false), true}, {spec("slide", false), false},
		{spec("column", true), false}} {
		f, err := New(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		b := newBrush(f.Grid, c.spec, 1)
		img := image.NewRGBA(image.Rect(0, 0, 40, 40))
		b.cells(img, image.Point{}, image.Pt(20, 20))
		for i, value := range []float32{-1, 1, -0.2, 0.2} {
			at := image.Pt(i%2*20, i/2*20)
			if marked := img.At(at.X+10, at.Y+9) != img.At(at.X+2, at.Y+2); marked != (c.want && value < 0) {
				t.Errorf("%s, numbers %v: %v is marked: %v", c.spec.Preset.Name, c.spec.Numbers, value, marked)
			}
		}
		var svg bytes.Buffer
		if err := f.SVG(&svg); err != nil {
			t.Fatal(err)
		}
		if says := strings.Contains(svg.String(), "below 0<"); says != c.want {
			t.Errorf("%s: the legend explains minus signs: %v", c.spec.Preset.Name, says)
		}
	}
}
