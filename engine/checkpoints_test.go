package engine

import (
	"errors"
	"testing"
	"time"

	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
)

// TestCheckpoints: the checkpoints of a training are ordered by step, and only the last ones that were opened stay in
// memory.
func TestCheckpoints(t *testing.T) {
	var all []*Guest
	for _, step := range []int{2000, 0, 500, 100, 1000} {
		all = append(all, &Guest{ID: "hf-test-" + string(rune('a'+len(all))), Training: "test", Step: step,
			Open: func() (Visit, error) {
				c := encoder.Shipped(attention.DotProduct.ID, 8)
				m, err := encoder.New(c, 0)
				return Visit{Model: m}, err
			}})
	}
	Invite(append(all, &Guest{ID: "hf-test-alone", Training: "another"})...)
	var steps []int
	for _, g := range Checkpoints("hf-test-a") {
		steps = append(steps, g.Step)
		if _, err := g.model(); err != nil {
			t.Fatal(err)
		}
	}
	if len(steps) != 5 || steps[0] != 0 || steps[1] != 100 || steps[4] != 2000 || Checkpoints("hf-test-alone") != nil {
		t.Errorf("the steps are %v", steps)
	}
	inMemory := func() (count int) {
		for _, g := range all {
			g.mu.Lock()
			if g.opened != nil {
				count++
			}
			g.mu.Unlock()
		}
		return count
	}
	for range 100 { // they are released in the background
		if inMemory() == mostOpened {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if n := inMemory(); n != mostOpened || all[0].opened == nil || all[1].opened != nil {
		t.Errorf("%d of 5 checkpoints are in memory", n)
	}
	broken := &Guest{ID: "hf-test-broken", Training: "test", Open: func() (Visit, error) { return Visit{}, errors.New("no") }}
	if _, err := broken.model(); err == nil || inMemory() != mostOpened {
		t.Error("a checkpoint that does not open takes the place of another", err)
	}
}
