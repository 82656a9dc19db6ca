package messages

import (
	"regexp"
	"testing"
)

// TestSimple: every text is filled in as the library does it, with any number, and also when arguments are missing.
func TestSimple(t *testing.T) {
	argument := regexp.MustCompile(`{{\.(\w+)}}`)
	for id, texts := range English.texts {
		args := map[string]any{}
		for _, text := range texts {
			for _, m := range argument.FindAllStringSubmatch(text, -1) {
				args[m[1]] = "{{.count}} of " + m[1]
			}
		}
		for _, count := range []any{nil, 0, 1, 2, 12345} {
			if len(texts) > 1 && count == nil {
				continue // the library does not say it
			}
			for _, with := range []map[string]any{args, {}} {
				got, want := simple(English.texts).fill(id, with, count), English.filler.fill(id, with, count)
				if got != want {
					t.Errorf("%s with %v and %v: %q, of the library %q", id, count, with, got, want)
				}
			}
		}
	}
	if got := simple(English.texts).fill("no.such.id", nil, nil); got != "" {
		t.Errorf("a text that is not there says %q", got)
	}
}
