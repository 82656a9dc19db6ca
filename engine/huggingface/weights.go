package huggingface

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/disk"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
)

const (
	configFile  = "config.json"
	weightsFile = "model.safetensors"
	indexFile   = "model.safetensors.index.json" // says in which of several files a tensor is

	longestText = 16 << 20 // bytes of a configuration or an index
)

// stateDict reads the weights of a folder, from one file or from several.
func stateDict(dir string) (*checkpoint.File, error) {
	f, _, err := weights(dir, weightsFile, checkpoint.Most())
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	raw, err := disk.Read(filepath.Join(dir, indexFile), longestText)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, noWeights(dir)
	case err != nil:
		return nil, fileError(indexFile, err)
	}
	return sharded(dir, raw)
}

// noWeights is the error of a folder without model.safetensors.
func noWeights(dir string) error {
	files, _ := os.ReadDir(dir) // of a folder that cannot be read config.json was not read either
	for _, f := range files {
		if ok, _ := filepath.Match("pytorch_model*.bin", f.Name()); ok {
			return messages.Errorf("huggingface.pickle", "weights", weightsFile, "found", f.Name())
		}
	}
	return messages.Errorf("huggingface.weights", "weights", weightsFile, "config", configFile)
}

// weights reads one file of at most that many bytes, and how many it has.
func weights(dir, name string, most int64) (*checkpoint.File, int64, error) {
	raw, err := disk.Read(filepath.Join(dir, name), most)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	var f *checkpoint.File
	if err == nil {
		f, err = checkpoint.Parse(raw)
	}
	if err != nil {
		return nil, 0, fileError(name, err)
	}
	return f, int64(len(raw)), nil
}

// sharded reads the files of an index, each of which must have exactly the tensors that
// the index assigns to it.
func sharded(dir string, index []byte) (*checkpoint.File, error) {
	shards, err := parseIndex(index)
	if err != nil {
		return nil, err
	}
	all := &checkpoint.File{Arrays: map[string]*tensor.T{}, Ints: map[string]*checkpoint.Ints{}}
	left := checkpoint.Most() // all files together
	for _, name := range slices.Sorted(maps.Keys(shards)) {
		f, bytes, err := weights(dir, name, left)
		if err != nil {
			return nil, err
		}
		left -= bytes
		has := slices.AppendSeq(f.Names(), maps.Keys(f.Ints))
		slices.Sort(has)
		for _, tensor := range has {
			if !shards[name][tensor] {
				return nil, messages.Errorf("huggingface.surplus", "file", name, "array", tensor, "index", indexFile)
			}
			delete(shards[name], tensor)
		}
		if absent := slices.Sorted(maps.Keys(shards[name])); len(absent) > 0 {
			return nil, messages.Errorf("huggingface.absent", "file", name, "arrays", first(absent), "index", indexFile)
		}
		maps.Copy(all.Arrays, f.Arrays)
		maps.Copy(all.Ints, f.Ints)
	}
	return all, nil
}

// parseIndex gives the names of the tensors in each file. Files lie beside the index.
func parseIndex(raw []byte) (map[string]map[string]bool, error) {
	o, err := parseObject(indexFile, raw)
	if err != nil {
		return nil, err
	}
	var of map[string]string
	if err := json.Unmarshal(o["weight_map"], &of); err != nil || len(of) == 0 {
		return nil, messages.Errorf("huggingface.index", "index", indexFile)
	}
	shards := map[string]map[string]bool{}
	for _, tensor := range slices.Sorted(maps.Keys(of)) {
		name := of[tensor]
		if filepath.Ext(name) != checkpoint.Extension || !filepath.IsLocal(name) || filepath.Base(name) != name {
			return nil, messages.Errorf("huggingface.name", "index", indexFile, "name", messages.Quote(name), "extension", checkpoint.Extension)
		}
		if shards[name] == nil {
			shards[name] = map[string]bool{}
		}
		shards[name][tensor] = true
	}
	return shards, nil
}
