package costs

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"attnatlas/engine/attention"
)

// tiny returns a quick measurement.
func tiny() Lengths {
	l := Usual()
	l.Width, l.Heads, l.List, l.Sample = 8, 2, []int{4, 8, 16}, time.Microsecond
	return l
}

func TestEveryMechanismIsMeasured(t *testing.T) {
	steps, left := tiny().Steps()
	if want := 3 * len(attention.Catalog); len(steps) != want || len(left) != 0 {
		t.Fatalf("%d steps and %d left out, want %d", len(steps), len(left), want)
	}
	var points []Point
	for i, s := range steps {
		p, err := s.Measure(context.Background())
		if err != nil {
			t.Fatalf("%s, %d: %v", s.Mechanism, s.Length, err)
		}
		if i > 0 && s.Length < steps[i-1].Length {
			t.Errorf("%d positions come after %d", s.Length, steps[i-1].Length)
		}
		if p.Seconds <= 0 || p.Passes < leastTimes || p.Bytes < 4*8*s.Length || p.Parameters != int(s.Memory()) ||
			s.Operations() <= 0 {
			t.Errorf("%+v", p)
		}
		points = append(points, p)
	}
	SortPoints(points)
	for i, p := range points {
		if p.Mechanism != attention.Catalog[i/3].ID || p.Length != 4<<(i%3) {
			t.Errorf("place %d has %s, %d", i, p.Mechanism, p.Length)
		}
	}
}

