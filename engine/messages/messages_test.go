package messages

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

func TestSay(t *testing.T) {
	for _, c := range []struct {
		m    Message
		want string
	}{
		{Message{}, ""},
		{Text("{{.x}}"), "{{.x}}"},
		{New("count.layer", "count", 1), "1 layer"},
		{New("count.layer", "count", 12345), "12\u202f345 layers"},
		{New("no.such.id"), "no.such.id"},
	} {
		if got := English.Say(c.m); got != c.want {
			t.Errorf("%v: got %q, want %q", c.m, got, c.want)
		}
	}
}

func TestEveryIDOnce(t *testing.T) {
	ids := slices.Clone(English.IDs())
	slices.Sort(ids)
	for i := 1; i < len(ids); i++ {
		if ids[i] == ids[i-1] {
			t.Errorf("%s has two texts", ids[i])
		}
	}
}

func TestOf(t *testing.T) {
	inner := Errorf("count.layer", "count", 2)
	if got := Of(fmt.Errorf("file: %w", inner)).String(); got != "2 layers" {
		t.Errorf("got %q", got)
	}
	if got := Of(errors.New("plain")).String(); got != "plain" {
		t.Errorf("got %q", got)
	}
}

func BenchmarkSay(b *testing.B) {
	m := New("count.layer", "count", 3)
	for b.Loop() {
		English.Say(m)
	}
}
