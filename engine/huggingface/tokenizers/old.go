package tokenizers

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/messages"
)

// roleNames are the fields that name special tokens, in the order of the transformers library.
var roleNames = []string{"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"}

// roles returns the special tokens by role, from tokenizer_config.json or else
// special_tokens_map.json.
func (f folder) roles() (map[string]string, error) {
	roles := map[string]string{}
	for _, file := range []string{specialsFile, configFile} { // the second file overrides the first
		o, err := f.optional(file)
		if err != nil {
			return nil, err
		}
		for _, role := range roleNames {
			if entry := contentOf(o, role); entry != "" {
				roles[role] = entry
			}
		}
		if o.file.err != nil {
			return nil, o.file.err
		}
	}
	return roles, nil
}

// contentOf reads a special token: a string, or an object with its content.
func contentOf(o *object, role string) string {
	if raw := o.value(role); raw != nil && raw.Kind() == '{' {
		return o.child(role).text("content", "")
	}
	return o.text(role, "")
}

// oldClass describes how a class of the transformers library builds a tokenizer from a vocabulary
// alone.
type oldClass struct {
	roles    map[string]string
	single   string // roles around the text A
	pair     string
	types    bool // the second text and the tokens after it have type 1
	trim     bool // offsets exclude white space
	maskLeft bool // the mask includes the white space before it

	normalized bool // special tokens are searched in the normalized text
}

var (
	bertClass = oldClass{single: "cls_token A sep_token", pair: "cls_token A sep_token B sep_token", types: true,
		roles: map[string]string{"unk_token": "[UNK]", "sep_token": "[SEP]", "pad_token": "[PAD]", "cls_token": "[CLS]",
			"mask_token": "[MASK]"}}
	robertaClass = oldClass{single: "cls_token A sep_token", pair: "cls_token A sep_token sep_token B sep_token",
		trim: true, maskLeft: true,
		roles: map[string]string{"bos_token": "<s>", "eos_token": "</s>", "sep_token": "</s>", "cls_token": "<s>",
			"unk_token": "<unk>", "pad_token": "<pad>", "mask_token": "<mask>"}}
	gpt2Class = oldClass{single: "A", pair: "A B", types: true, normalized: true,
		roles: map[string]string{"bos_token": "<|endoftext|>", "eos_token": "<|endoftext|>", "unk_token": "<|endoftext|>"}}
)

// mpnetClass returns RoBERTa's class with BERT's unknown token.
func mpnetClass() oldClass {
	c := robertaClass
	c.roles = maps.Clone(c.roles)
	c.roles["unk_token"] = "[UNK]"
	return c
}

// wordClasses and mergeClasses are the classes that read vocab.txt, or vocab.json and merges.txt,
// by "tokenizer_class" without Fast.
var (
	wordClasses = map[string]oldClass{
		"": bertClass, "BertTokenizer": bertClass, "DistilBertTokenizer": bertClass, "ElectraTokenizer": bertClass,
		"MobileBertTokenizer": bertClass, "ConvBertTokenizer": bertClass, "SqueezeBertTokenizer": bertClass,
		"LayoutLMTokenizer": bertClass, "MPNetTokenizer": mpnetClass(),
	}
	mergeClasses = map[string]oldClass{
		"": gpt2Class, "GPT2Tokenizer": gpt2Class, "RobertaTokenizer": robertaClass, "LongformerTokenizer": robertaClass,
		"BartTokenizer": robertaClass,
	}
)

// modelClasses are the tokenizer classes by the "model_type" of config.json, for folders that do
// not name them.
var modelClasses = map[string]string{
	"bert": "BertTokenizer", "distilbert": "DistilBertTokenizer", "electra": "ElectraTokenizer", "mpnet": "MPNetTokenizer",
	"gpt2": "GPT2Tokenizer", "roberta": "RobertaTokenizer", "longformer": "LongformerTokenizer", "bart": "BartTokenizer",
}

// old is a tokenizer in the old format.
type old struct {
	folder
	oldClass
	config *object
	added  []addedToken
	ids    map[string]int // ids of added tokens in the files
}

// old reads the files next to a vocabulary.
func (f folder) old(classes map[string]oldClass) (*old, error) {
	config, err := f.optional(configFile)
	if err != nil {
		return nil, err
	}
	model, err := f.optional("config.json")
	if err != nil {
		return nil, err
	}
	given := config.text("tokenizer_class", modelClasses[model.text("model_type", "")])
	class, ok := classes[strings.TrimSuffix(given, "Fast")]
	if !ok {
		return nil, messages.Errorf("tokenizers.choice", "field", "tokenizer_class",
			"value", messages.Quote(given), "known", names(classes))
	}
	named, err := f.roles()
	if err != nil {
		return nil, err
	}
	class.roles = maps.Clone(class.roles)
	maps.Copy(class.roles, named)
	o := &old{folder: f, oldClass: class, config: config, ids: map[string]int{}}
	return o, o.readAdded()
}

