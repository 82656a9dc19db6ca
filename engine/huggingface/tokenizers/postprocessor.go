package tokenizers

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"attnatlas/engine/messages"

	"github.com/go-json-experiment/json/jsontext"
)

// postProcessor adds tokens around one or two encoded texts, and adjusts their offsets.
type postProcessor struct {
	trim         bool // offsets exclude white space at the ends of a token
	prefix       bool // except a space that was added before the text
	single, pair []templatePart
}

// templatePart is one of the texts (0 or 1), or special tokens (-1).
type templatePart struct {
	text, typ int
	tokens    []Token
}

// mostSpecials is the most tokens that a template adds.
const mostSpecials = 1024

// postProcessors are the constructors by "type".
var postProcessors map[string]func(*object) postProcessor

func init() { // Sequence needs the table that contains it
	postProcessors = map[string]func(*object) postProcessor{
		"BertProcessing":     newBertProcessing,
		"ByteLevel":          newByteLevelProcessing,
		"RobertaProcessing":  newRobertaProcessing,
		"Sequence":           newProcessorSequence,
		"TemplateProcessing": newTemplate,
	}
}

// newByteLevelProcessing reads a ByteLevel, which adjusts offsets.
func newByteLevelProcessing(o *object) postProcessor {
	o.value("use_regex") // for the pre-tokenizer
	return postProcessor{trim: o.boolean("trim_offsets", true), prefix: o.boolean("add_prefix_space", true)}
}

// newBertProcessing reads a BertProcessing: [CLS] A [SEP] B [SEP].
func newBertProcessing(o *object) postProcessor {
	cls, sep := o.named("cls"), o.named("sep")
	return postProcessor{
		single: []templatePart{special(0, cls), {text: 0}, special(0, sep)},
		pair:   []templatePart{special(0, cls), {text: 0}, special(0, sep), {text: 1, typ: 1}, special(1, sep)},
	}
}

// newRobertaProcessing reads a RobertaProcessing: <s> A </s></s> B </s>.
func newRobertaProcessing(o *object) postProcessor {
	cls, sep := o.named("cls"), o.named("sep")
	return postProcessor{
		trim: o.boolean("trim_offsets", true), prefix: o.boolean("add_prefix_space", true),
		single: []templatePart{special(0, cls), {text: 0}, special(0, sep)},
		pair:   []templatePart{special(0, cls), {text: 0}, special(0, sep, sep), {text: 1}, special(0, sep)},
	}
}

// special returns a template part of special tokens.
func special(typ int, tokens ...Token) templatePart {
	p := templatePart{text: -1, typ: typ}
	for _, t := range tokens {
		t.Type, t.Special, t.Sequence = typ, true, -1
		p.tokens = append(p.tokens, t)
	}
	return p
}

// named reads ["[CLS]", 101].
func (o *object) named(field string) Token {
	raw := o.value(field)
	d := jsontext.NewDecoder(bytes.NewBuffer(raw))
	var t Token
	for _, kind := range []jsontext.Kind{'[', '"', '0', ']'} {
		token, err := d.ReadToken()
		if err == nil && token.Kind() == '0' {
			t.ID, err = strconv.Atoi(token.String())
		} else if err == nil && token.Kind() == '"' {
			t.Text = token.String()
		}
		if err != nil || token.Kind() != kind || t.ID < 0 || t.ID >= mostEntries {
			o.file.fail(wrongKind(o.name(field), raw, messages.New("tokenizers.right.token")))
			return t
		}
	}
	return t
}

// newProcessorSequence reads a Sequence, in which at most one part adds tokens.
func newProcessorSequence(o *object) postProcessor {
	var all postProcessor
	for i, part := range o.parts("processors") {
		p := component(part, postProcessors)
		if p.trim && all.trim || p.single != nil && all.single != nil {
			o.refuse("processors["+strconv.Itoa(i)+"]", messages.Quote(part.text("type", "")),
				messages.New("tokenizers.right.another"))
		}
		if p.trim {
			all.trim, all.prefix = true, p.prefix
		}
		if p.single != nil {
			all.single, all.pair = p.single, p.pair
		}
	}
	return all
}

