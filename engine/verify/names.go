package verify

import (
	"cmp"
	_ "embed"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/tensor"

	"github.com/BurntSushi/toml"
)

//go:embed names.toml
var namesFile string

// tables holds the names of all references.
var tables = readNames()

func readNames() map[string]*names {
	all := map[string]*names{}
	if _, err := toml.Decode(namesFile, &all); err != nil {
		panic("verify: names.toml: " + err.Error())
	}
	return all
}

// names are the names of a reference, as documented in names.toml.
type names struct {
	Weights   map[string]string
	Leaves    map[string]string
	Values    map[string]string
	Inputs    []string
	Maps      []string
	Scores    []string
	TimeMajor []string `toml:"time-major"`
	Padding   bool     // a penalty masks padding; texts of padding only lose precision
}

// inputs are the arrays of a case that are inputs, not results.
var inputs = []string{"x", "loss_w", "loss_w.*", "mask", "mask01", "key_mask", "attention_mask",
	"attention_mask_additive", "input_ids"}

// given reports whether an array is an input.
func (n *names) given(name string) bool { return matches(inputs, name) || matches(n.Inputs, name) }

// turn swaps the first two axes of the arrays that are [N,B,…] in the reference.
func (n *names) turn(arrays map[string]*tensor.T) {
	for name, t := range arrays {
		if matches(n.TimeMajor, name) {
			arrays[name] = permuted(t, 1, 0)
		}
	}
}

// matches reports whether a name matches one of the patterns.
func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		ok, _ := path.Match(pattern, name)
		return ok
	})
}

// value returns the reference's names of one of our values.
func (n *names) value(ours string) []string {
	pattern, numbers := unnumbered(ours)
	list := strings.Fields(n.Values[pattern])
	for i := range list {
		list[i] = numbered(list[i], numbers)
	}
	return list
}

// theirs returns the reference's names of one of our outputs or inputs, or our own name if there is no
// entry.
func (n *names) theirs(ours string) []string {
	if list := n.value(ours); len(list) > 0 {
		return list
	}
	return []string{ours}
}

// weight returns the possible places of one of our parameters. The first that exists in the case
// counts.
func (n *names) weight(param string) []string {
	pattern, numbers := unnumbered(param)
	module, leaf := path.Split(pattern)
	kind := cmp.Or(n.Leaves[leaf], map[byte]string{'W': "weight", 'g': "weight"}[leaf[0]], "bias")
	keys := []string{pattern, strings.TrimSuffix(module, "/")}
	if letter, named := strings.CutPrefix(leaf[1:], "_"); named {
		keys = append(keys, module+letter)
	}
	for _, key := range keys {
		if places, ok := n.Weights[key]; ok {
			var list []string
			for place := range strings.SplitSeq(strings.ReplaceAll(places, "%", kind), "|") {
				list = append(list, numbered(strings.TrimSpace(place), numbers))
			}
			return list
		}
	}
	return nil
}

var number = regexp.MustCompile(` (\d+)`)

// unnumbered splits "layer 2/ffn/W_1" into "layer #/ffn/W_1" and 2.
func unnumbered(name string) (pattern string, numbers []int) {
	for _, found := range number.FindAllStringSubmatch(name, -1) {
		n, _ := strconv.Atoi(found[1]) // digits
		numbers = append(numbers, n)
	}
	return number.ReplaceAllString(name, " #"), numbers
}

// numbered inserts numbers into a name: n for "##", n - 1 for "#".
func numbered(name string, numbers []int) string {
	for _, n := range numbers {
		sign := "#"
		if strings.Contains(name, "##") {
			sign = "##"
		} else {
			n--
		}
		name = strings.Replace(name, sign, strconv.Itoa(n), 1)
	}
	return name
}
