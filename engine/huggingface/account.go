package huggingface

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/messages"
)

// count is a field of config.json with the number of modules of a kind, which the names of
// the weights imply too.
type count struct {
	field string
	value int
	// module is the library's name of one, whose last # is its number, from 0; other #
	// are any numbers.
	module string
}

// counts are the counts of a model type. The depth of ALBERT's shared layers is in
// config.json only.
func (c Config) counts() []count {
	switch c.ModelType {
	case "gpt2":
		return []count{{"n_layer", c.GPTLayers, "transformer.h.#"}}
	case "albert":
		const group = "albert.encoder.albert_layer_groups.#"
		return []count{{"num_hidden_groups", c.Groups, group}, {"inner_group_num", c.InEach, group + ".albert_layers.#"}}
	}
	return []count{{"num_hidden_layers", c.Layers, "bert.encoder.layer.#"}}
}

// numbers are the module's numbers in the names, each with its tensors in alphabetical
// order.
func (n count) numbers(names []string) map[int][]string {
	pattern := regexp.MustCompile(`^` + strings.ReplaceAll(regexp.QuoteMeta(n.module), "#", `(\d{1,9})`) + `\.`)
	found := map[int][]string{}
	for _, name := range slices.Sorted(slices.Values(names)) {
		if m := pattern.FindStringSubmatch(name); m != nil {
			k, _ := strconv.Atoi(m[len(m)-1]) // digits
			found[k] = append(found[k], name)
		}
	}
	return found
}

// check refuses a number of modules that the names contradict.
func (n count) check(names []string) error {
	found := n.numbers(names)
	var beyond []string
	fits := 0
	for _, k := range slices.Sorted(maps.Keys(found)) {
		fits = k + 1
		if k >= n.value {
			beyond = append(beyond, found[k]...)
		}
	}
	if len(beyond) > 0 {
		return messages.Errorf("huggingface.fewer", "field", n.field, "value", strconv.Itoa(n.value), "left", len(beyond), "arrays", first(beyond), "fits", strconv.Itoa(fits))
	}
	for k := range n.value {
		if _, ok := found[k]; !ok {
			at := strings.LastIndexByte(n.module, '#')
			return messages.Errorf("huggingface.more", "field", n.field, "value", strconv.Itoa(n.value), "modules", len(found), "module", n.module[:at]+strconv.Itoa(k))
		}
	}
	return nil
}

// first lists the first few names.
func first(names []string) string {
	const few = 3
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:few], ", ") + ", …"
}

var (
	// trunk matches the tensors of the encoder, without heads.
	trunk = regexp.MustCompile(`^(bert|albert|transformer\.(h|wte|wpe|ln_f))\.`)
	// constants matches tensors without trained numbers: position numbers and masks.
	constants = regexp.MustCompile(`\.(position_ids|token_type_ids|attn\.bias|attn\.masked_bias)$`)
)

// unaccounted refuses unused tensors of the trunk. Heads for other tasks may be unused.
func unaccounted(unused []string) error {
	var left []string
	for _, name := range unused {
		if trunk.MatchString(name) && !constants.MatchString(name) {
			left = append(left, name)
		}
	}
	if len(left) == 0 {
		return nil
	}
	return messages.Errorf("huggingface.unaccounted", "left", len(left), "arrays", first(left))
}
