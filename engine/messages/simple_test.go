package messages

import (
	"maps"
	"reflect"
	"regexp"
	"strings"
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

// TestPacked: what a program in a browser reads is what was written, with every form.
func TestPacked(t *testing.T) {
	l := &Language{texts: map[string]map[string]string{}, plain: map[string]string{}}
	l.unpack(English.Packed(""))
	if !reflect.DeepEqual(l.texts, English.texts) || !maps.Equal(l.plain, English.plain) || len(l.ids) != len(English.texts) {
		t.Errorf("%d texts, of them %d without arguments; %d and %d were packed", len(l.texts), len(l.plain), len(English.texts), len(English.plain))
	}
	if l.Packed("error.") == l.Packed("") || !strings.HasPrefix(l.Packed("error."), "error.") {
		t.Error("texts are not chosen by what their ids begin with")
	}
}
