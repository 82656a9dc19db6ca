package verify

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// hashDialects are those of the mechanisms without a matrix of pairs: by hashing, by
// neighbourhood and by shuffling.
var hashDialects = map[string]dialect{
	"reformer_lsh":     {bind: bindLSH, elementwise: reformerTolerance, inputs: []string{"attention_mask", "rotations.0"}},
	"reformer_local":   {bind: bindLocal, elementwise: reformerTolerance, inputs: []string{"attention_mask"}},
	"shuffle_exchange": {bind: bindShuffle},
	"rse":              {bind: bindResidualShuffle},
}

// bindLSH reads LSHSelfAttention of Hugging Face's transformers: the layer without its
// output projection, with given rotations.
func bindLSH(c *Case) (dialect, error) {
	hf := c.Config.HF
	if hf.Heads == 0 {
		return dialect{}, fmt.Errorf("verify: %s/%s: config.json has no hf_config", c.Mechanism, c.Name)
	}
	factors, err := bucketFactors(hf.Buckets)
	if err != nil {
		return dialect{}, fmt.Errorf("verify: %s/%s: %w", c.Mechanism, c.Name, err)
	}
	buckets, half := 1, 0
	for _, f := range factors {
		buckets, half = buckets*f, half+f/2
	}
	rotations, hashed := c.IO.Arrays["rotations.0"]
	if want := []int{hf.Heads, hf.HeadWidth, hf.Rounds, half}; hashed && !slices.Equal(rotations.Shape, want) {
		return dialect{}, fmt.Errorf("verify: %s/%s: rotations.0 has shape %v, wanted %v", c.Mechanism, c.Name, rotations.Shape, want)
	}
	if m, ok := c.IO.Ints["attention_mask"]; ok && slices.Contains(m.Data, 0) {
		buckets++ // that of padding
	}
	d := reformerDialect(hf.HeadWidth, factors, map[string]string{
		"attention": "lsh", "rounds": strconv.Itoa(hf.Rounds), "chunk": strconv.Itoa(hf.LSHChunk),
		"before": strconv.Itoa(hf.LSHBefore), "after": strconv.Itoa(hf.LSHAfter),
	})
	core := d.entry.New
	d.entry.New = func(s *nn.Scope, cfg attention.Config) (attention.Mixer, error) {
		m, err := core(s, cfg)
		if err != nil || !hashed {
			return m, err
		}
		return attention.WithRotations(m, rotations), nil
	}
	d.weights = tabled(map[string]string{"W_QK": "query_key.weight", "W_V": "value.weight"})
	d.names = func(m trace.Map) map[string]*tensor.T { return lshNames(m, buckets) }
	return d, nil
}

// bindLocal reads LocalSelfAttention of the same.
func bindLocal(c *Case) (dialect, error) {
	hf := c.Config.HF
	if hf.Heads == 0 {
		return dialect{}, fmt.Errorf("verify: %s/%s: config.json has no hf_config", c.Mechanism, c.Name)
	}
	d := reformerDialect(hf.HeadWidth, nil, map[string]string{
		"attention": "local", "chunk": strconv.Itoa(hf.LocalChunk),
		"before": strconv.Itoa(hf.LocalBefore), "after": strconv.Itoa(hf.LocalAfter),
	})
	d.weights = tabled(map[string]string{"W_Q": "query.weight", "W_K": "key.weight", "W_V": "value.weight"})
	d.names = renamed(map[string]string{"q": "query.0", "k": "key.0", "v": "value.0", "window weights": "probs_chunked", "weights": "dense"})
	return d, nil
}

func reformerDialect(width int, factors []int, knobs map[string]string) dialect {
	return dialect{
		config: func(c *Case) (attention.Config, error) {
			x, err := c.input("x")
			if err != nil {
				return attention.Config{}, err
			}
			return attention.Config{Width: x.Dim(x.Rank() - 1), Heads: c.Config.HF.Heads, Length: c.Config.HF.MaxLen, Knobs: knobs}, nil
		},
		entry: attention.Entry{New: func(s *nn.Scope, cfg attention.Config) (attention.Mixer, error) {
			return attention.NewReformerCore(s, cfg, width, factors)
		}},
	}
}

// bucketFactors reads a number or a list of numbers.
func bucketFactors(raw json.RawMessage) ([]int, error) {
	var one int
	if err := json.Unmarshal(raw, &one); err == nil && one > 0 {
		return []int{one}, nil
	}
	var many []int
	if err := json.Unmarshal(raw, &many); err != nil || len(many) == 0 {
		return nil, fmt.Errorf("num_buckets is %q, wanted a number or its factors", raw)
	}
	return many, nil
}

var lshSteps = renamed(map[string]string{
	"qk": "query_key.0", "v": "value.0", "round logits": "lsh_logits_sorted.0", "window weights": "lsh_probs.0",
	"weights by round": "dense_per_round", "round weights": "round_weights", "weights": "dense",
})

