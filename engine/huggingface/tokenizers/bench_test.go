package tokenizers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"attnatlas/engine/huggingface/tokenizers"
)

// BenchmarkEncode encodes English text line by line, with every tokenizer of testdata and of the folder
// VIZ_TOKENIZERS.
func BenchmarkEncode(b *testing.B) {
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		b.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for _, dir := range folders(b) {
		b.Run(filepath.Base(dir), func(b *testing.B) {
			t, err := tokenizers.Open(unzipped(b, dir))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				bytes := 0
				for _, line := range lines {
					if _, err := t.Encode(line); err != nil {
						b.Fatal(err)
					}
					bytes += len(line) + 1
				}
				b.SetBytes(int64(bytes))
			}
		})
	}
}

// BenchmarkOpen opens every tokenizer.
func BenchmarkOpen(b *testing.B) {
	for _, dir := range folders(b) {
		b.Run(filepath.Base(dir), func(b *testing.B) {
			folder := unzipped(b, dir)
			for b.Loop() {
				if _, err := tokenizers.Open(folder); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
