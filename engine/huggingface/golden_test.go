package huggingface_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/huggingface"
	"attnatlas/engine/nn"
)

// goldensVariable names a folder of checkpoints with results of the transformers library, laid out
// like testdata. All of them are compared, not only small ones.
const goldensVariable = "VIZ_GOLDENS"

// goldens returns the folders with expected numbers.
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

// TestGoldens compares attention, hidden states and scores with the results of the transformers library.
func TestGoldens(t *testing.T) {
	for _, dir := range goldens(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			if _, err := huggingface.ReadConfig(dir); err != nil && os.Getenv(goldensVariable) != "" &&
				strings.Contains(err.Error(), "known model types") {
				t.Skip(err) // an encoder–decoder
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

// TestContinued: a decoder that reads a text token by token with a KV cache gives the logits of one
// that reads it at once.
func TestContinued(t *testing.T) {
	for _, dir := range goldens(t) {
		m, err := huggingface.Open(dir)
		if err != nil || m.Config.Objective != encoder.NextWord || !m.Guesses() ||
			slices.Contains([]string{"dynamic", "longrope"}, m.Library.Form.Rope.Type) {
			continue // these rotary waves depend on the length of a text, and cached keys do not
		}
		raw, err := os.ReadFile(dir + huggingface.ExpectedSuffix)
		if err != nil {
			t.Fatal(err)
		}
		want, err := checkpoint.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		var ids []int
		for _, id := range want.Ints["ids.0"].Data {
			ids = append(ids, int(id))
		}
		reader, err := encoder.NewContinuer(m.Model)
		if err != nil {
			t.Fatal(err)
		}
		reader.Read(nn.NewPass(ad.NewFrozen()), ids[:len(ids)/2]...)
		for n, id := range ids[len(ids)/2:] {
			got := reader.Read(nn.NewPass(ad.NewFrozen()), id).Value.Data
			row := want.Arrays["logits.0"].Sub(len(ids)/2 + n).Data
			largest := float64(slices.Max(row))
			for i, w := range row {
				if d := math.Abs(float64(got[i] - w)); d > 1e-4*max(largest, 1) {
					t.Fatalf("%s: behind token %d the score of word %d is %g, wanted %g", filepath.Base(dir), len(ids)/2+n,
						i, got[i], w)
				}
			}
		}
		if reader.Len() != len(ids) {
			t.Errorf("%s has read %d of %d tokens", dir, reader.Len(), len(ids))
		}
	}
}
