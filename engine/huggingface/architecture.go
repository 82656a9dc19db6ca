package huggingface

import (
	"embed"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

// Architecture is a family of models of the transformers library: the meaning of its config.json,
// and the names of its tensors. Each family is a file of architectures/.
type Architecture struct {
	Types    []string // values of model_type
	Like     string   // family whose file this one extends
	Prefixes []string // possible prefixes of the trunk's names, which a file can leave out
	Words    []string // classes that compute logits without their own tensor
	Encoders []string // for a pair, classes with the encoder alone
	Bare     []string // classes of a pair without logits; classes in no list are unknown
	Optional []string // modules, or their biases, that a file can lack

	Form   Form                // common options of the family, and the library's defaults
	Fields map[string][]string // options of Form with their fields in config.json; the first existing field counts
	None   []string            // options that null turns off; for others null means the default
	First  []string            // options whose first existing field counts, even if later fields differ
	Acts   map[string]string   // activations that the family replaces
	Waves  map[string]string   // replacements for values of rope_type
	Must   map[string]any      // required values of fields, if the fields exist

	// Names of our modules and the library's. # is the number of a layer, | separates alternatives, and
	// a tensor's name follows =. Modules of a pair's decoder begin with decoder/.
	Trunk  map[string]string // below the prefix
	Beside map[string]string // without the prefix
	Parts  map[string]string // modules that are a part of a tensor: "1 of 3, turned"; grouped and joined: see fused
	When   map[string]string // modules, or their biases, that exist only with an option of Form
	Heads  []outputHead
}

// outputHead is an output head with scores for classes. Its modules are NAME/dense, NAME/norm and
// NAME/class; a family can have the last alone.
type outputHead struct {
	Name    string
	Classes []string // suffixes of the library's classes: "ForSequenceClassification"
	Reads   string   // input: pooled, first, last, mean, or every token; form: given by the option pooling
	Act     string   // activation after the dense module; form: as in the layers; guess: as for the logits
	Labels  []string // empty: labels of config.json
	Pair    bool     // it needs two texts
}

//go:embed architectures/*.toml
var files embed.FS

// architectures returns the known families by model_type.
var architectures = sync.OnceValue(func() map[string]*Architecture {
	all := map[string]*Architecture{}
	entries, _ := files.ReadDir("architectures") // embedded
	for _, e := range entries {
		a := &Architecture{}
		a.decode(strings.TrimSuffix(e.Name(), ".toml"))
		for _, t := range a.Types {
			all[t] = a
		}
	}
	return all
})

// decode reads the file of a family on top of the family that it extends.
func (a *Architecture) decode(name string) {
	raw, err := files.ReadFile(path.Join("architectures", name+".toml"))
	var begin struct{ Like string }
	if err == nil {
		err = toml.Unmarshal(raw, &begin)
	}
	if begin.Like != "" {
		a.decode(begin.Like)
	}
	inherited := a.Heads
	a.Heads = nil // otherwise fields of existing elements would remain
	if err == nil {
		var known toml.MetaData
		if known, err = toml.Decode(string(raw), a); err == nil && len(known.Undecoded()) > 0 {
			err = fmt.Errorf("unknown keys %v", known.Undecoded())
		}
	}
	if a.Heads == nil {
		a.Heads = inherited
	}
	if err != nil {
		panic(fmt.Sprintf("huggingface: architectures/%s.toml: %v", name, err)) // the file is part of the program
	}
}

// Types lists the known values of model_type.
func Types() []string {
	all := append(slices.Collect(maps.Keys(architectures())), ModuleType)
	slices.Sort(all)
	return all
}

// Place is the location of one of our parameters in a state dict.
type Place struct {
	Names []string // names of the tensor, "pooler.dense.weight", without a prefix; the first existing one counts
	Trunk bool     // the names are below the prefix
	// Turned reports that the tensor is [in,out] and ours is [out,in] (the library's Conv1D).
	Turned bool
	// Part and Parts select slice Part, from 0, of the Parts equal slices of the tensor's outputs.
	Part, Parts int
	fused       string // layout of queries, keys and values of all heads in the tensor
	// units are the equal parts of the tensor's outputs that form our parameter, in order; nil: Part
	// selects
	units []int
	all   int // number of units in the tensor
}

var number = regexp.MustCompile(`(layer|group|head) (\d+)`)

// place returns the place of a module's weight or bias: "layer 1/mixer/Q".
func (a *Architecture) place(module, kind string) (Place, bool) {
	pattern := number.ReplaceAllString(module, "$1 #")
	names, trunk := a.Trunk[pattern]
	if names == "" {
		names, trunk = a.Beside[pattern], false
	}
	if names == "" {
		return Place{}, false
	}
	p := Place{Trunk: trunk, Parts: 1, Names: strings.Split(names, "|")}
	for i := range p.Names {
		for _, found := range number.FindAllStringSubmatch(module, -1) {
			n, _ := strconv.Atoi(found[2]) // digits
			p.Names[i] = strings.Replace(p.Names[i], "#", strconv.Itoa(n-1), 1)
		}
		if exact, ok := strings.CutPrefix(p.Names[i], "="); ok {
			p.Names[i] = exact
		} else {
			p.Names[i] += "." + kind
		}
	}
	switch part := a.Parts[pattern]; part {
	case "":
	case grouped, joined:
		p.fused = part
	default:
		if _, err := fmt.Sscanf(part, "%d of %d", &p.Part, &p.Parts); err != nil {
			panic(fmt.Sprintf("huggingface: %s: %q is not a part", pattern, part)) // the file is part of the program
		}
		p.Part--
		p.Turned = strings.HasSuffix(part, "turned") && kind == "weight"
	}
	return p, true
}

// PlaceOf returns the place of a parameter with our name, "layer 1/mixer/W_Q", in the state dict of
// a model type. The place's names have the family's prefix.
func PlaceOf(modelType, param string) (Place, error) {
	a, ok := architectures()[modelType]
	if !ok {
		return Place{}, fmt.Errorf("huggingface: there is no family %q", modelType)
	}
	module, kind := moduleOf(param)
	p, ok := a.place(module, kind)
	if !ok {
		return Place{}, fmt.Errorf("huggingface: %s has nothing like the parameter %q", modelType, param)
	}
	if p.Trunk {
		for i := range p.Names {
			p.Names[i] = a.Prefixes[0] + p.Names[i]
		}
	}
	return p, nil
}

// moduleOf splits a parameter's name into its module and its kind.
func moduleOf(param string) (module, kind string) {
	at := strings.LastIndexByte(param, '/')
	module, leaf := param[:max(at, 0)], param[at+1:]
	kind = "weight"
	switch {
	case leaf == "beta", leaf == "b":
		return module, "bias"
	case leaf == "gamma":
		return module, kind
	case strings.HasPrefix(leaf, "W_"):
		module += "/" + leaf[2:]
	case strings.HasPrefix(leaf, "b_"):
		module, kind = module+"/"+leaf[2:], "bias"
	default:
		module = param
	}
	return strings.TrimPrefix(module, "/"), kind
}
