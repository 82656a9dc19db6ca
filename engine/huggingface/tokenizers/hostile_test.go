package tokenizers

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// whole is a tokenizer.json with %s in place of its other fields.
const whole = `{"version":"1.0","model":{"type":"WordLevel","vocab":{"[UNK]":0,"a":1},"unk_token":"[UNK]"}%s}`

// small are valid tokenizers: seeds of FuzzParse, one for every kind of component.
var small = []string{
	fmt.Sprintf(whole, ``),
	fmt.Sprintf(whole, `,"normalizer":{"type":"Sequence","normalizers":[{"type":"BertNormalizer"},{"type":"NFKC"},{"type":"StripAccents"},{"type":"Nmt"},
		{"type":"Strip","strip_left":true},{"type":"Prepend","prepend":"▁"},{"type":"Replace","pattern":{"Regex":" {2,}"},"content":"▁"},{"type":"ByteLevel"}]}`),
	fmt.Sprintf(whole, `,"normalizer":{"type":"Precompiled","precompiled_charsmap":"BAAAAAAAAAA="}`),
	fmt.Sprintf(whole, `,"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"BertPreTokenizer"},{"type":"Digits","individual_digits":true},
		{"type":"Split","pattern":{"String":"a"},"behavior":"MergedWithNext","invert":true},{"type":"Whitespace"},{"type":"CharDelimiterSplit","delimiter":"-"},
		{"type":"Punctuation","behavior":"Contiguous"},{"type":"ByteLevel","add_prefix_space":true},{"type":"Metaspace","replacement":"▁","prepend_scheme":"first"}]}`),
	fmt.Sprintf(whole, `,"post_processor":{"type":"Sequence","processors":[{"type":"ByteLevel"},{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"a","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],
		"pair":[{"Sequence":{"id":"B","type_id":1}}],"special_tokens":{"a":{"id":"a","ids":[1],"tokens":["a"]}}}]}`),
	fmt.Sprintf(whole, `,"post_processor":{"type":"RobertaProcessing","sep":["a",1],"cls":["[UNK]",0],"trim_offsets":true},
		"decoder":{"type":"Sequence","decoders":[{"type":"Replace","pattern":{"String":"▁"},"content":" "},{"type":"ByteFallback"},{"type":"Fuse"},{"type":"Strip","content":" ","start":1},{"type":"WordPiece"},{"type":"BPEDecoder"}]},
		"padding":{"strategy":{"Fixed":4},"pad_id":0,"pad_token":"a"},"truncation":{"max_length":3}`),
	fmt.Sprintf(whole, `,"added_tokens":[{"id":2,"content":"<m>","lstrip":true,"rstrip":true,"special":true},{"id":3,"content":"Ab","single_word":true,"normalized":true}]`),
	`{"model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2,"<0x20>":3,"##a":4},"merges":["a b"],"byte_fallback":true,"fuse_unk":true,"unk_token":"b","ignore_merges":true}}`,
	`{"model":{"vocab":{"a":0,"b</w>":1,"ab</w>":2},"merges":[["a","b</w>"]],"end_of_word_suffix":"</w>"}}`,
	`{"model":{"type":"Unigram","vocab":[["<unk>",0],["a",-1.25],["▁a",-2e0]],"unk_id":0,"byte_fallback":true}}`,
	`{"model":{"vocab":{"[UNK]":0,"a":1,"##b":2},"max_input_chars_per_word":5}}`,
}

// TestRefused: unknown components are rejected with their names.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ file, says string }{
		{``, "it must be an object"},
		{`[]`, "it must be an object"},
		{`{"model":{}`, "JSON is invalid"},
		{`{"version":"2.0"}`, `version = "2.0"`},
		{`{"version":"1.0"}`, `model = null`},
		{fmt.Sprintf(whole, `,"more":1`), "field more = 1"},
		{fmt.Sprintf(whole, `,"normalizer":{"type":"Surprise"}`), `normalizer.type = “Surprise”`},
		{fmt.Sprintf(whole, `,"normalizer":{"type":"NFC","form":3}`), "normalizer.form = 3"},
		{fmt.Sprintf(whole, `,"normalizer":{"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Lowercase","locale":"tr"}]}`), "normalizer.normalizers[1].locale"},
		{fmt.Sprintf(whole, `,"normalizer":{"type":"Precompiled","precompiled_charsmap":"AAAA"}`),
			"normalizer.precompiled_charsmap"},
		{fmt.Sprintf(whole, `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"\\p{Han}+"},"behavior":"Isolated"}`),
			`pre_tokenizer.pattern.Regex = “\\p{Han}+”`},
		{fmt.Sprintf(whole, `,"pre_tokenizer":{"type":"Split","pattern":{"String":"a"},"behavior":"Eaten"}`),
			`pre_tokenizer.behavior = “Eaten”`},
		{fmt.Sprintf(whole, `,"pre_tokenizer":{"type":"UnicodeScripts"}`), "UnicodeScripts"},
		{fmt.Sprintf(whole, `,"pre_tokenizer":{"type":"Metaspace","replacement":"__"}`), "pre_tokenizer.replacement"},
		{fmt.Sprintf(whole, `,"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"ByteLevel"},{"type":"ByteLevel"}]}`), "pre_tokenizer.pretokenizers[1].type"},
		{fmt.Sprintf(whole, `,"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"x","type_id":0}}]}`), "post_processor.single[0].SpecialToken.id"},
		{fmt.Sprintf(whole, `,"post_processor":{"type":"BertProcessing","sep":["a"],"cls":["a",1]}`), "post_processor.sep"},
		{fmt.Sprintf(whole, `,"decoder":{"type":"CTC"}`), "decoder.type"},
		{fmt.Sprintf(whole, `,"padding":{"strategy":{"Fixed":99999999999}}`), "padding.strategy.Fixed"},
		{fmt.Sprintf(whole, `,"added_tokens":[{"content":7}]`), "added_tokens[0].content"},
		{fmt.Sprintf(whole, `,"added_tokens":[{"content":"`+strings.Repeat("x", longestField+1)+`"}]`),
			"added_tokens[0].content is longer"},
		{fmt.Sprintf(whole, `,"normalizer":`+strings.Repeat(`{"type":"Sequence","normalizers":[`, 20)+strings.Repeat(`]}`,
			20)), "is longer than 16"},
		{`{"model":{"type":"BPE","vocab":{"a":0},"merges":["a b"]}}`, `lacks “a”, “b”`},
		{`{"model":{"type":"BPE","vocab":{"a":0},"merges":["a"]}}`, "entry 0 must be two tokens"},
		{`{"model":{"type":"BPE","vocab":{"a":0},"merges":[["a","b","c"]]}}`, "entry 0 must be two tokens"},
		{`{"model":{"type":"BPE","vocab":{"a":0},"merges":[],"dropout":0.1}}`, `model.dropout = 0.1`},
		{`{"model":{"type":"BPE","vocab":{"a":4294967296},"merges":[]}}`, `the id of “a” is 4294967296`},
		{`{"model":{"type":"BPE","vocab":{"a":-1},"merges":[]}}`, `the id of “a” is -1`},
		{`{"model":{"type":"Unigram","vocab":[["a"]],"unk_id":0}}`, "entry 0 must be a token and its score"},
		{`{"model":{"type":"Unigram","vocab":[["a",1]],"unk_id":1}}`, "model.unk_id"},
		{`{"model":{"type":"WordPiece","vocab":{"a":0}}}`, `“[UNK]” is not in the vocabulary`},
	} {
		if _, err := Parse([]byte(c.file)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.100s: %v, want %q", c.file, err, c.says)
		}
	}
}

