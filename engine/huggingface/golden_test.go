package huggingface_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/huggingface"
)

// goldensVariable names a folder of checkpoints with what the transformers library computes, laid out as testdata is.
// All of it is compared, not only what is small.
const goldensVariable = "VIZ_GOLDENS"

// goldens are the folders with expected numbers.
func goldens(t testing.TB) []string {
	t.Helper()
	dir := os.Getenv(goldensVariable)
	if dir == "" {
		dir = "testdata"
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"+huggingface.ExpectedSuffix))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no goldens: %v", dir, err)
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(f, huggingface.ExpectedSuffix)
	}
	return files
}

// TestGoldens compares attention, hidden states and scores with those of the transformers library.
func TestGoldens(t *testing.T) {
	for _, dir := range goldens(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			if _, err := huggingface.ReadConfig(dir); err != nil && os.Getenv(goldensVariable) != "" && strings.Contains(err.Error(), "known model types") {
				t.Skip(err) // a family of decoders
			}
			m, err := huggingface.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			raw, err := os.ReadFile(dir + huggingface.ExpectedSuffix)
			if err != nil {
				t.Fatal(err)
			}
			want, err := checkpoint.Parse(raw)
			if err != nil {
				t.Fatal(err)
			}
			d, err := m.Compare(want)
			if err != nil || d.Texts == 0 || !d.OK() {
				t.Errorf("%+v, %v", d, err)
			}
			m.Prepare()
			if packed, err := m.Compare(want); err != nil || !packed.OK() {
				t.Errorf("with packed weights: %+v, %v", packed, err)
			}
			t.Logf("%s: %+v", m.Library.Class, d)
		})
	}
}
