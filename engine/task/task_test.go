package task

import (
	"strings"
	"testing"

	"attnatlas/engine/tokenizer"
)

// TestTarget: the target has the same words in another order, none split or lost.
func TestTarget(t *testing.T) {
	v := tokenizer.Default()
	words := Words(v, v.EncodeIDs("the zebra saw unbelievable 小 cats, the dog"))
	text := func(words [][]int) string {
		var all []string
		for _, w := range words {
			all = append(all, Spelling(v, w))
		}
		return strings.Join(all, " ")
	}
	for name, want := range map[string]string{
		"reverse": "dog the , cats 小 unbelievable saw zebra the",
		"sort":    ", cats dog saw the the unbelievable zebra 小",
	} {
		if got := text(Target(v, name, words)); got != want {
			t.Errorf("%s: %q, wanted %q", name, got, want)
		}
	}
	if got := text(words); got != "the zebra saw unbelievable 小 cats , the dog" {
		t.Errorf("the words have become %q", got)
	}
}
