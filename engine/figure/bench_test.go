package figure

import (
	"io"
	"strconv"
	"testing"
)

func benchSpec(n int) Spec {
	return Spec{Title: "Dot product", Subtitle: "layer 2, head mean — “" + sentence + "”",
		Map: named(softmaxMap(n, 1, 6), numberedWords(n), numberedWords(n)), Norm: PerRow}
}

func BenchmarkPNG(b *testing.B) {
	for _, n := range []int{16, 32, 64, 128, 256, 512} {
		s := benchSpec(n)
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				if err := PNG(io.Discard, s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkBare(b *testing.B) {
	for _, n := range []int{64, 512} {
		s := benchSpec(n)
		s.Scale = 2
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				if err := Bare(io.Discard, s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
