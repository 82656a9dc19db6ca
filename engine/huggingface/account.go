package huggingface

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/messages"
)

// count is a field of config.json that says how many modules of a kind there are; the
// names of the weights say it too.
type count struct {
	field string
	value int
	// module is the library's name of one, whose last # is its number, from 0; other #
	// are any numbers.
	module string
}

// counts are those of a model type. How often ALBERT's shared layers run is in no
// file but config.json.
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

// numbers are those that the names have for the module, each with its tensors in
// alphabetical order.
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

// check refuses another number of modules than the names have.
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

// first names the first few of many.
func first(names []string) string {
	const few = 3
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:few], ", ") + ", …"
}

var (
	// trunk are the tensors that every text passes through, whatever is asked of it.
	trunk = regexp.MustCompile(`^(bert|albert|transformer\.(h|wte|wpe|ln_f))\.`)
	// constants are tensors that hold what the engine knows: numbers of positions,
	// masks, and what a mask writes.
	constants = regexp.MustCompile(`\.(position_ids|token_type_ids|attn\.bias|attn\.masked_bias)$`)
)

// unaccounted refuses tensors that change what the trunk computes, if they are left
// out. Heads for other tasks do not.
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
