package figure

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image/png"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"attnatlas/engine/figure/lettering"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

func pngBytes(t testing.TB, s Spec) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := PNG(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestFigureDrawsEachCellAsASolidBlock: in a figure, as in a bare image, a cell is a solid block of
// its table's entry, for any layout of the axes.
func TestFigureDrawsEachCellAsASolidBlock(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 12 {
		n := 1 + r.IntN(30)
		s := Spec{Title: "t", Map: named(softmaxMap(n, 2, r.Uint64()), numberedWords(n), numberedWords(n)),
			Norm: Norm(r.IntN(5)), Palette: Palette(r.IntN(5)), Theme: Theme(r.IntN(2)), Scale: r.IntN(20),
			DPI: []int{0, 96, 150, 300}[r.IntN(4)]}
		img, err := png.Decode(bytes.NewReader(pngBytes(t, s)))
		if err != nil {
			t.Fatal(err)
		}
		g := mustQuantise(t, s)
		p := newPage(s, g, lettering.New(), cellSize(s, g))
		_, at := p.settle(p.body)
		table := g.Table(s.Palette, s.Theme)
		for y := range n * p.cell.Y {
			for x := range n * p.cell.X {
				want := table[g.Index[y/p.cell.Y*n+x/p.cell.X]]
				if got := img.At(at.X+x, at.Y+y); !sameColour(got, want) {
					t.Fatalf("n=%d scale %d: pixel %d,%d of the body is %v, want %v", n, s.Scale, x, y, got, want)
				}
			}
		}
	}
}

// TestSameSpecSameBytes: the same Spec gives the same bytes, even if many are drawn at once and the
// typesetters have cached other texts.
func TestSameSpecSameBytes(t *testing.T) {
	specs := goldens()
	for _, name := range []string{"tokens512", "tokens128", "print300"} {
		delete(specs, name)
	}
	want := map[string][]byte{}
	for name, s := range specs {
		want[name] = pngBytes(t, s)
	}
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			for name, s := range specs {
				var b bytes.Buffer
				if err := PNG(&b, s); err != nil || !bytes.Equal(b.Bytes(), want[name]) {
					t.Errorf("%s: other bytes, error %v", name, err)
				}
			}
		})
	}
	group.Wait()
}

func TestFiguresThatCannotBeDrawnSaySo(t *testing.T) {
	ok := square(trace.Probability, []float64{1})
	for name, s := range map[string]Spec{
		"empty map":  {Map: trace.Map{Value: tensor.New(0, 0), Axes: make([]trace.Axis, 2)}},
		"scale":      {Map: ok, Scale: 513},
		"resolution": {Map: ok, DPI: 1201},
		"large":      {Map: softmaxMap(64, 1, 1), Scale: 512},
		"large text": {Map: trace.Map{Value: tensor.New(1, 20), Axes: make([]trace.Axis, 2)}, Scale: 512, DPI: 1200,
			Title: strings.Repeat("long ", 100)},
	} {
		var b bytes.Buffer
		if err := PNG(&b, s); !errors.Is(err, ErrInvalid) || b.Len() > 0 {
			t.Errorf("%s: error %v after %d bytes", name, err, b.Len())
		}
	}
}

// chunks returns the chunks of a PNG.
func chunks(t *testing.T, file []byte) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for rest := file[8:]; len(rest) > 0; {
		n := binary.BigEndian.Uint32(rest)
		kind := string(rest[4:8])
		out[kind] = append(out[kind], string(rest[8:8+n]))
		rest = rest[12+n:]
	}
	return out
}

func TestProvenanceTravelsWithTheFile(t *testing.T) {
	s := Spec{Map: square(trace.Probability, []float64{1}), DPI: 300, Meta: []Meta{
		{"Software", "Attention Atlas"}, {"Title", "café"}, {"Description", "注意"}, {"", "no key"},
	}}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"figure": func(b *bytes.Buffer) error { return PNG(b, s) },
		"bare":   func(b *bytes.Buffer) error { return Bare(b, s) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		c := chunks(t, b.Bytes())
		text := strings.Join(c["tEXt"], "|")
		if want := "Software\x00Attention Atlas|Title\x00caf\xe9|Comment\x00no key"; text != want {
			t.Errorf("%s: tEXt is %q, want %q", name, text, want)
		}
		if got := strings.Join(c["iTXt"], "|"); got != "Description\x00\x00\x00\x00\x00注意" {
			t.Errorf("%s: iTXt is %q", name, got)
		}
		if want := "\x00\x00\x2e\x23\x00\x00\x2e\x23\x01"; len(c["pHYs"]) != 1 || c["pHYs"][0] != want {
			t.Errorf("%s: pHYs is %q, want 11811 per metre", name, c["pHYs"])
		}
	}
}

func TestLegendNamesWhatOccurs(t *testing.T) {
	m, computed := everyNothing()
	g := mustQuantise(t, Spec{Map: m, Computed: computed})
	if l := g.Legend(); len(l.Nothing) != 5 {
		t.Errorf("the legend names %v", l.Nothing)
	}
	g = mustQuantise(t, Spec{Map: square(trace.Probability, []float64{0.5, 0.5})})
	if l := g.Legend(); len(l.Nothing) != 0 || l.Ticks[0].Label != "0" || l.Ticks[len(l.Ticks)-1].Label != "1" {
		t.Errorf("the legend is %+v", l)
	}
}

// TestLegendTicksAgreeWithTheScale: a tick's label is at the place of its value on the scale.
func TestLegendTicksAgreeWithTheScale(t *testing.T) {
	for _, top := range []float64{1e-5, 0.0123, 0.37, 1, 2.68, 9.99, 12345} {
		s := Scale{Norm: PerMap, Max: top}
		for _, tick := range s.ticks() {
			if v := tick.Place * top; number(v) != tick.Label {
				t.Errorf("0…%v: the tick at %v says %s", top, v, tick.Label)
			}
		}
		if n := len(s.ticks()); n < 3 || n > 7 {
			t.Errorf("0…%v has %d ticks", top, n)
		}
	}
	s := Scale{Norm: Log, Columns: 16}
	for _, tick := range s.ticks() {
		if want := map[string]float64{"1": 1, "0.1": 0.1, "0.01": 0.01, "0.001": 0.001,
			"10⁻⁴": 1e-4}[tick.Label]; math.Abs(s.Place(want, 0)-tick.Place) > 1e-9 {
			t.Errorf("log: %s stands at %v, belongs at %v", tick.Label, tick.Place, s.Place(want, 0))
		}
	}
}
