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

// Architecture is a family of models of the library: what its config.json says, and how its tensors are called. Each
// is a file of architectures/.
type Architecture struct {
	Types    []string // values of model_type
	Like     string   // the family whose file this one continues
	Prefixes []string // of the names of the trunk, which a file can leave out
	Words    []string // the classes that score words without a tensor of their own for it
	Encoders []string // of a pair, the classes that are its encoder alone
	Bare     []string // the classes of a pair that score nothing; those of no list are not known
	Optional []string // modules, or their biases, that a file can leave out

	Form   Form                // what every model of the family has, and the library's defaults
	Fields map[string][]string // options of Form: the fields of config.json that set them, the first that is there
	None   []string            // options that null turns off; of all others it leaves the default
	First  []string            // options of which the first field that is there counts, whatever others say
	Acts   map[string]string   // activations that the family takes for others
	Waves  map[string]string   // likewise values of rope_type
	Must   map[string]any      // values that fields must have where they are there

	// Our modules: the library's. # is the number of a layer, names with | between them are alternatives, and behind = is
	// the name of a tensor. Modules of a pair's decoder begin with decoder/.
	Trunk  map[string]string // below the prefix
	Beside map[string]string // without the prefix
	Parts  map[string]string // modules that are a part of a tensor: "1 of 3, turned"; grouped and joined: see fused
	When   map[string]string // modules, or their biases, that a model has only with an option of Form
	Heads  []Head
}

// Head scores classes. Its modules are NAME/dense, NAME/norm and NAME/class, of which a family may have the last alone.
type Head struct {
	Name    string
	Classes []string // of the library, by their ends: "ForSequenceClassification"
	Reads   string   // pooled, first, last, mean, or every token; form: as the option pooling says
	Act     string   // behind the dense module; form and guess: that of the layers or of the word scores
	Labels  []string // empty: those of config.json
	Pair    bool     // it reads two texts
}

//go:embed architectures/*.toml
var files embed.FS

// architectures are the known families by model_type.
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

// decode reads the file of a family over that of the family that it is like.
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
	a.Heads = nil // of elements that are there already, fields would stay
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
		panic(fmt.Sprintf("huggingface: architectures/%s.toml: %v", name, err)) // it is part of the program
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
	Names []string // of the tensor, "pooler.dense.weight", without a prefix; the first that is there
	Trunk bool     // the names stand below the prefix
	// Turned: the tensor is [in,out], ours [out,in] (the library's Conv1D).
	Turned bool
	// Part of Parts: ours is this slice, counted from 0, of the tensor's outputs.
	Part, Parts int
	fused       string // how queries, keys and values of all heads lie in the tensor
	// units of the tensor's outputs, of which all are alike, that are ours one after the other; nil: Part is
	units []int
	all   int // units of the tensor
}

var number = regexp.MustCompile(`(layer|group|head) (\d+)`)

// place finds the weight or the bias of a module: "layer 1/mixer/Q".
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
			panic(fmt.Sprintf("huggingface: %s: %q is not a part", pattern, part)) // it is part of the program
		}
		p.Part--
		p.Turned = strings.HasSuffix(part, "turned") && kind == "weight"
	}
	return p, true
}

// PlaceOf finds a parameter by our name, "layer 1/mixer/W_Q", in the state dict of a model type. Its names have the
// family's prefix.
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

// moduleOf is the module of a parameter, and which of its tensors it is.
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
