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
  author = {Ashish Vaswani and Noam Shazeer and Niki Parmar and Jakob Uszkoreit and Llion Jones and Aidan N. Gomez and Łukasz Kaiser and Illia Polosukhin},
  booktitle = {NeurIPS},
  year = {2017},
  eprint = {1706.03762},
  archivePrefix = {arXiv}
}`
	if got != want {
		t.Errorf("got\n%s", got)
	}
	if got, names := attention.Longformer.Paper.Citation(), attention.Longformer.Paper.Names(); !strings.HasPrefix(got,
		"Beltagy et al. 2020") || names != "Iz Beltagy, Matthew E. Peters and Arman Cohan" {
		t.Errorf("%s; %s", got, names)
	}
	if got := attention.Linformer.Paper.BibTeX(); !strings.HasPrefix(got, "@misc{wang2020,") ||
		strings.Contains(got, "booktitle") {
		t.Errorf("got\n%s", got)
	}
}
