package site_test

import (
	"strings"
	"testing"

	"attnatlas/web/site"
	"attnatlas/web/webtest"
)

func TestNearest(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for id, want := range map[string]string{
		"fasformer": "fastformer,linformer", "Dense": "dense,factorized-dense", "linear-attention": "linear",
		"dotproduct": "dot-product", "bigbrid": "bigbird",
		"": "", "zzzzzzzz": "", strings.Repeat("x", 5000): "",
	} {
		if got := strings.Join(s.Nearest(id), ","); got != want {
			t.Errorf("%.20q is near %q, want %q", id, got, want)
		}
	}
	if d := site.Distance("kitten", "sitting"); d != 3 {
		t.Errorf("kitten and sitting differ by %d", d)
	}
}
