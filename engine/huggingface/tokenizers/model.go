package tokenizers

import (
	"bytes"
	"strconv"

	"attnatlas/engine/messages"

	"github.com/go-json-experiment/json/jsontext"
)

// model converts words to tokens.
type model interface {
	// tokenize appends the tokens of a word.
	tokenize(s *scratch, out []piece, word string) ([]piece, error)
	vocab() *vocabulary
}

// scratch is memory that models reuse from word to word.
type scratch struct {
	parts []part     // of BPE
	queue mergeQueue // of BPE
	ways  []best     // of Unigram
	cuts  []int32    // of Unigram
}

// piece is a token of a word: its bytes [start, end).
type piece struct {
	id         int32
	start, end int32
	text       string // displayed text; empty: the vocabulary's entry
}

// models are the constructors by "type".
var models = map[string]func(*object) model{
	"BPE": newBPE, "Unigram": newUnigram, "WordLevel": newWordLevel, "WordPiece": newWordPiece,
}

// newModel reads the model. Files of earlier versions do not state its type.
func newModel(o *object) model {
	if _, ok := o.fields["type"]; !ok {
		o.fields["type"] = jsontext.Value(strconv.Quote(typeOf(o)))
	}
	return component(o, models)
}

// typeOf infers the type of a model from its fields.
func typeOf(o *object) string {
	for _, known := range []struct{ field, model string }{
		{"merges", "BPE"}, {"unk_id", "Unigram"}, {"max_input_chars_per_word", "WordPiece"},
		{"continuing_subword_prefix", "WordPiece"},
	} {
		if _, ok := o.fields[known.field]; ok {
			return known.model
		}
	}
	return "WordLevel"
}

// mostEntries is the largest size of a vocabulary, and exceeds its ids.
const mostEntries = 1 << 20

// vocabulary maps entries to ids.
type vocabulary struct {
	ids     map[string]int32
	entries []string // by id; empty: none
	longest int      // bytes of an entry
}

// newVocabulary returns an empty vocabulary with room for some entries.
func newVocabulary(room int) *vocabulary {
	room = min(room, mostEntries)
	return &vocabulary{make(map[string]int32, room), make([]string, 0, room), 0}
}

// vocab returns the vocabulary of a model that embeds it.
func (v *vocabulary) vocab() *vocabulary { return v }

// add assigns an id to an entry. An existing entry gets the new id.
func (v *vocabulary) add(entry string, id int) {
	for len(v.entries) <= id {
		v.entries = append(v.entries, "")
	}
	v.ids[entry], v.entries[id], v.longest = int32(id), entry, max(v.longest, len(entry))
}

// vocabulary reads {"entry": id, …}.
func (o *object) vocabulary() *vocabulary {
	const field = "vocab"
	raw := o.value(field)
	v := newVocabulary(len(raw) / 24)
	d := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true))
	if start, err := d.ReadToken(); err != nil || start.Kind() != '{' {
		o.file.fail(wrongKind(o.name(field), raw, "an object"))
		return v
	}
	for d.PeekKind() == '"' {
		token, err := d.ReadToken()
		if err != nil {
			break
		}
		entry := token.String()
		token, err = d.ReadToken()
		if err != nil {
			break
		}
		id, err := strconv.Atoi(token.String())
		if err != nil || id < 0 || id >= mostEntries {
			o.file.fail(messages.Errorf("tokenizers.bad-id", "field", o.name(field), "entry", messages.Quote(entry),
				"value", token.String(), "most", mostEntries-1))
			return v
		}
		v.add(entry, id)
	}
	o.end(d)
	return v
}

// end reads the end of a list or an object.
func (o *object) end(d *jsontext.Decoder) {
	if _, err := d.ReadToken(); err != nil {
		o.file.fail(messages.Errorf("tokenizers.json", "cause", err.Error()))
	}
}

// needed returns the id of an entry that a field names.
func (o *object) needed(v *vocabulary, field, entry string) int32 {
	id, ok := v.ids[entry]
	if !ok {
		o.file.fail(messages.Errorf("tokenizers.absent", "field", o.name(field), "entry", messages.Quote(entry)))
	}
	return id
}