// readAdded collects the special tokens, then the other added tokens of tokenizer_config.json and
// added_tokens.json.
func (o *old) readAdded() error {
	for _, role := range roleNames {
		if content := o.oldClass.roles[role]; content != "" {
			left := o.maskLeft && role == "mask_token"
			o.add(addedToken{content: content, special: true, left: left, normalized: o.normalized})
		}
	}
	if all := o.config.child("added_tokens_decoder"); all != nil {
		for _, id := range slices.SortedFunc(maps.Keys(all.fields), byNumber) {
			if t := all.child(id); t != nil {
				a := readAddedToken(t)
				o.ids[a.content], _ = strconv.Atoi(id)
				o.add(a)
			}
		}
	}
	more, err := o.optional(addedFile)
	if err != nil {
		return err
	}
	byID := func(a, b string) int { return byNumber(string(more.fields[a]), string(more.fields[b])) }
	for _, content := range slices.SortedFunc(maps.Keys(more.fields), byID) {
		o.ids[content] = more.count(content, 0, mostEntries)
		if !slices.ContainsFunc(o.added, func(t addedToken) bool { return t.content == content }) {
			o.add(addedToken{content: content, normalized: true})
		}
	}
	return errors.Join(o.config.file.err, more.file.err)
}

// byNumber compares decimal numbers in text form.
func byNumber(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }

// add adds a token, or updates an existing one.
func (o *old) add(t addedToken) {
	for i := range o.added {
		if o.added[i].content == t.content {
			o.added[i] = t
			return
		}
	}
	o.added = append(o.added, t)
}

// words opens a vocab.txt: BERT's format, one entry per line.
func (f folder) words(raw []byte) (*Tokenizer, error) {
	o, err := f.old(wordClasses)
	if err != nil {
		return nil, err
	}
	v := newVocabulary(len(raw) / 8)
	for line := range strings.Lines(string(raw)) {
		if len(v.entries) == mostEntries {
			return nil, messages.Errorf("tokenizers.vocabulary", "most", mostEntries)
		}
		v.add(strings.TrimRight(line, "\r\n"), len(v.entries))
	}
	entry := o.oldClass.roles["unk_token"]
	unknown, ok := v.ids[entry]
	if !ok {
		return nil, messages.Errorf("tokenizers.absent", "field", "unk_token", "entry", messages.Quote(entry))
	}
	small := o.config.boolean("do_lower_case", true)
	m, err := wordPieceOf(v, "##", unknown, longestWord)
	if err != nil {
		return nil, err
	}
	return o.tokenizer(&Tokenizer{
		normalizer: bertNormalizer(bertOptions{clean: true, chinese: o.config.boolean("tokenize_chinese_chars", true),
			accents: o.config.boolean("strip_accents", small), small: small}),
		preTokenizer: bertPreTokenizer, model: m, decoder: wordPieceDecoder("##", true),
	})
}

// longestWord is BERT's limit: a word of more characters is unknown.
const longestWord = 100

// merges opens a vocab.json with a merges.txt: GPT-2's format.
func (f folder) merges(raw []byte) (*Tokenizer, error) {
	if _, err := f.read(translatorFile); !errors.Is(err, fs.ErrNotExist) {
		return nil, messages.Errorf("tokenizers.translator", "found", translatorFile, "wanted", tokenizerFile)
	}
	o, err := f.old(mergeClasses)
	if err != nil {
		return nil, err
	}
	list, err := f.read(mergesFile)
	if err != nil {
		return nil, messages.Errorf("tokenizers.file", "file", mergesFile, "cause", messages.Of(err))
	}
	r := &reader{}
	v := r.object("", []byte(`{"vocab":`+string(raw)+`}`), 0).vocabulary()
	if r.err != nil {
		return nil, r.err
	}
	merges, err := readMerges(string(list))
	if err != nil {
		return nil, err
	}
	m, err := bpeOf(v, merges, bpeOptions{})
	if err != nil {
		return nil, err
	}
	words := byteLevelSplit{o.config.boolean("add_prefix_space", false), true}
	return o.tokenizer(&Tokenizer{preTokenizer: words, model: m, decoder: decodeByteLevel})
}

// readMerges reads lines of two entries. It skips a first line that begins with #version.
func readMerges(list string) ([][2]string, error) {
	var merges [][2]string
	for line := range strings.Lines(list) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || len(merges) == 0 && strings.HasPrefix(line, "#version") {
			continue
		}
		left, right, ok := strings.Cut(line, " ")
		if !ok || strings.Contains(right, " ") || len(merges) == mostMerges {
			return nil, messages.Errorf("tokenizers.pair", "field", mergesFile, "index", len(merges))
		}
		merges = append(merges, [2]string{left, right})
	}
	return merges, nil
}

// tokenizer applies the options of the class to a tokenizer.
func (o *old) tokenizer(t *Tokenizer) (*Tokenizer, error) {
	if o.config.boolean("add_bos_token", false) {
		o.single, o.pair = "bos_token "+o.single, "bos_token "+o.pair
	}
	if err := t.complete(o.added); err != nil {
		return nil, err
	}
	for content, id := range o.ids {
		if got, _ := t.ID(content); got != id {
			return nil, messages.Errorf("tokenizers.moved", "entry", messages.Quote(content), "given", id, "got", got)
		}
	}
	t.postProcessor = postProcessor{trim: o.trim, prefix: o.config.boolean("add_prefix_space", false),
		single: o.parts(t, o.single), pair: o.parts(t, o.pair)}
	return t, o.config.file.err
}

// parts returns the parts of a template of roles.
func (o *old) parts(t *Tokenizer, template string) []templatePart {
	var parts []templatePart
	typ := 0
	for name := range strings.FieldsSeq(template) {
		switch name {
		case "A":
			parts = append(parts, templatePart{text: 0})
		case "B":
			if o.types {
				typ = 1
			}
			parts = append(parts, templatePart{text: 1, typ: typ})
		default:
			content := o.oldClass.roles[name]
			id, _ := t.ID(content) // readAdded has added it
			parts = append(parts, special(typ, Token{ID: id, Text: content}))
		}
	}
	return parts
}
