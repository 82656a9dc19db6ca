package admission

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Room is a limited quantity that work takes and returns, such as the pixels of figures being drawn. It records how
// much was taken at once.
type Room struct {
	left *semaphore.Weighted

	mu         sync.Mutex
	used, peak int64
}

// NewRoom returns a Room of this size.
func NewRoom(all int64) *Room { return &Room{left: semaphore.NewWeighted(all)} }

// Acquire takes n, and waits for it until ctx ends.
func (r *Room) Acquire(ctx context.Context, n int64) error {
	if err := r.left.Acquire(ctx, n); err != nil {
		return err
	}
	r.add(n)
	return nil
}

// Release returns n.
func (r *Room) Release(n int64) {
	r.add(-n)
	r.left.Release(n)
}

func (r *Room) add(n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used += n
	r.peak = max(r.peak, r.used)
}

// Peak returns the largest amount that was taken at once since the last call of Peak.
func (r *Room) Peak() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	peak := r.peak
	r.peak = r.used
	return peak
}
