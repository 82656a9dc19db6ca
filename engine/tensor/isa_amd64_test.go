//go:build amd64 && !purego && !f64

package tensor

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"unsafe"
)

// levels returns the instruction sets that this machine can run, by name.
func levels() map[string]isa {
	all := map[string]isa{"portable": noISA}
	if machine >= isaAVX2 {
		all["avx2"] = isaAVX2
	}
	if machine >= isaAVX512 {
		all["avx512"] = isaAVX512
	}
	return all
}

// TestTileOffsets: the fields of the micro-kernels' argument have the offsets that the generator
// assumes.
func TestTileOffsets(t *testing.T) {
	want := map[string]uintptr{"a": 0, "b": 8, "c": 16, "aStride": 24, "bStride": 32, "cStride": 40,
		"aStep": 48, "cStep": 56, "k": 64, "count": 72, "bits": 80, "alpha": 88, "add": 92, "lanes": 96, "next": 160,
		"e": 168, "eStride": 176, "eStep": 184, "nextStep": 192, "bStep": 200}
	for name, offset := range want {
		f, ok := reflect.TypeFor[tile]().FieldByName(name)
		if !ok || f.Offset != offset {
			t.Errorf("tile.%s is at %d, the assembly reads it at %d", name, f.Offset, offset)
		}
	}
}

// BenchmarkPeak measures the peak performance of the multiply-add units.
func BenchmarkPeak(b *testing.B) {
	const turns = 10000
	run := func(name string, lanes float64, peak func(uintptr)) {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				peak(turns)
			}
			b.ReportMetric(peakFLOPs*turns*lanes*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
		})
	}
	if machine >= isaAVX512 {
		run("avx512", 16, zPeak)
	}
	if machine >= isaAVX2 {
		run("avx2", 8, yPeak)
	}
}

// TestPointersStayInB: no pointer ends up after the end of B, where the garbage collector would find other memory or
// none.
func TestPointersStayInB(t *testing.T) {
	const m, n = 100, 512
	for name, s := range levels() {
		if s == noISA {
			continue
		}
		for _, k := range []int{1, 2} {
			r := rand.New(rand.NewPCG(5, uint64(k)))
			a, b, c := denseMatrix(r, m, k, false), denseMatrix(r, k, n, false), denseMatrix(r, m, n, false)
			p := s.begin(&c, &a, &b, 1)
			p.c, p.a, p.b, p.add = c, a, b, uint32(Overwrite)
			p.compute()
			at := uintptr(p.tile.b) - uintptr(unsafe.Pointer(&b.Data[0]))
			p.end()
			if at >= uintptr(k*n*elemSize) {
				t.Errorf("%s, k=%d: the pointer is %d bytes after the beginning of B, which has %d", name, k, at, k*n*elemSize)
			}
		}
	}
}