// TestBytesGrowAsTheText: no mechanism forms the matrix of all pairs for a long text.
func TestBytesGrowAsTheText(t *testing.T) {
	l := tiny()
	l.List = []int{1024, 2048}
	steps, _ := l.Steps()
	bytes := map[string][]int{}
	for _, s := range steps {
		p, err := s.Measure(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		bytes[s.Mechanism] = append(bytes[s.Mechanism], p.Bytes)
	}
	for id, b := range bytes {
		if g := math.Log2(float64(b[1]) / float64(b[0])); g < 0.5 || g > 1.5 {
			t.Errorf("%s: %v bytes", id, b)
		}
	}
}

func TestWhatIsTooLargeIsLeftOut(t *testing.T) {
	l := Usual()
	l.Memory = 100 << 20
	steps, left := l.Steps()
	for _, s := range left {
		if s.Memory() <= l.Memory || s.Length != 4096 {
			t.Errorf("%s, %d is left out, with %d bytes", s.Mechanism, s.Length, s.Memory())
		}
	}
	if len(left) == 0 || len(steps)+len(left) != len(l.List)*len(attention.Catalog) {
		t.Errorf("%d steps, %d left out", len(steps), len(left))
	}
	for _, s := range left { // untrained parameters take memory, too
		if s.Mechanism == attention.FixedRandom.ID {
			return
		}
	}
	t.Error("the matrix that is drawn once takes no memory")
}

func TestMeasuringEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	steps, _ := tiny().Steps()
	if _, err := steps[0].Measure(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := MeasureRoof(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestRoof(t *testing.T) {
	r, err := MeasureRoof(context.Background())
	if err != nil || r.Operations <= 0 || r.Bandwidth <= 0 || math.IsInf(r.Operations, 0) || math.IsInf(r.Bandwidth, 0) {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestBetween(t *testing.T) {
	own := []Point{{Mechanism: "m", Length: 64, Seconds: 1, Bytes: 100, Passes: 5},
		{Mechanism: "m", Length: 256, Seconds: 16, Bytes: 400, Passes: 3}}
	if p, ok := Between(own, 128); !ok || math.Abs(p.Seconds-4) > 1e-12 || p.Bytes != 200 || p.Passes != 3 ||
		p.Length != 128 {
		t.Errorf("%+v, %v", p, ok)
	}
	if p, ok := Between(own, 64); !ok || p != own[0] {
		t.Errorf("%+v, %v", p, ok)
	}
	for _, n := range []int{63, 257} {
		if p, ok := Between(own, n); ok {
			t.Errorf("%d is outside of what was measured: %+v", n, p)
		}
	}
	if _, ok := Between(nil, 64); ok {
		t.Error("a point of nothing")
	}
}

func TestFaster(t *testing.T) {
	line := func(seconds ...float64) (own []Point) {
		for i, s := range seconds {
			own = append(own, Point{Length: 64 << i, Seconds: s})
		}
		return own
	}
	for _, c := range []struct {
		own, than []Point
		want      int
	}{
		{line(3, 3, 3, 3), line(1, 2, 4, 8), 256},
		{line(1, 1, 1, 1), line(2, 2, 2, 2), 64},
		{line(1, 9, 1, 9), line(2, 2, 2, 2), 0},
		{line(1, 9, 1, 1), line(2, 2, 2, 2), 256},
		{line(3, 3), line(1, 4, 9), 128},
	} {
		if got := faster(c.own, c.than); got == nil || *got != c.want {
			t.Errorf("%v: %v", c.want, got)
		}
	}
	if faster(line(1), nil) != nil {
		t.Error("it is compared with nothing")
	}
}

// TestFewer compares the length from which operations are fewer with a search of all lengths.
func TestFewer(t *testing.T) {
	s := Sizes{Length: 64, Width: 128, Heads: 4, Positions: 64}
	for i := range attention.Catalog {
		e := &attention.Catalog[i]
		r := Of(e, s, nil, nil)
		if e.ID == attention.DotProduct.ID {
			if r.Fewer != nil {
				t.Error("dot product is compared with itself")
			}
			continue
		}
		if *r.Fewer == 0 || *r.Fewer > 4096 {
			continue
		}
		for _, n := range []int{*r.Fewer - 1, *r.Fewer, *r.Fewer + 1} {
			c := s.Config(nil)
			c.Length = max(n, c.Length)
			less := n > 0 && e.FLOPs(c, n) < attention.DotProduct.FLOPs(c, n)
			if less != (n >= *r.Fewer) {
				t.Errorf("%s takes fewer from %d on; at %d: %v", e.ID, *r.Fewer, n, less)
			}
		}
	}
}

// TestOperationsOfLongTexts: operations exceed 32 bits, even on machines with 32-bit ints.
func TestOperationsOfLongTexts(t *testing.T) {
	r := Of(&attention.DotProduct, Sizes{Length: MostLength, Width: MostWidth, Heads: MostHeads}, nil, nil)
	if want := int64(8<<(16+12+12) + 4<<(16+16+12)); r.Operations.Value != want ||
		math.Abs(r.Counted-math.Log2(2.4)) > 1e-9 {
		t.Errorf("%d operations, not %d; they grow with N^%.3f", r.Operations.Value, want, r.Counted)
	}
	if fewer := Of(&attention.Fastformer, Sizes{Length: MostLength, Width: MostWidth, Heads: MostHeads}, nil,
		nil).Fewer; fewer == nil || *fewer != 1 {
		t.Errorf("Fastformer takes fewer operations from %v positions on", fewer)
	}
}

// TestRows: the rows of pages are complete for all options.
func TestRows(t *testing.T) {
	for i := range attention.Catalog {
		e := &attention.Catalog[i]
		s := Sizes{Length: 100, Width: 64, Heads: 4, Positions: 512}
		r := Of(e, s, nil, nil)
		if r.Parameters.Value != int64(e.Params(s.Config(nil))) || r.Parameters.Formula == "" || r.Operations.Formula == "" ||
			r.Claimed == "" || r.At != nil || r.Measured != nil {
			t.Errorf("%+v", r)
		}
		for _, o := range e.Options {
			options := map[string]string{o.Name: o.Other()}
			if err := Check(e, s, options); err != nil {
				continue // rejected by New
			}
			if r := Of(e, s, options, nil); r.Parameters.Formula != "" || r.State != nil {
				t.Errorf("%s, %v: the formula is that of the defaults", e.ID, options)
			}
		}
	}
	if err := Check(&attention.Poolingformer, claimSizes, map[string]string{"stride": "9"}); err == nil {
		t.Error("a stride that is longer than the kernel")
	}
	if err := Check(&attention.Random, Sizes{Length: 4096, Width: 30, Heads: 4, Positions: 4096}, nil); err == nil {
		t.Error("4 heads of a width of 30")
	}
}

// TestClaims: the counts printed by the implementation equal ours, counted and built.
func TestClaims(t *testing.T) {
	printed := map[string]float64{"dot-product": 16_640, "random": 1_056_896, "fixed-random": 8_320, "dense": 158_080,
		"factorized-random": 41_088, "factorized-dense": 54_080, "mixture-rv": 1_073_538}
	var points []Point
	for n := 256; n <= 4096; n *= 2 {
		points = append(points, Point{Mechanism: "dot-product", Length: n, Seconds: float64(n * n)})
	}
	for _, v := range Judge(points) {
		switch {
		case v.Time:
			if got := v.Measured != nil; got != (v.Mechanism == "dot-product") || got && math.Abs(*v.Measured-2) > 1e-9 {
				t.Errorf("%+v", v)
			}
		case v.Counted != *v.Measured:
			t.Errorf("%s: %v counted, %v built", v.Mechanism, v.Counted, *v.Measured)
		case v.Source == "code" && (v.Claimed != printed[v.Mechanism] || !v.Agrees()):
			t.Errorf("%s: %v claimed, %v counted, printed are %v", v.Mechanism, v.Claimed, v.Counted, printed[v.Mechanism])
		}
		if v.Note == "" && !v.Agrees() {
			t.Errorf("%s, %s: %v claimed and %v counted; nothing says why", v.Mechanism, v.Formula, v.Claimed, v.Counted)
		}
	}
}
