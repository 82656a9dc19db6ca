package huggingface

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/disk"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
)

// Files of an adapter of the PEFT library.
const (
	adapterFile    = "adapter_config.json"
	adapterWeights = "adapter_model.safetensors"
)

// adapter is a folder of low-rank changes to the weights of a base model: W + s·BA with A [r,in], B [out,r] and
// s = α/r (Hu et al. 2021, arXiv:2106.09685, sec. 4.1), or s = α/√r (Kalajdzievski 2023, arXiv:2312.03732).
type adapter struct {
	Type   string  `json:"peft_type"`
	Base   string  `json:"base_model_name_or_path"`
	Alpha  float64 `json:"lora_alpha"`
	Rooted bool    `json:"use_rslora"`

	base string // folder of the base model
}

// knownOptions lists the options of adapters that do not affect the computation or that this package implements. All
// other options must be off.
var knownOptions = []string{
	"auto_mapping", "base_model_name_or_path", "bias", "ensure_weight_tying", "eva_config", "exclude_modules",
	"fan_in_fan_out", "inference_mode", "init_lora_weights", "layers_pattern", "layers_to_transform", "lora_alpha",
	"lora_dropout", "megatron_core", "modules_to_save", "peft_type", "peft_version", "qalora_group_size", "r",
	"rank_pattern", "revision", "runtime_config", "target_modules", "task_type", "use_rslora",
}

// off lists the values of an option that is not used.
var off = []string{"null", "false", "{}", "[]", `""`}

// newWeights lists the initialisations that also change the weights of the base model.
var newWeights = []string{"pissa", "olora", "corda", "loftq"}

// readAdapter reads the adapter of a folder, and finds its base model. It returns nil if the folder does not hold an
// adapter.
func readAdapter(dir string) (*adapter, error) {
	raw, err := disk.Read(filepath.Join(dir, adapterFile), longestText)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fileError(adapterFile, err)
	}
	if _, err := disk.Size(filepath.Join(dir, configFile)); err == nil {
		return nil, nil // the folder also holds a whole model
	}
	o, err := parseObject(adapterFile, raw)
	if err != nil {
		return nil, err
	}
	a := &adapter{Alpha: 8} // the library's default
	if err := json.Unmarshal(raw, a); err != nil {
		return nil, fileError(adapterFile, err)
	}
	refuse := func(field, right string) error {
		return messages.Errorf("huggingface.field", "field", adapterFile+" "+field, "value",
			messages.Quote(string(o[field])), "right", right)
	}
	if a.Type != "LORA" {
		return nil, refuse("peft_type", `"LORA"`)
	}
	for _, field := range slices.Sorted(maps.Keys(o)) {
		if !slices.Contains(knownOptions, field) && !slices.Contains(off, string(o[field])) {
			return nil, refuse(field, "null")
		}
	}
	for _, kind := range newWeights {
		if strings.Contains(strings.ToLower(string(o["init_lora_weights"])), kind) {
			return nil, refuse("init_lora_weights", "true")
		}
	}
	if a.base = findBase(dir, a.Base); a.base == "" {
		return nil, messages.Errorf("huggingface.adapter", "found", adapterFile, "base", messages.Quote(a.Base))
	}
	return a, nil
}

// findBase returns the folder of a base model: a folder next to the adapter, the folder with this path, or the model
// with this name in the cache. It returns "" if none exists.
func findBase(dir, name string) string {
	if name == "" {
		return ""
	}
	beside := filepath.Join(filepath.Dir(filepath.Clean(dir)), filepath.Base(filepath.FromSlash(name)))
	for _, folder := range []string{beside, filepath.Join(dir, filepath.FromSlash(name)), filepath.FromSlash(name)} {
		if info, err := os.Stat(filepath.Join(folder, configFile)); err == nil && info.Mode().IsRegular() {
			return folder
		}
	}
	model := filepath.Join(CacheDir(), "models--"+strings.ReplaceAll(name, "/", "--"))
	if commit := snapshot(model); commit != "" && !strings.Contains(name, "..") {
		return filepath.Join(model, "snapshots", commit)
	}
	return ""
}

// home returns the folder with the configuration, the tokenizer and the pooling of a model. An adapter uses the folder
// of its base model.
func home(dir string) (string, error) {
	a, err := readAdapter(dir)
	if a == nil {
		return dir, err
	}
	return a.base, err
}

// Suffixes of an adapter's tensors, and the prefix that its library gives to all modules.
const (
	lowRankA      = ".lora_A.weight"
	lowRankB      = ".lora_B.weight"
	adapterPrefix = "base_model.model."
)

