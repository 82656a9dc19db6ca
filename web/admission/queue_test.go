package admission

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestQueueGoesByArrival: the jobs of an earlier request precede those of later ones, even if they are queued later.
// Within a request, the cheapest job comes first.
func TestQueueGoesByArrival(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(1, 1)
		ctx := t.Context()
		first := Arriving(ctx)
		time.Sleep(time.Second)
		second := Arriving(ctx)
		var order []string
		var all sync.WaitGroup
		do := func(ctx context.Context, name string, seconds float64) {
			all.Go(func() {
				err := q.Do(ctx, seconds, func() error {
					order = append(order, name)
					time.Sleep(time.Duration(seconds * float64(time.Second)))
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		do(second, "what runs", 3)
		do(second, "of the second", 1)
		do(first, "of the first, long", 2)
		do(first, "of the first, short", 1)
		all.Wait()
		if want := []string{"what runs", "of the first, short", "of the first, long",
			"of the second"}; !slices.Equal(order, want) {
			t.Errorf("%q", order)
		}
	})
}

// TestQueueKnowsItsLength: with two lanes, a third job waits for the shorter of the two before it, and is told the
// time.
func TestQueueKnowsItsLength(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(2, 1)
		var all sync.WaitGroup
		together := 0
		for _, seconds := range []float64{10, 4} {
			all.Go(func() {
				q.Do(t.Context(), seconds, func() error {
					together++
					time.Sleep(time.Duration(seconds * float64(time.Second)))
					return nil
				})
			})
			synctest.Wait()
		}
		if together != 2 {
			t.Errorf("%d at a time", together)
		}
		time.Sleep(time.Second)
		err := q.Do(WithPatience(t.Context(), time.Second), 5, func() error { return nil })
		var refused *Refusal
		if !errors.As(err, &refused) || refused.After != 3*time.Second {
			t.Errorf("who is not patient hears %v", err)
		}
		all.Go(func() { q.Do(t.Context(), 5, func() error { return nil }) })
		synctest.Wait()
		if jobs, wait := q.Waiting(); jobs != 1 || wait != 8*time.Second {
			t.Errorf("%d wait, something new %v", jobs, wait)
		}
		all.Wait()
	})
}
