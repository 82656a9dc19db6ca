package static_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"attnatlas/engine/figure"
	"attnatlas/static"
)

// TestElement: the element is one module of at most 30 kB without imports, with the colours of figures.
func TestElement(t *testing.T) {
	source := string(static.Content(static.Element))
	var small bytes.Buffer
	z := gzip.NewWriter(&small)
	if _, err := z.Write([]byte(source)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	if small.Len() > 30_000 {
		t.Errorf("%d bytes", small.Len())
	}
	if found := regexp.MustCompile(`(?m)^import\b|\bimport\(|https?://[a-z]*\.|\beval\(|innerHTML`).FindString(source); found != "" {
		t.Errorf("it has %q", found)
	}
	if lines := strings.Count(source, "\n"); lines > 455 {
		t.Errorf("%d lines", lines)
	}
	const steps = 17
	for _, p := range figure.Palettes() {
		m := regexp.MustCompile(p.String() + `:\s+'([0-9a-f]+)'`).FindStringSubmatch(source)
		if m == nil {
			continue
		}
		table := p.Table(figure.Light)
		var want strings.Builder
		for i := range steps + 1 {
			c := table[i*(len(table)-1)/steps]
			fmt.Fprintf(&want, "%02x%02x%02x", c[0], c[1], c[2])
		}
		if m[1] != want.String() {
			t.Errorf("%s is %s, in figures %s", p, m[1], want.String())
		}
	}
}
