package admission

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"attnatlas/engine/fault"
)

// TestSmallSharesGoPastLargeOnes: who asks for little does not wait behind those who wait for much, as long as the last
// quarter has room.
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

// TestShareDoesNotWaitForItself: what a request holds already keeps others waiting, and not the request, also where
// others wait for what it holds. More than there ever is gets no patience.
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
