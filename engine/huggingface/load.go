package huggingface

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/disk"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
)

// Model is an opened model of the library.
type Model struct {
	*encoder.Model
	Library Config
	// Unused are the tensors of the file that the model has no use for, such as
	// stored masks; Tied are those that repeat another one, as they must.
	Unused, Tied []string
}

// Is says whether a folder looks like a model of the library: it has a
// config.json that names an architecture, or the library's weights beside it.
func Is(dir string) bool {
	raw, err := disk.Read(filepath.Join(dir, configFile), longestText)
	if err != nil {
		return false
	}
	var c struct {
		ModelType     string   `json:"model_type"`
		Architectures []string `json:"architectures"`
	}
	if json.Unmarshal(raw, &c) == nil && (c.ModelType != "" || len(c.Architectures) > 0) {
		return true
	}
	for _, name := range [...]string{weightsFile, indexFile} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// Open reads a folder with config.json and model.safetensors, or the files that
// model.safetensors.index.json names.
func Open(dir string) (*Model, error) {
	raw, err := disk.Read(filepath.Join(dir, configFile), longestText)
	if err != nil {
		return nil, fileError(configFile, err)
	}
	c, err := ParseConfig(raw)
	if err != nil {
		return nil, err
	}
	f, err := stateDict(dir)
	if err != nil {
		return nil, err
	}
	return Load(c, f)
}

// Load builds the model and fills it from a state dict. Nothing is allocated that
// the state dict does not have.
func Load(c Config, f *checkpoint.File) (*Model, error) {
	config, err := c.Model()
	if err != nil {
		return nil, err
	}
	l := &loader{model: &Model{Library: c}, arrays: canonical(c.ModelType, f.Arrays), ints: canonical(c.ModelType, f.Ints), used: map[string]bool{}}
	for _, check := range []func(encoder.Config) error{l.sizes, l.shapes, l.rest, l.fill} {
		if err := check(config); err != nil {
			return nil, err
		}
	}
	return l.model, nil
}

type loader struct {
	model  *Model
	arrays map[string]*tensor.T // by the names of today
	ints   map[string]*checkpoint.Ints
	used   map[string]bool
}

// names lists the names of all tensors.
func (l *loader) names() []string {
	return slices.AppendSeq(slices.Collect(maps.Keys(l.arrays)), maps.Keys(l.ints))
}

// old matches names of earlier versions of the library.
var old = regexp.MustCompile(`LayerNorm\.(gamma|beta)$`)

// canonical renames arrays to the names of today's library: GPT-2's own files leave out the
// prefix of the model, and the first BERTs call the parts of a LayerNorm gamma and beta.
// An array whose name of today is another one's keeps its own.
func canonical[A any](modelType string, arrays map[string]A) map[string]A {
	out := make(map[string]A, len(arrays))
	for stored, a := range arrays {
		name := old.ReplaceAllStringFunc(stored, func(s string) string {
			return strings.NewReplacer("gamma", "weight", "beta", "bias").Replace(s)
		})
		if modelType == "gpt2" && !strings.HasPrefix(name, "transformer.") && !strings.HasPrefix(name, "lm_head.") {
			name = "transformer." + name
		}
		if _, taken := arrays[name]; taken {
			name = stored
		}
		out[name] = a
	}
	return out
}

// sizes refuses a configuration of another size than the weights have.
func (l *loader) sizes(config encoder.Config) error {
	for _, s := range l.model.Library.sizes(config) {
		if err := s.check(l); err != nil {
			return err
		}
	}
	for _, n := range l.model.Library.counts() {
		if err := n.check(l.names()); err != nil {
			return err
		}
	}
	return nil
}

// shapes finds every tensor that the model needs; all that are missing are named
// together.
func (l *loader) shapes(config encoder.Config) error {
	needed, err := params(config)
	if err != nil {
		return err
	}
	var missing []string
	for _, p := range needed {
		place, err := PlaceOf(l.model.Library.ModelType, p.name)
		if err != nil {
			return err
		}
		name, a := l.find(place.Name)
		switch {
		case a == nil:
			missing = append(missing, place.Name)
		case !place.Fits(a.Shape, p.shape):
			return messages.Errorf("huggingface.shape", "array", name, "shape", fmt.Sprint(a.Shape), "parameter", messages.Quote(p.name), "needed", fmt.Sprint(p.shape))
		default:
			l.used[name] = true
		}
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		missing = slices.Compact(missing)
		return l.lacks(missing)
	}
	return nil
}

// lacks is the error of missing tensors.
func (l *loader) lacks(missing []string) error {
	c, id := l.model.Library, "huggingface.missing"
	if c.Architecture() != c.full() {
		id = "huggingface.opened"
	}
	return messages.Errorf(id, "given", c.Architecture(), "class", c.full(), "missing", len(missing), "arrays", messages.List(missing))
}

// fill makes the model and copies every parameter.
func (l *loader) fill(config encoder.Config) error {
	m, err := encoder.New(config, 0)
	if err != nil {
		return err
	}
	for _, p := range m.Params {
		place, err := PlaceOf(l.model.Library.ModelType, p.Name)
		if err != nil {
			return err
		}
		name, a := l.find(place.Name)
		if err := checkpoint.Finite(name, a); err != nil {
			return err
		}
		place.Read(p.Value, a)
	}
	l.model.Model = m
	return nil
}

// repeats are the second names of tied tensors, which a file has beside the first or
// instead of it.
var repeats = map[string]string{
	"cls.predictions.decoder.weight": "bert.embeddings.word_embeddings.weight",
	"cls.predictions.decoder.bias":   "cls.predictions.bias",
	"predictions.decoder.weight":     "albert.embeddings.word_embeddings.weight",
	"predictions.decoder.bias":       "predictions.bias",
	"lm_head.weight":                 "transformer.wte.weight",
}

// find is the tensor of that name or of its second name, with that name; nil: neither is
// there.
func (l *loader) find(name string) (string, *tensor.T) {
	if a, ok := l.arrays[name]; ok {
		return name, a
	}
	for again, first := range repeats {
		if a, ok := l.arrays[again]; ok && first == name {
			return again, a
		}
	}
	return name, nil
}

// rest lists tied and unused tensors, and refuses those that the model cannot do without.
func (l *loader) rest(encoder.Config) error {
	for name, a := range l.arrays {
		first, again := repeats[name]
		switch {
		case l.used[name]:
		case !again || !l.used[first]:
			l.model.Unused = append(l.model.Unused, name)
		case !slices.Equal(a.Data, l.arrays[first].Data):
			return messages.Errorf("huggingface.tied", "array", name, "same", first)
		default:
			l.model.Tied = append(l.model.Tied, name)
		}
	}
	l.model.Unused = slices.AppendSeq(l.model.Unused, maps.Keys(l.ints))
	slices.Sort(l.model.Unused)
	slices.Sort(l.model.Tied)
	return unaccounted(l.model.Unused)
}
