package huggingface

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/disk"
	"attnatlas/engine/messages"
)

const (
	configFile  = "config.json"
	weightsFile = "model.safetensors"
	indexFile   = "model.safetensors.index.json" // maps tensors to several files

	longestText = 16 << 20 // bytes of a configuration or an index
	mostWeights = 1 << 40  // bytes of a weight file, which is mapped and not read
)

// stateDict returns the tensors of a folder, from one file or several, and the bytes of the files. For an adapter it
// returns the tensors of its base model, changed by the adapter.
func stateDict(dir string, c Config) (map[string]checkpoint.Raw, int64, error) {
	a, err := readAdapter(dir)
	if err != nil {
		return nil, 0, err
	}
	if a == nil {
		return wholeModel(dir)
	}
	all, size, err := wholeModel(a.base)
	if err != nil {
		return nil, 0, err
	}
	own, err := a.change(dir, all, c)
	return all, size + own, err
}

// wholeModel returns the tensors of a folder that is not an adapter.
func wholeModel(dir string) (map[string]checkpoint.Raw, int64, error) {
	all, size, err := weights(dir, weightsFile)
	if !errors.Is(err, fs.ErrNotExist) {
		return all, size, err
	}
	raw, err := disk.Read(filepath.Join(dir, indexFile), longestText)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0, noWeights(dir)
	case err != nil:
		return nil, 0, fileError(indexFile, err)
	}
	return sharded(dir, raw)
}

// others are unsupported weight files with their messages.
var others = []struct{ pattern, id string }{
	{"pytorch_model*.bin", "huggingface.pickle"}, {"adapter_model.bin", "huggingface.pickle"},
	{"*.gguf", "huggingface.gguf"},
	{"tf_model.h5", "huggingface.pickle"}, {"flax_model.msgpack", "huggingface.pickle"},
}

// noWeights returns the error for a folder without model.safetensors.
func noWeights(dir string) error {
	if err := otherForm(dir); err != nil {
		return err
	}
	return messages.Errorf("huggingface.weights", "weights", weightsFile, "config", configFile)
}

// otherForm returns an error that names unsupported weight files in a folder, or nil if there are
// none.
func otherForm(dir string) error {
	files, _ := os.ReadDir(dir) // if the folder cannot be read, reading config.json has failed, too
	for _, other := range others {
		for _, f := range files {
			if ok, _ := filepath.Match(other.pattern, f.Name()); ok {
				return messages.Errorf(other.id, "weights", weightsFile, "found", f.Name())
			}
		}
	}
	return nil
}

// pointer is the beginning of a file that Git LFS has not fetched.
const pointer = "version https://git-lfs"

// weights maps one file.
func weights(dir, name string) (map[string]checkpoint.Raw, int64, error) {
	raw, err := disk.Map(filepath.Join(dir, name), mostWeights)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	var all map[string]checkpoint.Raw
	switch {
	case err == nil && bytes.HasPrefix(raw, []byte(pointer)):
		err = messages.Errorf("huggingface.pointer")
	case err == nil:
		all, err = checkpoint.View(raw)
	}
	if err != nil {
		return nil, 0, fileError(name, err)
	}
	return all, int64(len(raw)), nil
}

// sharded maps the files of an index. Each must have exactly the tensors that the index assigns to
// it.
func sharded(dir string, index []byte) (map[string]checkpoint.Raw, int64, error) {
	shards, err := parseIndex(index)
	if err != nil {
		return nil, 0, err
	}
	for _, name := range slices.Sorted(maps.Keys(shards)) {
		if _, err := disk.Size(filepath.Join(dir, name)); errors.Is(err, fs.ErrNotExist) {
			return nil, 0, messages.Errorf("huggingface.shard", "file", name, "index", indexFile)
		}
	}
	all, size := map[string]checkpoint.Raw{}, int64(0)
	for _, name := range slices.Sorted(maps.Keys(shards)) {
		shard, bytes, err := weights(dir, name)
		if err != nil {
			return nil, 0, err
		}
		size += bytes
		for _, tensor := range slices.Sorted(maps.Keys(shard)) {
			if !shards[name][tensor] {
				return nil, 0, messages.Errorf("huggingface.surplus", "file", name, "array", tensor, "index", indexFile)
			}
			delete(shards[name], tensor)
		}
		if absent := slices.Sorted(maps.Keys(shards[name])); len(absent) > 0 {
			return nil, 0, messages.Errorf("huggingface.absent", "file", name, "arrays", first(absent), "index", indexFile)
		}
		maps.Copy(all, shard)
	}
	return all, size, nil
}

// first lists the first few names.
func first(names []string) string {
	const few = 3
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:few], ", ") + ", …"
}

// parseIndex returns the names of the tensors in each file. The files are next to the index.
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
			return nil, messages.Errorf("huggingface.name", "index", indexFile, "name", messages.Quote(name), "extension",
				checkpoint.Extension)
		}
		if shards[name] == nil {
			shards[name] = map[string]bool{}
		}
		shards[name][tensor] = true
	}
	return shards, nil
}
