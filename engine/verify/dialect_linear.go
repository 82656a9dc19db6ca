package verify

import (
	"math"
	"strconv"

	"attnatlas/engine/attention"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// The references of the mixers whose work grows linearly.
var linearDialects = map[string]dialect{
	"linformer_lucidrains": {entry: attention.Linformer, config: lucidrainsConfig, weights: tabled(lucidrainsLinears), names: renamed(lucidrainsSteps), derived: lucidrainsDerived},
	"linformer_fairseq":    {entry: attention.Linformer, config: fairseqConfig, weights: tabled(fairseqLinears), names: renamed(fairseqSteps), timeMajor: true},
	"linear_attention":     {entry: attention.Linear, config: idiapConfig, weights: idiapWeights, names: renamed(idiapSteps)},
}

func lucidrainsConfig(c *Case) (attention.Config, error) {
	k, err := c.weight("to_k.weight")
	if err != nil {
		return attention.Config{}, err
	}
	e, err := c.weight("proj_k")
	if err != nil {
		return attention.Config{}, err
	}
	knobs := map[string]string{"slots": strconv.Itoa(e.Dim(1)), "order": "project-first"}
	if k.Dim(0) != k.Dim(1) {
		knobs["kv-heads"] = "one"
	}
	if c.Weights.Arrays["to_v.weight"] == nil {
		knobs["values"] = "keys"
	}
	if c.Weights.Arrays["proj_v"] == nil {
		knobs["compression"] = "shared"
	}
	return attention.Config{Width: k.Dim(1), Heads: c.Config.Heads, Length: e.Dim(0), Knobs: knobs}, nil
}

var lucidrainsLinears = map[string]string{"W_Q": "to_q.weight", "W_K": "to_k.weight", "W_V": "to_v.weight",
	"E": "proj_k", "F": "proj_v", "W_O": "to_out.weight", "b_O": "to_out.bias"}

var lucidrainsSteps = map[string]string{"q": "to_q.0", "k": "to_k.0", "v": "to_v.0", "k slots": "kv_projected.0", "v slots": "kv_projected.1",
	"weights": "attn.0", "implied": "implied_NxN", "mixed": "to_out.in.0"}

// lucidrainsDerived: the reference scales its scores later, and shows the
// compressed values even when they are the keys.
func lucidrainsDerived(c attention.Config, run *trace.Run) map[string]*tensor.T {
	out := map[string]*tensor.T{}
	if s, ok := run.Find("scores"); ok {
		t := tensor.New(s.Value.Shape...)
		tensor.Scale(t.Data, tensor.Elem(math.Sqrt(float64(c.HeadWidth()))), s.Value.Data)
		out["dots_unscaled.0"] = t
	}
	if _, ok := run.Find("v slots"); !ok {
		k, _ := run.Find("k slots")
		out["kv_projected.1"] = k.Value
	}
	return out
}

func fairseqConfig(c *Case) (attention.Config, error) {
	q, err := c.weight("q_proj.weight")
	if err != nil {
		return attention.Config{}, err
	}
	e, err := c.weight("compress_k.weight")
	if err != nil {
		return attention.Config{}, err
	}
	knobs := map[string]string{"slots": strconv.Itoa(e.Dim(0)), "order": "compress-first"}
	if c.Weights.Arrays["compress_v.weight"] == nil {
		knobs["compression"] = "shared"
	}
	return attention.Config{Width: q.Dim(0), Heads: c.Config.Heads, Length: e.Dim(1), Knobs: knobs}, nil
}

var fairseqLinears = map[string]string{"E": "compress_k.weight" + transposed, "F": "compress_v.weight" + transposed,
	"W_Q": "q_proj.weight", "W_K": "k_proj.weight", "W_V": "v_proj.weight", "W_O": "out_proj.weight",
	"b_Q": "q_proj.bias", "b_K": "k_proj.bias", "b_V": "v_proj.bias", "b_O": "out_proj.bias"}

var fairseqSteps = map[string]string{"q": "q_proj.0", "k input": "k_input_compressed.0", "v input": "v_input_compressed.0",
	"k slots": "k_proj.0", "v slots": "v_proj.0", "weights": "attn", "implied": "implied_NxN"}

func idiapConfig(c *Case) (attention.Config, error) {
	q, err := c.weight("query_projection.weight")
	if err != nil {
		return attention.Config{}, err
	}
	x, err := c.input("x")
	if err != nil {
		return attention.Config{}, err
	}
	return attention.Config{Width: q.Dim(0), Heads: c.Config.Heads, Length: x.Dim(1)}, nil
}

var idiapLinears = map[string]string{"Q": "query_projection.", "K": "key_projection.", "V": "value_projection.", "O": "out_projection."}

func idiapWeights(param string, _ attention.Config) []string {
	return []string{idiapLinears[param[2:]] + kind(param)}
}

var idiapSteps = map[string]string{"q": "query_projection", "k": "key_projection", "v": "value_projection", "phi q": "phi_q", "phi k": "phi_k",
	"weights": "implied_NxN", "state": "kv_state", "mixed": "out_projection.in"}