// lshNames names what hashing shows. The reference numbers the buckets of all rounds, and
// the places of all rounds, one after the other.
func lshNames(m trace.Map, buckets int) map[string]*tensor.T {
	switch m.Name {
	case "buckets": // [H,R,N]
		v := byRound(m.Value, buckets)
		return map[string]*tensor.T{"buckets": v, "buckets_flat.0": flatRounds(v)}
	case "order": // [H,R,N], chunks being full
		place := flatRounds(byRound(m.Value, m.Value.Dim(-1)))
		undo := tensor.New(place.Shape...)
		for h := range place.Dim(0) {
			for i, from := range place.Sub(h).Data {
				undo.Sub(h).Data[int(from)] = tensor.Elem(i)
			}
		}
		return map[string]*tensor.T{"token_idx_sorted.0": flatRounds(m.Value), "sorted_idx.0": place, "undo_idx.0": undo}
	}
	return lshSteps(m)
}

// byRound adds r·step to the values of round r: [H,R,N].
func byRound(v *tensor.T, step int) *tensor.T {
	v = v.Clone()
	for i := range v.Data {
		v.Data[i] += tensor.Elem(i / v.Dim(2) % v.Dim(1) * step)
	}
	return v
}

func flatRounds(v *tensor.T) *tensor.T { return v.Reshape(v.Dim(0), v.Dim(1)*v.Dim(2)) }

// With several rounds, a word that finds nobody but itself has the score −10⁵, whose last
// place in float32 is 0.0078: so inexact are the reference's own weights of such a row.
// What it computed in float64, out_f64, is as exact as everything else.
const (
	lonelyScore     = -9e4
	lonelyTolerance = 1.4e-2
)

// reformerTolerance is that of the rule, element by element, with one exception: rows of
// words that are alone in every round. The reference's rounding error, which is that of
// those rows, counts for gradients only.
func reformerTolerance(c *Case, name string, want *tensor.T) func(i int) float64 {
	if strings.HasPrefix(name, "grad.") {
		return nil
	}
	usual := func(i int) float64 { return max(valueTolerance, relativeTolerance*math.Abs(float64(want.Data[i]))) }
	switch name {
	case "dense", "dense_per_round", "round_weights", "lsh_probs.0", "probs_chunked":
		usual = func(int) float64 { return mapTolerance }
	}
	alone := lonelyWords(c, name, want)
	if alone == nil {
		return usual
	}
	return func(i int) float64 {
		if alone(i) {
			return lonelyTolerance
		}
		return usual(i)
	}
}

// lonelyWords says of the elements of an array whether the exception applies; nil where it
// does for none.
func lonelyWords(c *Case, name string, want *tensor.T) func(i int) bool {
	logits, at := c.IO.Arrays["lsh_logits_sorted.0"], c.IO.Ints["token_idx_sorted.0"]
	if c.Config.HF.Rounds < 2 || logits == nil || at == nil || logits.Len() != len(at.Data) || logits.Rank() != 3 {
		return nil
	}
	heads, rounds, places := c.Config.HF.Heads, c.Config.HF.Rounds, logits.Dim(2)
	n := places / rounds
	in := make([]bool, logits.Len()) // [B,H,R,N]: alone in this round
	for i, z := range logits.Data {
		in[(i/places*rounds+i%places/n)*n+int(at.Data[i])] = z < lonelyScore
	}
	always := func(plane, token int) bool {
		for r := range rounds {
			if !in[(plane*rounds+r)*n+token] {
				return false
			}
		}
		return true
	}
	switch name {
	case "out": // [B,N,H·d_h]
		d := want.Dim(2)
		return func(i int) bool { return always(i/(n*d)*heads+i%d/(d/heads), i/d%n) }
	case "dense": // [B,H,N,N]
		return func(i int) bool { return always(i/(n*n), i/n%n) }
	case "round_weights": // [B,H,R,N]
		return func(i int) bool { return always(i/(rounds*n), i%n) }
	case "dense_per_round": // [B,H,R,N,N]
		return func(i int) bool { return in[i/n] }
	case "lsh_probs.0": // [B,H,R·N/c,c,W]
		return func(i int) bool { return logits.Data[i/want.Dim(4)] < lonelyScore }
	}
	return nil
}

// bindShuffle reads shuffle_network of tensor2tensor.
func bindShuffle(c *Case) (dialect, error) {
	return dialect{
		entry: attention.ShuffleExchange, config: networkConfig(nil),
		weights: func(param string, _ attention.Config) []string {
			place, name, _ := strings.Cut(param, "/")
			if block, half, ok := strings.Cut(strings.TrimPrefix(place, "block "), " "); ok {
				k, _ := strconv.Atoi(block)
				place = fmt.Sprintf("benes_block_%d/%s", k-1, map[string]string{"forward": "forward/switch", "reverse": "reverse/reverse_switch"}[half])
			} else {
				place = "last_layer"
			}
			return []string{place + "/" + shuffleParams[name]}
		},
		names: networkNames,
	}, nil
}

