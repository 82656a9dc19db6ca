package attention_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// TestStateIsWhatTheNextWordReads: State counts the keys and values that word N + 1 needs after N
// words, or the running sums of mechanisms that have them. If another next word could attend to
// other words, all keys and values count.
func TestStateIsWhatTheNextWordReads(t *testing.T) {
	const n = 40
	c := attention.Config{Width: 12, Heads: 3, Length: 64}
	for _, e := range attention.Catalog {
		t.Run(e.ID, func(t *testing.T) {
			kept, ok := e.Kept(c, n)
			if !ok {
				if e.Masks.NoCausal.IsZero() {
					t.Error("it can write, and does not say what it keeps")
				}
				return
			}
			mask := nn.Mask{}
			if e.Masks.NoCausal.IsZero() {
				mask.Kind = nn.Causal
			}
			_, run := newSubject(t, e, c, 1, n+1).run(mask, noise(rand.New(rand.NewPCG(3, 4)), 1, n+1, c.Width), true)
			if got := keptOf(run, e.Views[0].Map, n); got != kept && (got > kept || !anywhere[e.ID]) {
				t.Errorf("%s is %d numbers; word %d reads %d", e.State, kept, n+1, got)
			}
		})
	}
}

// anywhere lists mechanisms in which another next word could attend to other words.
var anywhere = map[string]bool{attention.BigBird.ID: true, attention.Reformer.ID: true}

// keptOf returns the number of elements of slots and sums, or of the keys and values that the last
// row needs.
func keptOf(run *trace.Run, shown string, n int) (numbers int) {
	of := func(names ...string) (count int) {
		for _, m := range run.Steps {
			if slices.Contains(names, m.Name) {
				count += m.Value.Len()
			}
		}
		return count
	}
	if slots := of("k slots", "v slots"); slots > 0 {
		return slots
	}
	if state := of("state"); state > 0 {
		return state + of("phi k")/(n+1) // and Σφ(k)
	}
	a, _ := run.Find(shown)
	read := 0
	for j := range n {
		for h := range a.Value.Dim(0) {
			if a.Value.Data[(h*(n+1)+n)*(n+1)+j] != 0 {
				read++
				break
			}
		}
	}
	return read * of("k", "v", "qk") / (n + 1)
}