// change applies an adapter to the tensors of its base model. Tensors that the adapter stores whole replace tensors of
// the base model. Two changes of one tensor are an error. size is the size of the adapter's file in bytes.
func (a *adapter) change(dir string, stored map[string]checkpoint.Raw, c Config) (size int64, err error) {
	own, size, err := weights(dir, adapterWeights)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, messages.Errorf("huggingface.weights", "weights", adapterWeights, "config", adapterFile)
	}
	if err != nil {
		return 0, err
	}
	unknown := func(name string) error {
		return messages.Errorf("huggingface.adapter-array", "file", adapterWeights, "array", name)
	}
	parts := map[string]checkpoint.Raw{}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		short := strings.Replace(strings.TrimPrefix(name, adapterPrefix), ".default.", ".", 1)
		if _, taken := parts[short]; taken {
			return 0, unknown(name)
		}
		parts[short] = own[name]
	}
	changed := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		module, low := strings.CutSuffix(name, lowRankA)
		first, second := strings.CutSuffix(name, lowRankB)
		_, paired := parts[first+lowRankA]
		to := baseName(name, stored, c.Prefixes)
		switch {
		case low:
			to = baseName(module+".weight", stored, c.Prefixes)
			err = a.merge(stored, to, lowRank{module, parts[name], parts[module+lowRankB], turned(c, module)})
		case second && paired:
			continue // merged with its first matrix
		case strings.Contains(name, "lora_"):
			err = unknown(name)
		default:
			stored[to] = parts[name]
		}
		if err == nil && changed[to] {
			err = unknown(name)
		}
		if changed[to] = true; err != nil {
			return 0, err
		}
	}
	return size, nil
}

// baseName returns the name of a tensor in the base model, whose file can hold the model with or without its head.
func baseName(name string, stored map[string]checkpoint.Raw, prefixes []string) string {
	if _, same := stored[name]; same {
		return name
	}
	for _, prefix := range prefixes {
		for _, other := range []string{strings.TrimPrefix(name, prefix), prefix + name} {
			if _, ok := stored[other]; ok {
				return other
			}
		}
	}
	return name
}

// turned reports whether a model stores the weight of a module as [in,out]. GPT-2 does so except in its heads. The
// adapter's field fan_in_fan_out is unreliable, because its library has one value for all modules.
func turned(c Config, module string) bool {
	return c.ModelType == "gpt2" && strings.Contains(module, ".c_")
}

// lowRank is the change BA of the weight of a module.
type lowRank struct {
	module        string
	first, second checkpoint.Raw // A and B
	turned        bool           // the weight is stored as [in,out]
}

// merge adds s·BA to a stored weight when the weight is read.
func (a *adapter) merge(stored map[string]checkpoint.Raw, name string, by lowRank) error {
	w, ok := stored[name]
	first, second := by.first, by.second
	fits := ok && w.Floats() && first.Floats() && second.Floats() && len(w.Shape) == 2 && len(first.Shape) == 2 &&
		len(second.Shape) == 2
	if fits {
		out, in := w.Shape[0], w.Shape[1]
		if by.turned {
			out, in = in, out
		}
		rank := first.Shape[0]
		fits = rank > 0 && rank <= max(in, out) && first.Shape[1] == in && slices.Equal(second.Shape, []int{out, rank})
	}
	if !fits {
		return messages.Errorf("huggingface.adapter-shape", "file", adapterWeights, "array", by.module, "shapes",
			fmt.Sprint(first.Shape, second.Shape), "weight", fmt.Sprint(w.Shape))
	}
	rank := float64(first.Shape[0])
	scale := a.Alpha / rank
	if a.Rooted {
		scale = a.Alpha / math.Sqrt(rank)
	}
	w.Change = func(t *tensor.T) { addLowRank(t, first.Tensor(), second.Tensor(), tensor.Elem(scale), by.turned) }
	stored[name] = w
	return nil
}

// addLowRank adds s·BA to a weight [out,in], or its transpose to [in,out].
func addLowRank(w, first, second *tensor.T, scale tensor.Elem, turned bool) {
	rank, in, out := first.Shape[0], first.Shape[1], second.Shape[0]
	for o := range out {
		for k := range rank {
			b := scale * second.Data[o*rank+k]
			row := first.Data[k*in:][:in]
			if turned {
				for i, x := range row {
					w.Data[i*out+o] += b * x
				}
				continue
			}
			to := w.Data[o*in:][:in]
			for i, x := range row {
				to[i] += b * x
			}
		}
	}
}