// TestGrows: a text that would become too long is rejected before it is created.
func TestGrows(t *testing.T) {
	replace := `{"type":"Replace","pattern":{"String":"a"},"content":"` + strings.Repeat("a", 100) + `"}`
	tokenizer, err := Parse([]byte(fmt.Sprintf(whole, `,"normalizer":{"type":"Sequence","normalizers":[`+
		replace+strings.Repeat(","+replace, 20)+`]}`)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tokenizer.Encode("a a"); err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Error(err)
	}
	if _, err := tokenizer.Encode(strings.Repeat("b", LongestText+1)); err == nil {
		t.Error("a text of any length is encoded")
	}
}

// TestFolder: the error for a folder without a tokenizer names the required files, unless there is no folder.
func TestFolder(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("no folder: %v", err)
	}
	for name, says := range map[string]string{"": "has no tokenizer",
		"spiece.model": "spiece.model, which is not supported", "vocab.json": "merges.txt",
		"vocab.json source.spm": "source.spm, which is not supported", "source.spm": "source.spm, which"} {
		dir := t.TempDir()
		for _, name := range strings.Fields(name) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("{}"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzParse: any tokenizer.json opens or is rejected, and encodes a text or gives an error.
func FuzzParse(f *testing.F) {
	for _, s := range small {
		if _, err := Parse([]byte(s)); err != nil {
			f.Fatal(s, err)
		}
		f.Add(s, "ab a  Ab<m> – é\u0301 12 ﬁ\xff🙂")
	}
	f.Fuzz(func(t *testing.T, file, text string) {
		tokenizer, err := Parse([]byte(file))
		if err != nil {
			return
		}
		tokens, err := tokenizer.EncodeDeclared(text)
		if err == nil {
			check(t, tokenizer, text, tokens)
		}
		_, _ = tokenizer.EncodePair(text, text)
	})
}

// check verifies the properties of all tokens.
func check(t *testing.T, tokenizer *Tokenizer, text string, tokens []Token) {
	t.Helper()
	ids := make([]int, len(tokens))
	for i, token := range tokens {
		ids[i] = token.ID
		if token.Start < 0 || token.End < 0 || token.Start > len(text) || token.End > len(text) {
			t.Fatalf("%q: token %d is outside of the text: %v", text, i, token)
		}
	}
	if decoded := tokenizer.Decode(ids); !utf8.ValidString(decoded) {
		t.Fatalf("%q is decoded as %q", text, decoded)
	}
}

// TestPadded: a fixed length, rounded up to a multiple, does not pad longer texts. Without a fixed length, every text
// is padded to the multiple.
func TestPadded(t *testing.T) {
	for _, c := range []struct {
		strategy string
		words    int
		padded   int
	}{{`{"Fixed":3}`, 2, 4}, {`{"Fixed":3}`, 5, 5}, {`"BatchLongest"`, 5, 8}} {
		file := fmt.Sprintf(whole, `,"pre_tokenizer":{"type":"Whitespace"},"padding":{"strategy":`+c.strategy+
			`,"pad_to_multiple_of":4,"pad_id":0,"pad_token":"[UNK]"}`)
		tokenizer, err := Parse([]byte(file))
		if err != nil {
			t.Fatal(err)
		}
		tokens, err := tokenizer.EncodeDeclared(strings.Repeat("a ", c.words))
		if err != nil || len(tokens) != c.padded {
			t.Errorf("%s pads %d tokens to %d, not %d: %v", c.strategy, c.words, len(tokens), c.padded, err)
		}
	}
}
