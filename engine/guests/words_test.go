package guests

import (
	"slices"
	"testing"

	"attnatlas/engine/huggingface/tokenizers"
)

// TestMaskTakesSpaces: a mask that includes the spaces around it, as in RoBERTa, keeps its id.
func TestMaskTakesSpaces(t *testing.T) {
	own, err := tokenizers.Parse([]byte(`{"version":"1.0","pre_tokenizer":{"type":"Whitespace"},
		"added_tokens":[{"id":3,"content":"<mask>","special":true,"lstrip":true,"rstrip":true}],
		"model":{"type":"WordLevel","vocab":{"<unk>":0,"a":1,"b":2,"<mask>":3},"unk_token":"<unk>"}}`))
	if err != nil {
		t.Fatal(err)
	}
	w := newWords(own)
	for _, text := range []string{"a <mask> b", "a [MASK] b", "a<mask>b"} {
		tokens, _, err := w.Tokens(text)
		if err != nil || len(tokens) != 3 || tokens[1].Label() != "<mask>" || !slices.Equal(w.IDs(tokens), []int{1, 3, 2}) {
			t.Errorf("%s: %+v, %v, %v", text, tokens, w.IDs(tokens), err)
		}
	}
}
