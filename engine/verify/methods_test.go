package verify_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"attnatlas/engine/disk"
	"attnatlas/engine/tensor"
	"attnatlas/engine/verify"
)

// asked copies a case of testdata as a case of an attribution method with arrays of these shapes.
func asked(t *testing.T, method, base string, want map[string][]int) *verify.Case {
	t.Helper()
	from, to := filepath.Join("testdata", base), filepath.Join(t.TempDir(), method, "case")
	if err := os.MkdirAll(to, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"config.json", "weights.safetensors", "io.safetensors"} {
		data, err := disk.Read(filepath.Join(from, name), 1<<30)
		if err == nil && name == "config.json" {
			config := map[string]any{}
			err = json.Unmarshal(data, &config)
			config["base_golden"] = base
			data, _ = json.Marshal(config)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	c, err := verify.Open(to)
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(c.IO.Arrays, func(name string, _ *tensor.T) bool {
		return strings.HasPrefix(name, "grad.") || strings.HasPrefix(name, "loss")
	})
	for name, shape := range want {
		c.IO.Arrays[name] = tensor.New(shape...)
	}
	return c
}

// TestMethodsOfEveryReference: cases of the methods can use the weights of any reference whose
// mixers have values. The change after zeroing a value is as long as its terms.
func TestMethodsOfEveryReference(t *testing.T) {
	for _, c := range []struct {
		base  string
		layer string // layer name in the arrays of models
		b, n  int
	}{
		{"seed003_vanilla/pad_b2", "", 2, 12}, {"seed003_random/pad_per_sample_b2", "", 2, 12},
		{"seed003_fact_dense/pad_b2", "", 2, 12},
		{"seed003_mix_rdv/pad_per_sample_b2", "", 2, 12}, {"linear_attention/causal_b2_n12", "", 2, 12},
		{"linformer_lucidrains/share_kv_onehead", "", 1, 12},
		{"reformer_lsh/n32_r2_pad_b2", "", 2, 32}, {"reformer_local/n32_causal_pad_b2", "", 2, 32},
		{"longformer/n18_w4_global_pad_b2", ".1", 2, 18}, {"bigbird/n40_blk4_r2_pad_b2", ".0", 2, 40},
		{"albert/pad_b2_n12", ".1", 2, 12}, {"gpt2/pad_b2_n12", ".1", 2, 12},
	} {
		t.Run(c.base, func(t *testing.T) {
			shape := []int{c.b, c.n, c.n}
			zeroed := mustRun(t, asked(t, "value_zeroing", c.base,
				map[string][]int{"change_l2" + c.layer: shape, "map_mixer" + c.layer: shape})).Values
			norms := mustRun(t, asked(t, "norm", c.base, map[string][]int{"sum_afx_norm" + c.layer: shape})).Values
			change, sum, share := zeroed["change_l2"+c.layer], norms["sum_afx_norm"+c.layer], zeroed["map_mixer"+c.layer]
			if change == nil || sum == nil || share == nil {
				t.Fatal("nothing was computed")
			}
			total := 0.0
			for i, v := range change.Data {
				if v != sum.Data[i] {
					t.Fatalf("cell %d changes by %v, its terms are %v long", i, v, sum.Data[i])
				}
				total += float64(share.Data[i])
			}
			if rows := float64(c.b * c.n); !(total > 0.8*rows && total < rows+1e-4) {
				t.Errorf("%v rows of shares sum to %v", rows, total)
			}
		})
	}
}

// TestMethodsThatAreNotDefined: undefined methods return the reason, and methods that are not
// computed return a note.
func TestMethodsThatAreNotDefined(t *testing.T) {
	for method, want := range map[string]string{"value_zeroing": "has no values", "norm": "not a sum of values"} {
		c := asked(t, method, "fastformer_attn/batch2_n13", nil)
		if _, err := verify.Run(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", method, err)
		}
		if !c.LeftOut().IsZero() {
			t.Errorf("%s is left out", method)
		}
	}
	if why := asked(t, "aopc", "bert/n10_b1", nil).LeftOut().String(); !strings.Contains(why, "aopc/case: skipped") ||
		!strings.Contains(why, "sufficiency") {
		t.Error(why)
	}
}
