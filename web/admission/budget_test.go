package admission

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"attnatlas/engine/fault"
)

// TestSmallSharesGoPastLargeOnes: a small claim does not wait behind large ones while the last quarter has room.
func TestSmallSharesGoPastLargeOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(160, time.Minute)
		holds := b.Share()
		if err := holds.Claim(t.Context(), 100); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		all.Go(func() {
			if err := b.Share().Claim(t.Context(), 80); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		began := time.Now()
		for range 3 {
			if err := b.Share().Claim(t.Context(), 10); err != nil {
				t.Error(err)
			}
		}
		if waited := time.Since(began); waited > 0 {
			t.Errorf("small shares waited %v behind a large one", waited)
		}
		holds.Set(0)
		all.Wait()
		if b.Used() != 110 {
			t.Errorf("%d are used", b.Used())
		}
	})
}

// TestShareDoesNotWaitForItself: a share makes other requests wait, but not its own request, even if others wait for
// its memory. A claim that exceeds the limit fails at once.
func TestShareDoesNotWaitForItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(160, time.Minute)
		began, s := time.Now(), b.Share()
		var other sync.WaitGroup
		claim := func(s *Share, bytes int64) {
			if err := s.Claim(t.Context(), bytes); err != nil {
				t.Error(err)
			}
		}
		claim(s, 100)
		other.Go(func() { claim(b.Share(), 90) })
		synctest.Wait()
		claim(s, 50)
		claim(s, 400)
		for _, err := range []error{s.Claim(t.Context(), 100), s.Grow(1000)} {
			if fault.KindOf(err) != fault.TooLarge {
				t.Errorf("more than there is: %v", err)
			}
		}
		if waited := time.Since(began); waited > 0 {
			t.Errorf("it waited %v for itself", waited)
		}
		s.Set(0)
		other.Wait()
	})
}

// crowd lets visitors claim a tenth of the budget at the same moment, which each holds for 300 ms. It counts the
// visitors who were served, and those who were refused at once.
func crowd(t *testing.T, visitors int, patience time.Duration) (served, atOnce int, longest time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(1600, patience)
		var all sync.WaitGroup
		var mu sync.Mutex
		began := time.Now()
		for range visitors {
			all.Go(func() {
				s := b.Share()
				err := s.Claim(t.Context(), 160)
				waited := time.Since(began)
				if err == nil {
					time.Sleep(300 * time.Millisecond)
					s.Set(0)
				}
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					served, longest = served+1, max(longest, waited)
				case waited == 0:
					atOnce++
				case waited != patience:
					t.Errorf("refused after %v: %v", waited, err)
				}
			})
		}
		all.Wait()
	})
	return served, atOnce, longest
}

// TestPatienceOfAClass: if 64 visitors make large claims at the same moment and wait for each other, all are served.
// Without patience nearly all would be refused. Above the limit of waiting claims, further ones are refused at once.
func TestPatienceOfAClass(t *testing.T) {
	if served, _, longest := crowd(t, 64, 5*time.Second); served != 64 || longest > 3*time.Second {
		t.Errorf("with patience %d of 64 are served, the last after %v", served, longest)
	}
	if served, _, _ := crowd(t, 64, 0); served > 10 {
		t.Errorf("without patience %d of 64 are served", served)
	}
	if served, atOnce, _ := crowd(t, 1000, 5*time.Second); atOnce != 1000-7-mostWaiting || served != 7+mostWaiting {
		t.Errorf("of 1000 visitors %d are served, %d refused at once", served, atOnce)
	}
}

// TestFullLineLeavesSmallSharesAlone: small claims may wait even if no more large ones may.
func TestFullLineLeavesSmallSharesAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(1600, time.Minute)
		holds := b.Share()
		if err := holds.Claim(t.Context(), 1600); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		var refused atomic.Int64
		for i := range 2 * mostWaiting {
			bytes := []int64{10, 200}[i%2]
			all.Go(func() {
				s := b.Share()
				if s.Claim(t.Context(), bytes) != nil {
					refused.Add(1)
				}
				s.Set(0)
			})
		}
		synctest.Wait()
		if err := b.Share().Claim(t.Context(), 200); err == nil {
			t.Error("one more large share waits")
		}
		holds.Set(0)
		all.Wait()
		if refused.Load() > 0 || b.Used() != 0 {
			t.Errorf("%d are refused, %d bytes are used", refused.Load(), b.Used())
		}
	})
}
