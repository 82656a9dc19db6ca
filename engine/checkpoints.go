package engine

import (
	"slices"
	"sync"
)

// Checkpoints returns all checkpoints of a guest's training, ordered by step. It returns nil for other models, and
// for a checkpoint without others.
func Checkpoints(id string) (all []*Guest) {
	one := FindGuest(id)
	if one == nil || one.Training == "" {
		return nil
	}
	for _, g := range Guests() {
		if g.Training == one.Training {
			all = append(all, g)
		}
	}
	if len(all) < 2 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b *Guest) int { return a.Step - b.Step })
	return all
}

// mostOpened is the number of checkpoints of a training in memory: two are compared, and one more is played.
const mostOpened = 3

// opened lists the checkpoints in memory by training, the last opened one last.
var opened = struct {
	mu sync.Mutex
	of map[string][]*Guest
}{of: map[string][]*Guest{}}

// replace releases the weights of the checkpoint that was opened first, if there are more than mostOpened. A
// computation that uses them keeps them until it ends.
func (g *Guest) replace() {
	if g.Training == "" || g.opened == nil {
		return
	}
	opened.mu.Lock()
	defer opened.mu.Unlock()
	all := slices.Concat(opened.of[g.Training], []*Guest{g})
	if len(all) > mostOpened {
		go all[0].release() // it may still be opening, and then holds its lock
		all = all[1:]
	}
	opened.of[g.Training] = all
}

// release forgets an opened model.
func (g *Guest) release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.opened = nil
}
