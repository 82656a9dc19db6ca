package huggingface_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"attnatlas/engine/huggingface"
)

// TestPooling: the files of sentence-transformers define the pooling, or are rejected with the name
// of the field.
func TestPooling(t *testing.T) {
	const modules = `[{"idx":0,"name":"0","path":"","type":"sentence_transformers.models.Transformer"},{"idx":1,"name":"1","path":"1_Pooling","type":"sentence_transformers.models.Pooling"},{"idx":2,"name":"2","path":"2_Normalize","type":"sentence_transformers.models.Normalize"}]`
	for _, c := range []struct {
		modules, pooling string
		want             huggingface.SentencePooling
		refused          string
	}{
		{"", "", huggingface.SentencePooling{Kind: "mean", Most: 128}, ""},
		{modules, `{"word_embedding_dimension":8,"pooling_mode_cls_token":false,"pooling_mode_mean_tokens":true}`,
			huggingface.SentencePooling{Kind: "mean", Most: 128, Said: true}, ""},
		{modules, `{"pooling_mode_cls_token":true,"pooling_mode_mean_tokens":false}`,
			huggingface.SentencePooling{Kind: "cls", Most: 128, Said: true}, ""},
		{modules, `{"pooling_mode_mean_sqrt_len_tokens":true}`, huggingface.SentencePooling{Kind: "mean", Most: 128, Said: true}, ""},
		{modules, `{"pooling_mode":"cls"}`, huggingface.SentencePooling{Kind: "cls", Most: 128, Said: true}, ""},
		{modules, `{"pooling_mode_max_tokens":true}`, huggingface.SentencePooling{}, "max_tokens"},
		{modules, `{"pooling_mode_cls_token":true,"pooling_mode_mean_tokens":true}`, huggingface.SentencePooling{}, "pooling_mode"},
		{modules, `{"pooling_mode":"lasttoken"}`, huggingface.SentencePooling{}, "lasttoken"},
		{modules, "", huggingface.SentencePooling{}, "1_Pooling"},
		{strings.Replace(modules, "models.Normalize", "models.Dense", 1), `{"pooling_mode_mean_tokens":true}`,
			huggingface.SentencePooling{}, "Dense"},
		{strings.Replace(modules, `"1_Pooling"`, `"../1_Pooling"`, 1), `{"pooling_mode_mean_tokens":true}`,
			huggingface.SentencePooling{}, "path"},
		{"{}", "", huggingface.SentencePooling{}, "modules.json"},
	} {
		dir := t.TempDir()
		for name, content := range map[string]string{"modules.json": c.modules, "1_Pooling/config.json": c.pooling,
			"sentence_bert_config.json": `{"max_seq_length": 128}`} {
			if name == "sentence_bert_config.json" && c.modules == "" {
				c.want.Most = 0 // without modules.json the folder is not one of sentence-transformers
			}
			if content == "" {
				continue
			}
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := huggingface.ReadPooling(dir)
		if c.refused == "" && (err != nil || got != c.want) || c.refused != "" &&
			(err == nil || !strings.Contains(err.Error(), c.refused)) {
			t.Errorf("%s %s: %+v, %v; wanted %+v, %q", c.modules, c.pooling, got, err, c.want, c.refused)
		}
	}
}