var shuffleParams = map[string]string{
	"W_r1": "reset1/c/CvK" + transposed, "b_r1": "reset1/c/CvB", "W_r2": "reset2/c/CvK" + transposed, "b_r2": "reset2/c/CvB",
	"W_c1": "cand1/c/CvK" + transposed, "b_c1": "cand1/c/CvB", "W_c2": "cand2/c/CvK" + transposed, "b_c2": "cand2/c/CvB",
	"W_g": "g/CvK" + transposed, "b_g": "g/CvB", "rho": "residual_scale",
}

// networkConfig reads the sizes of a shuffle-exchange network.
func networkConfig(knobs map[string]string) func(c *Case) (attention.Config, error) {
	return func(c *Case) (attention.Config, error) {
		x, err := c.input("x")
		if err != nil {
			return attention.Config{}, err
		}
		all := map[string]string{"blocks": strconv.Itoa(c.Config.Blocks)}
		for k, v := range knobs {
			all[k] = v
		}
		return attention.Config{Width: x.Dim(x.Rank() - 1), Heads: 1, Length: max(x.Dim(1), 1), Knobs: all}, nil
	}
}

var stageNames = map[string]string{"switched": "switch_out", "shuffled": "shuffle_out", "gate logits": "gate_logit", "swapped": "swap_halves"}

// networkNames numbers what the stages show.
func networkNames(m trace.Map) map[string]*tensor.T {
	out := map[string]*tensor.T{}
	switch name, ok := stageNames[m.Name]; {
	case ok:
		for s := range m.Value.Dim(0) {
			out[fmt.Sprintf("%s.%d", name, s)] = m.Value.Sub(s)
		}
	case m.Name == "reach":
		out["reach_structural"] = m.Value
	case m.Name == "wiring": // the first stage, and the last that shuffles, if there is one
		out["perm_rol"], out["perm_ror"] = m.Value.Sub(0), m.Value.Sub(max(m.Value.Dim(0)-2, 0))
	}
	return out
}

// bindResidualShuffle reads the two networks of LUMII-Syslab/RSE, which differ in the names
// of their switches and in which stages share one.
func bindResidualShuffle(c *Case) (dialect, error) {
	heavy, prefix := true, ""
	for _, name := range c.Weights.Names() {
		if before, ok := strings.CutSuffix(name, "last/residual"); ok {
			prefix = before
		} else if before, ok := strings.CutSuffix(name, "last_layer/residual"); ok {
			heavy, prefix = false, before
		}
	}
	sharing := "none"
	switch {
	case !heavy && c.Config.TiedInner:
		sharing = "position"
	case heavy && c.Config.TiedInner && c.Config.TiedOuter:
		sharing = "all"
	case heavy && c.Config.TiedInner:
		sharing = "half"
	}
	if c.Config.TiedOuter && sharing != "all" && c.Config.Blocks > 1 {
		return dialect{}, fmt.Errorf("verify: %s/%s: switches shared between blocks but not inside them are not known here", c.Mechanism, c.Name)
	}
	return dialect{
		entry: attention.ResidualShuffleExchange, config: networkConfig(map[string]string{"sharing": sharing}),
		weights: func(param string, cfg attention.Config) []string {
			place, name, _ := strings.Cut(param, "/")
			full := prefix + switchName(place, heavy, cfg.Length) + "/" + residualParams[name]
			if _, ok := c.Weights.Arrays[strings.TrimSuffix(full, transposed)]; !ok {
				return []string{unused} // a text as short as this has no such stage
			}
			return []string{full}
		},
		names: networkNames,
	}, nil
}

var residualParams = map[string]string{
	"C_1": "cand1/c/CvK" + transposed, "o": "norm/c/norm_bias/offset", "C_2": "cand2/c/CvK" + transposed, "b_2": "cand2/c/CvB", "rho": "residual",
}

// switchName translates "block 1 forward 2". Blocks and stages count from 0 there.
func switchName(ours string, heavy bool, length int) string {
	words := strings.Fields(ours)
	if words[0] == "last" {
		if heavy {
			return "last"
		}
		return "last_layer"
	}
	if words[0] != "block" {
		return ours // shared by all blocks
	}
	block, _ := strconv.Atoi(words[1])
	kind := words[2]
	if len(words) == 4 {
		stage, _ := strconv.Atoi(words[3])
		return fmt.Sprintf("%d_%s", block-1, untiedName(kind, stage-1, heavy, length))
	}
	if !heavy {
		kind = map[string]string{"first": "first_layer", "forward": "forward", "middle": "middle_layer", "reverse": "backward"}[kind]
	}
	return fmt.Sprintf("%d_%s", block-1, kind)
}

// untiedName names the switch of a stage of half a block, counted from the outside; the
// other network counts through the block and has names for two of its stages.
func untiedName(kind string, stage int, heavy bool, length int) string {
	half := 0 // stages in half a block
	for 2<<half < length {
		half++
	}
	switch {
	case heavy:
		return fmt.Sprintf("%s_%d", kind, stage)
	case kind == "forward" && stage == 0:
		return "first_layer_0"
	case kind == "forward":
		return fmt.Sprintf("forward_%d", stage)
	case stage == half-1:
		return fmt.Sprintf("middle_layer_%d", half)
	}
	return fmt.Sprintf("backward_%d", 2*half-1-stage)
}
