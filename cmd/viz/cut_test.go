package main

import (
	"strings"
	"testing"
)

// TestCutFlag: the command line ablates like the server, and reports errors.
func TestCutFlag(t *testing.T) {
	_, whole, _ := viz(t, "attend", "--text", "The food was not good.", "-m", "dense")
	status, cut, errs := viz(t, "attend", "--text", "The food was not good.", "-m", "dense", "--cut", "word:5,head:1.2")
	if status != 0 || !strings.Contains(whole, "negative 0.9") || !strings.Contains(cut, "positive 0.9") {
		t.Errorf("%d %s\n%s\n%s", status, errs, whole, cut)
	}
	if status, _, errs := viz(t, "attend", "--text", "a", "-m", "dense", "--cut", "tooth:1"); status == 0 ||
		!strings.Contains(errs, `“tooth:1” in cut must be word:5`) {
		t.Errorf("%d %s", status, errs)
	}
}

// TestCutOfWriting: the command writes without the blocked word, and refuses a head that does not exist.
func TestCutOfWriting(t *testing.T) {
	status, out, errs := viz(t, "write", "--text", "the old cat sat", "--cut", "word:4")
	if status != 0 || !strings.Contains(out, "written: sat old the\nwithout ablation: sat cat old the\n") {
		t.Errorf("%d %s %s", status, out, errs)
	}
	if status, _, errs = viz(t, "write", "--text", "the old cat sat", "--cut", "head:9.1"); status == 0 ||
		!strings.Contains(errs, "no layer 9") {
		t.Errorf("%d %s", status, errs)
	}
}
