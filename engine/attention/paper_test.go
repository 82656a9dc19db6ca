package attention_test

import (
	"strings"
	"testing"

	"attnatlas/engine/attention"
)

func TestBibTeX(t *testing.T) {
	got := attention.DotProduct.Paper.BibTeX()
	const want = `@inproceedings{vaswani2017,
  title = {{Attention Is All You Need}},
  author = {Vaswani and Shazeer and Parmar and Uszkoreit and Jones and Gomez and Kaiser and Polosukhin},
  booktitle = {NeurIPS},
  year = {2017},
  eprint = {1706.03762},
  archivePrefix = {arXiv}
}`
	if got != want {
		t.Errorf("got\n%s", got)
	}
	if got := attention.Linformer.Paper.BibTeX(); !strings.HasPrefix(got, "@misc{wang2020,") || strings.Contains(got, "booktitle") {
		t.Errorf("got\n%s", got)
	}
}
