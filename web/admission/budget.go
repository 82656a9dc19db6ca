package admission

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"attnatlas/engine/fault"
)

// Budget bounds the bytes of requests that are being answered and of answers that are being read. A share that is asked
// for waits its turn, not longer than the patience; what is known only later, how long an answer became, is counted
// without waiting, up to half as much again. The last quarter is kept for small shares, so that large answers that are
// read slowly do not keep others waiting.
//
// It is safe for concurrent use.
type Budget struct {
	total    int64
	patience time.Duration

	mu      sync.Mutex
	used    int64
	peak    int64
	shares  map[*Share]struct{} // those that hold something
	waiting []*claim            // in the order of their arrival
}

// claim is a share that waits for so many bytes more.
type claim struct {
	share *Share
	bytes int64
	ready chan struct{}
}

// NewBudget is a budget of so many bytes.
func NewBudget(bytes int64, patience time.Duration) *Budget {
	return &Budget{total: bytes, patience: patience, shares: map[*Share]struct{}{}}
}

// smallPart is the part of a budget below which a share is small, and mostTimes how many times
// the whole a single share may be, which is then alone.
const (
	smallPart = 16
	mostTimes = 4
)

// Share is what one request holds of a budget. It belongs to one goroutine.
type Share struct {
	budget *Budget
	bytes  int64
	until  time.Time // when it will have been given back, if that is known
}

// Share is an empty share, which grows without waiting.
func (b *Budget) Share() *Share { return &Share{budget: b} }

// mostWaiting bounds how many large shares wait. Each is a request in progress, of which a server has only so many:
// those that wait for memory must leave places for those that need little of it.
const mostWaiting = 64

// Claim adds bytes to the share and waits until the budget has room for them beside what others hold. It fails with a
// Refusal after the budget's patience, with ctx.Err() if ctx ends first, and at once if there could never be room, or
// if too many large shares wait already.
func (s *Share) Claim(ctx context.Context, bytes int64) error {
	b := s.budget
	if err := within(s.bytes+bytes, mostTimes*b.total); err != nil {
		return err
	}
	b.mu.Lock()
	if (len(b.waiting) == 0 || b.overtakes(s, bytes)) && b.room(s, bytes) {
		b.add(s, bytes)
		b.mu.Unlock()
		return nil
	}
	if !b.small(bytes) && b.largeWaiting() >= mostWaiting {
		defer b.mu.Unlock()
		return b.withRetryAfter(Refuse("error.full", b.patience))
	}
	c := &claim{s, bytes, make(chan struct{})}
	b.waiting = append(b.waiting, c)
	b.mu.Unlock()
	patience := time.NewTimer(b.patience)
	defer patience.Stop()
	var err error
	select {
	case <-c.ready:
	case <-ctx.Done():
		err = ctx.Err()
	case <-patience.C:
		err = Refuse("error.full", b.patience)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.Index(b.waiting, c); i >= 0 {
		b.waiting = slices.Delete(b.waiting, i, i+1)
		b.wake() // who stood behind it may be smaller
		return b.withRetryAfter(err)
	}
	b.used -= bytes // wake has reserved them
	b.add(s, bytes)
	return nil
}

// within refuses what would never have room.
func within(bytes, most int64) error {
	if bytes <= most {
		return nil
	}
	return fault.Errorf(fault.TooLarge, "error.too-much-memory", "megabytes", int(bytes>>20), "most", int(most>>20))
}

// withRetryAfter is a refusal that says when the first share is given back.
func (b *Budget) withRetryAfter(err error) error {
	var refusal *Refusal
	if !errors.As(err, &refusal) {
		return err
	}
	soonest := time.Time{}
	for s := range b.shares {
		if !s.until.IsZero() && (soonest.IsZero() || s.until.Before(soonest)) {
			soonest = s.until
		}
	}
	if soonest.IsZero() {
		return refusal
	}
	return Refuse("error.full", time.Until(soonest))
}

// small says whether so many bytes are a small share, which goes past large ones.
func (b *Budget) small(bytes int64) bool { return bytes <= b.total/smallPart }

// largeWaiting counts the large shares that wait.
func (b *Budget) largeWaiting() (n int) {
	for _, c := range b.waiting {
		if !b.small(c.bytes) {
			n++
		}
	}
	return n
}

// overtakes reports whether a share gets so many bytes before those who wait: when they are few, or when the share
// holds memory that the others wait for.
func (b *Budget) overtakes(s *Share, bytes int64) bool { return b.small(bytes) || s.bytes > 0 }

// room reports whether a share may have so many bytes more. A share that others leave three quarters of the budget
// has room whatever it holds itself, so that no request waits for its own memory.
func (b *Budget) room(s *Share, bytes int64) bool {
	if b.used-s.bytes <= b.total/4 {
		return true
	}
	if b.small(bytes) {
		return b.used+bytes <= b.total
	}
	return b.used+bytes <= b.total/4*3
}

func (b *Budget) add(s *Share, bytes int64) {
	b.used += bytes
	b.peak = max(b.peak, b.used)
	if s.bytes += bytes; s.bytes > 0 {
		b.shares[s] = struct{}{}
	} else {
		delete(b.shares, s)
	}
}

// wake lets in who has room now: in order, but for those that overtake.
func (b *Budget) wake() {
	largeWaits := false
	b.waiting = slices.DeleteFunc(b.waiting, func(c *claim) bool {
		overtakes := b.overtakes(c.share, c.bytes)
		if !overtakes && largeWaits || !b.room(c.share, c.bytes) {
			largeWaits = largeWaits || !overtakes
			return false
		}
		b.used += c.bytes
		close(c.ready)
		return true
	})
}

// Set makes a share so many bytes, whether there is room or not.
func (s *Share) Set(bytes int64) {
	b := s.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	b.add(s, bytes-s.bytes)
	b.wake()
}

// Grow makes a share so many bytes, unless that is far more than there is room for; it does not wait,
// for who grows holds what others wait for. The error is a Refusal, or that of what would never have room.
func (s *Share) Grow(bytes int64) error {
	b := s.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	more, most := bytes-s.bytes, b.total/2*3
	if more > 0 && b.used+more > most {
		return cmp.Or(within(bytes, most), b.withRetryAfter(Refuse("error.full", b.patience)))
	}
	b.add(s, max(more, 0))
	return nil
}

// Until says when a share will have been given back at the latest.
func (s *Share) Until(t time.Time) {
	s.budget.mu.Lock()
	defer s.budget.mu.Unlock()
	s.until = t
}

// Budget is what a share is of.
func (s *Share) Budget() *Budget { return s.budget }

// Bytes is what a share holds.
func (s *Share) Bytes() int64 { return s.bytes }

// Used is what all shares hold.
func (b *Budget) Used() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// Peak is the most that all shares have held at a time since Peak was called last.
func (b *Budget) Peak() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	peak := b.peak
	b.peak = b.used
	return peak
}

// Total is the whole budget.
func (b *Budget) Total() int64 { return b.total }
