package tokenizers_test

import (
	"os"
	"path/filepath"
	"testing"

	"attnatlas/engine/huggingface/tokenizers"
)

// TestRole: files name the tokens with a role, as a string or as an object; otherwise the usual
// ones count.
func TestRole(t *testing.T) {
	dir := unzipped(t, "testdata/old-wordpiece")
	for file, says := range map[string]string{
		"tokenizer_config.json":   `{"tokenizer_class":"BertTokenizerFast","cls_token":"[SEP]"}`,
		"special_tokens_map.json": `{"cls_token":"[CLS]","pad_token":{"content":"[UNK]","lstrip":false}}`,
		"added_tokens.json":       `{"more":3001,"<extra>":3000}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(says), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tokenizer, err := tokenizers.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for role, entry := range map[string]string{"cls_token": "[SEP]", "pad_token": "[UNK]", "mask_token": "[MASK]"} {
		if id, ok := tokenizer.Role(role); !ok || tokenizer.Entry(id) != entry {
			t.Errorf("%s is %q, want %q", role, tokenizer.Entry(id), entry)
		}
	}
	if _, ok := tokenizer.Role("boss_token"); ok {
		t.Error("a role that there is not has a token")
	}
	if id, ok := tokenizer.ID("more"); !ok || id != 3001 || tokenizer.Size() != 3002 {
		t.Errorf("more is %d of %d", id, tokenizer.Size())
	}
}
