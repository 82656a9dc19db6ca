//go:build amd64 && !purego && !f64

package tensor

import (
	"reflect"
	"testing"
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
