package verify

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"attnatlas/engine/attention"
	"attnatlas/engine/trace"
)

// network is a shuffle-exchange network of the case's sizes.
func (r *run) network(e attention.Entry, o options) forward {
	var config struct {
		Blocks int `json:"n_blocks"`
	}
	r.read(&config)
	o["blocks"] = strconv.Itoa(config.Blocks)
	r.show = func(shown *trace.Run) {
		if m, ok := shown.Find("wiring"); ok { // the first stage, and the last shuffling stage, if there is one
			r.put("perm_rol", m.Value.Sub(0))
			r.put("perm_ror", m.Value.Sub(max(m.Value.Dim(0)-2, 0)))
		}
	}
	x := r.input("x")
	return r.mixer(e.New, attention.Config{Width: x.Dim(-1), Heads: 1, Length: max(x.Dim(1), 1), Options: o})
}

// shuffle reads shuffle_network of tensor2tensor.
func shuffle(r *run) forward { return r.network(attention.ShuffleExchange, options{}) }

// residualShuffle reads the two networks of LUMII-Syslab/RSE. They differ in the names of their
// switches and in the stages that share one.
func residualShuffle(r *run) forward {
	var tied struct {
		Inner bool `json:"tied_inner"` // the stages of half a block share a switch
		Outer bool `json:"tied_outer"` // the blocks share their switches
	}
	r.read(&tied)
	heavy, prefix := true, ""
	for name := range r.Weights.Arrays {
		if before, ok := strings.CutSuffix(name, "last/residual"); ok {
			prefix = before
		} else if before, ok := strings.CutSuffix(name, "last_layer/residual"); ok {
			heavy, prefix = false, before
		}
	}
	sharing := "none"
	switch {
	case tied.Inner && !heavy:
		sharing = "position"
	case tied.Inner && tied.Outer:
		sharing = "all"
	case tied.Inner:
		sharing = "half"
	}
	if tied.Outer && !tied.Inner {
		fail("sharing")
	}
	forward := r.network(attention.ResidualShuffleExchange, options{"sharing": sharing})
	length := r.input("x").Dim(1)
	r.weight = func(param string) []string {
		place, leaf, _ := strings.Cut(param, "/")
		full := prefix + switchName(place, heavy, length) + "/" + r.names.Leaves[leaf]
		return []string{full, none} // a short text has fewer stages
	}
	return forward
}

// switchName translates "block 1 forward 2". The reference counts blocks and stages from 0. Its
// lighter network counts stages through the block and has special names for two of them.
func switchName(ours string, heavy bool, length int) string {
	_, numbers := unnumbered(ours)
	if len(numbers) == 0 { // the last switch, or one shared by all blocks
		if ours == "last" && !heavy {
			return "last_layer"
		}
		return ours
	}
	kind, name := strings.Fields(ours)[2], ""
	if len(numbers) > 1 {
		stage, half := numbers[1]-1, bits.Len(uint(length-1))-1
		switch {
		case heavy:
		case kind == "forward" && stage == 0:
			kind = "first"
		case kind == "reverse" && stage == half-1:
			kind, stage = "middle", half
		case kind == "reverse":
			stage = 2*half - 1 - stage
		}
		name = fmt.Sprintf("_%d", stage)
	}
	if !heavy {
		kind = map[string]string{"first": "first_layer", "forward": "forward", "middle": "middle_layer",
			"reverse": "backward"}[kind]
	}
	return fmt.Sprintf("%d_%s%s", numbers[0]-1, kind, name)
}
