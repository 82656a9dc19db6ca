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

// Budget limits the bytes of requests in progress and of answers that clients are reading. A claim for more bytes
// waits, but not longer than the patience. Growth of an answer beyond its claim is counted without waiting, up to one
// and a half times the budget. The last quarter is reserved for small shares, so that slow readers of large answers
// do not delay other clients.
//
// It is safe for concurrent use.
type Budget struct {
	total    int64
	patience time.Duration

	mu      sync.Mutex
	used    int64
	peak    int64
	shares  map[*Share]struct{} // shares with at least one byte
	waiting []*claim            // in order of arrival
}

// claim is a share that waits for more bytes.
type claim struct {
	share *Share
	bytes int64
	ready chan struct{}
}

// NewBudget returns a budget of this many bytes, whose claims wait up to the patience.
func NewBudget(bytes int64, patience time.Duration) *Budget {
	return &Budget{total: bytes, patience: patience, shares: map[*Share]struct{}{}}
}

// Up to total/smallPart bytes count as a small share. A single share may have mostTimes the total; room admits it
// while the others hold at most a quarter.
const (
	smallPart = 16
	mostTimes = 4
)

// Share is the part of a budget that one request holds. It belongs to one goroutine.
type Share struct {
	budget *Budget
	bytes  int64
	until  time.Time // latest time of its return; zero if unknown
}

// Share returns an empty share; making it does not wait.
func (b *Budget) Share() *Share { return &Share{budget: b} }

// mostWaiting limits the number of waiting large shares. Each is a request in progress, whose number is limited too,
// so waiting requests must leave room for those that need little memory.
const mostWaiting = 64

// Claim adds bytes to the share, and waits until the budget has room for them. It fails with a Refusal after the
// budget’s patience, and with ctx.Err() if ctx ends first. It fails at once if the share could never fit, or if too
// many large shares already wait.
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
		b.wake() // a claim behind it may be smaller
		return b.withRetryAfter(err)
	}
	b.used -= bytes // wake has reserved them
	b.add(s, bytes)
	return nil
}

// within returns an error if bytes exceed most, the limit that no waiting can raise.
func within(bytes, most int64) error {
	if bytes <= most {
		return nil
	}
	return fault.Errorf(fault.TooLarge, "error.too-much-memory", "megabytes", int(bytes>>20), "most", int(most>>20))
}

// withRetryAfter returns err. If err is a Refusal, it names the time until the first share is returned, if known.
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

// small reports whether so many bytes are a small share, which may overtake large ones.
func (b *Budget) small(bytes int64) bool { return bytes <= b.total/smallPart }

// largeWaiting returns the number of waiting large shares.
func (b *Budget) largeWaiting() (n int) {
	for _, c := range b.waiting {
		if !b.small(c.bytes) {
			n++
		}
	}
	return n
}

// overtakes reports whether a share gets bytes before the waiting claims: if they are few, or if the share holds
// memory for which the others wait.
func (b *Budget) overtakes(s *Share, bytes int64) bool { return b.small(bytes) || s.bytes > 0 }

// room reports whether a share may get this many more bytes. It always may if the other shares hold at most a quarter
// of the budget, so that no request waits for its own memory.
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

// wake admits the waiting claims that fit now, in order. Small claims, and claims of shares with memory, may
// overtake.
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

// Set sets the size of a share in bytes, even if the budget has no room for it.
func (s *Share) Set(bytes int64) {
	b := s.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	b.add(s, bytes-s.bytes)
	b.wake()
}

// Grow raises a share to this many bytes without waiting, because others wait for memory that the share holds. It
// fails if all shares would exceed one and a half budgets: with a Refusal, or with TooLarge if bytes alone do.
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

// Until sets the latest time at which the share is returned.
func (s *Share) Until(t time.Time) {
	s.budget.mu.Lock()
	defer s.budget.mu.Unlock()
	s.until = t
}

// Budget returns the budget of the share.
func (s *Share) Budget() *Budget { return s.budget }

// Bytes returns the size of the share.
func (s *Share) Bytes() int64 { return s.bytes }

// Used returns the sum of all shares, in bytes.
func (b *Budget) Used() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// Peak returns the largest sum of all shares since the last call of Peak, in bytes.
func (b *Budget) Peak() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	peak := b.peak
	b.peak = b.used
	return peak
}

// Total returns the size of the budget, in bytes.
func (b *Budget) Total() int64 { return b.total }
