package admission

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
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
