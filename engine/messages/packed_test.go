package messages

import (
	"maps"
	"reflect"
	"strings"
	"testing"
)

// TestPacked: a program in a browser reads back exactly what was written, with every plural form.
func TestPacked(t *testing.T) {
	l := newLanguage("en")
	l.unpack(English.Packed(""))
	if !reflect.DeepEqual(l.texts, English.texts) || !maps.Equal(l.plain, English.plain) ||
		len(l.ids) != len(English.texts) {
		t.Errorf("%d texts, of them %d without arguments; %d and %d were packed", len(l.texts), len(l.plain),
			len(English.texts), len(English.plain))
	}
	if l.Packed("error.") == l.Packed("") || !strings.HasPrefix(l.Packed("error."), "error.") {
		t.Error("texts are not chosen by what their ids begin with")
	}
}
