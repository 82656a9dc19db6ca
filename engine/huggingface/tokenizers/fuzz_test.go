package tokenizers_test

import (
	"testing"
	"unicode/utf8"

	"attnatlas/engine/huggingface/tokenizers"
)

// FuzzEncode: every tokenizer of testdata encodes every text into tokens within it, whose ends are
// character boundaries.
func FuzzEncode(f *testing.F) {
	var all []*tokenizers.Tokenizer
	for _, dir := range folders(f) {
		t, err := tokenizers.Open(unzipped(f, dir))
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, t)
	}
	for _, s := range []string{"", "Hello, world's!\r\n", "é\u0301\u0323 가각 ﷺ ½", "\xff\xc3 \xe2\x82",
		"<mask> left word [MASK]", "👩‍👩‍👧 🇩🇪", "北京 ▁▁a \u200b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, tokenizer := range all {
			tokens, err := tokenizer.Encode(text)
			if err != nil {
				t.Fatal(err)
			}
			for i, token := range tokens {
				if token.ID < 0 || token.ID >= tokenizer.Size() {
					t.Fatalf("%q: token %d has the id %d", text, i, token.ID)
				}
				for _, at := range []int{token.Start, token.End} {
					if at < 0 || at > len(text) || utf8.ValidString(text) && at < len(text) && !utf8.RuneStart(text[at]) {
						t.Fatalf("%q: token %d is %v", text, i, token)
					}
				}
			}
		}
	})
}