// newTemplate reads a TemplateProcessing.
func newTemplate(o *object) postProcessor {
	tokens := map[string][]Token{}
	if all := o.child("special_tokens"); all != nil {
		for name := range all.fields {
			tokens[name] = specialTokens(all.child(name))
		}
	}
	return postProcessor{single: templateParts(o, "single", tokens), pair: templateParts(o, "pair", tokens)}
}

// specialTokens reads {"id": "[CLS]", "ids": [101], "tokens": ["[CLS]"]}.
func specialTokens(o *object) []Token {
	if o == nil {
		return nil
	}
	var ids []int
	var texts []string
	o.decode("ids", &ids, messages.New("tokenizers.right.numbers"))
	o.decode("tokens", &texts, messages.New("tokenizers.right.strings"))
	o.value("id") // repeats the name
	o.done()
	if len(ids) != len(texts) || len(ids) > mostSpecials {
		o.refuse("ids", strconv.Itoa(len(ids)), messages.New("tokenizers.right.as-many"))
		return nil
	}
	tokens := make([]Token, len(ids))
	for i, id := range ids {
		if id < 0 || id >= mostEntries {
			o.refuse("ids", strconv.Itoa(id), "an id")
		}
		tokens[i] = Token{ID: id, Text: texts[i]}
	}
	return tokens
}

// templateParts reads [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, …].
func templateParts(o *object, field string, tokens map[string][]Token) []templatePart {
	parts, added := []templatePart{}, 0
	for _, part := range o.list(field) {
		switch sequence, token := part.child("Sequence"), part.child("SpecialToken"); {
		case sequence != nil:
			which := choice(sequence, "id", "", map[string]int{"A": 0, "B": 1})
			parts = append(parts, templatePart{text: which, typ: sequence.count("type_id", 0, mostEntries)})
			sequence.done()
		case token != nil:
			parts = append(parts, special(token.count("type_id", 0, mostEntries), choice(token, "id", "", tokens)...))
			token.done()
		}
		part.done()
		if len(parts) > 0 {
			added += len(parts[len(parts)-1].tokens) + 1
		}
		if added > mostSpecials {
			o.file.fail(messages.Errorf("tokenizers.long", "field", o.name(field), "most", mostSpecials))
			return nil
		}
	}
	return parts
}

// process joins one or two encoded texts.
func (p postProcessor) process(texts [][]Token, originals []string) []Token {
	template := p.single
	if len(texts) == 2 {
		template = p.pair
	}
	if p.trim {
		for i := range texts {
			p.trimAll(texts[i], originals[i])
		}
	}
	if template == nil { // no tokens are added
		template = []templatePart{{text: 0}, {text: 1, typ: 1}}[:len(texts)]
	}
	var out []Token
	for _, part := range template {
		tokens := part.tokens
		if part.text >= len(texts) {
			continue
		}
		if part.text >= 0 {
			tokens = texts[part.text]
		}
		for _, t := range tokens {
			t.Type = part.typ
			out = append(out, t)
		}
	}
	return out
}

// added returns the number of tokens added to one text.
func (p postProcessor) added() int {
	n := 0
	for _, part := range p.single {
		n += len(part.tokens)
	}
	return n
}

// trimAll excludes white space at the ends from the offsets of tokens, one character of the text
// for each in the token.
func (p postProcessor) trimAll(tokens []Token, original string) {
	for i := range tokens {
		t := &tokens[i]
		left := utf8.RuneCountInString(t.Text) - utf8.RuneCountInString(strings.TrimLeftFunc(t.Text, trimmed))
		right := utf8.RuneCountInString(t.Text) - utf8.RuneCountInString(strings.TrimRightFunc(t.Text, trimmed))
		if left == 1 && p.prefix && (i == 0 || t.Start == 0) {
			left = 0 // it is not in the text
		}
		t.Start = min(skip(original, t.Start, left), t.End)
		if back, ok := skipBack(original, t.End, right); ok {
			t.End = max(back, t.Start)
		}
	}
}

// trimmed reports whether trim_offsets excludes a character.
func trimmed(r rune) bool { return r == 'Ġ' || space.is(r) }

// skipBack returns the place n characters before at. ok is false if there are fewer.
func skipBack(s string, at, n int) (before int, ok bool) {
	for ; n > 0; n-- {
		if at == 0 {
			return 0, false
		}
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return at, true
}
