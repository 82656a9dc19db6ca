package admission

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Room is so much of something that work takes and gives back, such as pixels of figures that are drawn. It knows how
// much of it was taken at a time.
type Room struct {
	left *semaphore.Weighted

	mu         sync.Mutex
	used, peak int64
}

// NewRoom has room for so much.
func NewRoom(all int64) *Room { return &Room{left: semaphore.NewWeighted(all)} }

// Acquire takes so much, for which it waits until ctx ends.
func (r *Room) Acquire(ctx context.Context, n int64) error {
	if err := r.left.Acquire(ctx, n); err != nil {
		return err
	}
	r.add(n)
	return nil
}

// Release gives so much back.
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

// Peak is the most that was taken at a time since Peak was called last.
func (r *Room) Peak() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	peak := r.peak
	r.peak = r.used
	return peak
}
