package tokenizers

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"attnatlas/engine/disk"
	"attnatlas/engine/messages"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	tokenizerFile = "tokenizer.json"
	configFile    = "tokenizer_config.json"
	specialsFile  = "special_tokens_map.json"
	addedFile     = "added_tokens.json"
	wordsFile     = "vocab.txt"
	vocabFile     = "vocab.json"
	mergesFile    = "merges.txt"
	// translatorFile has the pieces of Marian's source language, whose ids are in vocabFile.
	translatorFile = "source.spm"

	longestFile = 64 << 20 // bytes
)

// Open reads the tokenizer of a model's folder: tokenizer.json, or vocab.txt, or vocab.json with merges.txt.
func Open(dir string) (*Tokenizer, error) {
	f := folder(dir)
	for _, form := range []struct {
		file string
		open func(raw []byte) (*Tokenizer, error)
	}{
		{tokenizerFile, Parse}, {wordsFile, f.words}, {vocabFile, f.merges},
	} {
		raw, err := f.read(form.file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var t *Tokenizer
		if err == nil {
			t, err = form.open(raw)
		}
		if err == nil {
			t.roles, err = f.roles()
		}
		if err != nil {
			return nil, messages.Errorf("tokenizers.file", "file", form.file, "cause", messages.Of(err))
		}
		return t, nil
	}
	return nil, f.without()
}

// folder is the folder of a model.
type folder string

// read reads a file.
func (f folder) read(name string) ([]byte, error) {
	return disk.Read(filepath.Join(string(f), name), longestFile)
}

// optional reads a file with an object, or returns an empty object if there is no file.
func (f folder) optional(name string) (*object, error) {
	raw, err := f.read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		raw = []byte("{}")
	case err != nil:
		return nil, messages.Errorf("tokenizers.file", "file", name, "cause", messages.Of(err))
	}
	r := &reader{}
	o := r.object("", raw, 0)
	return o, r.err
}

// without returns the error for a folder that does not exist, has no tokenizer, or has an unsupported kind of
// tokenizer.
func (f folder) without() error {
	if _, err := os.Stat(string(f)); errors.Is(err, fs.ErrNotExist) {
		return messages.Errorf("tokenizers.no-folder")
	}
	for _, other := range []string{"tokenizer.model", "sentencepiece.bpe.model", "spiece.model", "spm.model", translatorFile,
		"tekken.json", "tiktoken.model"} {
		if _, err := f.read(other); !errors.Is(err, fs.ErrNotExist) {
			return messages.Errorf("tokenizers.another-form", "found", other, "wanted", tokenizerFile)
		}
	}
	return messages.Errorf("tokenizers.none", "wanted", messages.List{tokenizerFile, wordsFile, vocabFile})
}

// Parse reads a tokenizer.json.
func Parse(raw []byte) (*Tokenizer, error) {
	r := &reader{}
	o := r.object("", jsontext.Value(raw), 0)
	if version := o.text("version", "1.0"); version != "1.0" {
		o.refuse("version", strconv.Quote(version), `"1.0"`)
	}
	t := &Tokenizer{
		normalizer:    optional(o, "normalizer", normalizers),
		preTokenizer:  optional(o, "pre_tokenizer", preTokenizers),
		postProcessor: optional(o, "post_processor", postProcessors),
		decoder:       optional(o, "decoder", decoders),
		truncation:    newTruncation(o.child("truncation")),
		padding:       newPadding(o.child("padding")),
	}
	list := readAddedTokens(o)
	if child := o.child("model"); child != nil {
		t.model = newModel(child)
	} else {
		o.refuse("model", "null", "an object")
	}
	o.done()
	if r.err != nil {
		return nil, r.err
	}
	return t, t.complete(list)
}

// complete sets defaults, and assigns ids to the added tokens.
func (t *Tokenizer) complete(list []addedToken) (err error) {
	if t.normalizer == nil {
		t.normalizer = normalizerSequence{}
	}
	if t.preTokenizer == nil {
		t.preTokenizer = preTokenizerSequence{}
	}
	v := t.model.vocab()
	size := len(v.ids)
	if u, ok := t.model.(*unigram); ok {
		size = len(u.scores)
	}
	t.added, err = newAddedTokens(list, v, size, t.normalizer)
	return err
}
