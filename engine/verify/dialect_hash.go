package verify

import (
	"fmt"
	"strconv"
	"strings"

	"attnatlas/engine/attention"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// hashDialects are those of the mechanisms without a matrix of pairs: by hashing, by
// neighbourhood and by shuffling.
var hashDialects = map[string]dialect{
	"shuffle_exchange": {bind: bindShuffle},
	"rse":              {bind: bindResidualShuffle},
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
