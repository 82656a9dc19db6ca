package verify

import (
	"slices"
	"testing"

	"github.com/BurntSushi/toml"
)

// TestNamesFile: every line of names.toml is valid, and every table is used.
func TestNamesFile(t *testing.T) {
	all := map[string]*names{}
	data, err := toml.Decode(namesFile, &all)
	if err != nil || len(data.Undecoded()) > 0 {
		t.Fatal(err, data.Undecoded())
	}
	for mechanism, ref := range references {
		delete(all, mechanism)
		delete(all, ref.table)
	}
	for table := range all {
		t.Errorf("no reference uses the names of %s", table)
	}
}

func TestNames(t *testing.T) {
	n := &names{
		Weights: map[string]string{"layer #/mixer/Q": "h.#.q.% | q_% 0/3", "layer #/norm": "n##.%", "last": "end/%",
			"R": "R @102"},
		Leaves: map[string]string{"rho": "scale"},
		Values: map[string]string{"layer #/y": "y.# hidden.##"},
	}
	for param, want := range map[string][]string{
		"layer 2/mixer/W_Q": {"h.1.q.weight", "q_weight 0/3"}, "layer 2/mixer/b_Q": {"h.1.q.bias", "q_bias 0/3"},
		"layer 12/norm/beta": {"n12.bias"}, "layer 1/norm/gamma": {"n1.weight"}, "last/rho": {"end/scale"},
		"R": {"R @102"}, "S": nil,
	} {
		if got := n.weight(param); !slices.Equal(got, want) {
			t.Errorf("%s is %q, not %q", param, got, want)
		}
	}
	if got := n.value("layer 3/y"); !slices.Equal(got, []string{"y.2", "hidden.3"}) {
		t.Errorf("a value is %q", got)
	}
}

func TestArranged(t *testing.T) {
	for how, want := range map[string][]int{"": {0, 1, 2, 3, 4, 5}, "@10": {0, 3, 1, 4, 2, 5}, "@10 1/3": {1, 4},
		"1/2": {3, 4, 5}} {
		if got := arranged([]int{2, 3}, how); !slices.Equal(got, want) {
			t.Errorf("%q of [2,3] is %v, not %v", how, got, want)
		}
	}
}
