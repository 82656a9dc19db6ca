package huggingface

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"attnatlas/engine/disk"
	"attnatlas/engine/messages"
)

// The supported ways in which a folder of sentence-transformers computes one vector for a text.
const (
	MeanPooling  = "mean"
	FirstPooling = "cls" // the output at the first token
)

// SentencePooling describes how a folder computes one vector for a text.
type SentencePooling struct {
	Kind string // MeanPooling or FirstPooling
	Most int    // tokens that are read; 0: the model's limit
	Said bool   // set by the folder; otherwise the mean, as for any model without such files
}

const modulesFile = "modules.json"

// poolings maps the suffixes of fields in a pooling's config.json to kinds. An empty kind is not
// supported. The sum divided by √n has the direction of the mean.
var poolings = map[string]string{
	"mean_tokens": MeanPooling, "mean_sqrt_len_tokens": MeanPooling, "cls_token": FirstPooling,
	"max_tokens": "", "weightedmean_tokens": "", "lasttoken": "",
}

// ReadPooling reads modules.json of a folder and the files that it names.
func ReadPooling(dir string) (SentencePooling, error) {
	p := SentencePooling{Kind: MeanPooling}
	dir, err := home(dir)
	if err != nil {
		return p, err
	}
	raw, err := disk.Read(filepath.Join(dir, modulesFile), longestText)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	var modules []struct{ Path, Type string }
	if err == nil {
		err = json.Unmarshal(raw, &modules)
	}
	if err != nil {
		return p, fileError(modulesFile, err)
	}
	for _, m := range modules {
		switch kind := m.Type[strings.LastIndexByte(m.Type, '.')+1:]; kind {
		case "Transformer", "Normalize": // normalising to length 1 does not change a cosine
		case "Pooling":
			if p.Kind, err = pooledHow(dir, m.Path); err != nil {
				return p, err
			}
			p.Said = true
		default:
			return p, messages.Errorf("huggingface.field", "field", modulesFile+" type", "value", messages.Quote(kind), "right",
				messages.List{"Transformer", "Pooling", "Normalize"})
		}
	}
	return p, p.limit(dir)
}

// pooledHow reads the kind of pooling from its config.json.
func pooledHow(dir, path string) (string, error) {
	if path != "" && !filepath.IsLocal(path) {
		return "", messages.Errorf("huggingface.field", "field", modulesFile+" path", "value", messages.Quote(path), "right",
			"1_Pooling")
	}
	file := filepath.Join(path, configFile)
	raw, err := disk.Read(filepath.Join(dir, file), longestText)
	if err != nil {
		return "", fileError(file, err)
	}
	o, err := parseObject(file, raw)
	if err != nil {
		return "", err
	}
	const begin = "pooling_mode"
	var chosen []string
	for field, value := range o {
		end, ok := strings.CutPrefix(field, begin+"_")
		if ok && string(value) == "true" {
			chosen = append(chosen, end)
		}
	}
	slices.Sort(chosen)
	if mode, ok := o[begin]; ok && len(chosen) == 0 { // the newer notation
		var name string
		_ = json.Unmarshal(mode, &name) // other values name nothing
		chosen = []string{map[string]string{"mean": "mean_tokens", "cls": "cls_token",
			"mean_sqrt_len_tokens": "mean_sqrt_len_tokens"}[name]}
		if chosen[0] == "" {
			return "", messages.Errorf("huggingface.field", "field", begin, "value", excerpt(mode), "right",
				messages.List{"mean", "cls"})
		}
	}
	if len(chosen) != 1 || poolings[chosen[0]] == "" {
		return "", messages.Errorf("huggingface.field", "field", file+" "+begin, "value", messages.List(chosen), "right",
			messages.List{"mean_tokens", "cls_token"})
	}
	return poolings[chosen[0]], nil
}

// limit reads the maximum number of tokens.
func (p *SentencePooling) limit(dir string) error {
	const file = "sentence_bert_config.json"
	raw, err := disk.Read(filepath.Join(dir, file), longestText)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var c struct {
		Most *int `json:"max_seq_length"`
	}
	if err == nil {
		err = json.Unmarshal(raw, &c)
	}
	if err != nil {
		return fileError(file, err)
	}
	if c.Most != nil && *c.Most > 0 {
		p.Most = *c.Most
	}
	return nil
}
