package site_test

import (
	"strings"
	"testing"

	"attnatlas/web/webtest"
)

func TestNearest(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for id, want := range map[string]string{
		"fasformer": "fastformer,linformer", "Dense": "dense,factorized-dense", "linear-attention": "linear",
		"dotproduct": "dot-product", "bigbrid": "bigbird",
		"ponliegfermers": "poolingformer", "ponliegfermerss": "", // four and five letters differ
		"": "", "zzzzzzzz": "", strings.Repeat("x", 5000): "",
	} {
		if got := strings.Join(s.Nearest(id), ","); got != want {
			t.Errorf("%.20q is near %q, want %q", id, got, want)
		}
	}
}
