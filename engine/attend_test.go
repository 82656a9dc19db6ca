package engine_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
)

// TestAttend: layer after layer it hands out what Inspect reports, for a text and for its ids.
func TestAttend(t *testing.T) {
	e, ctx := engine.New(), context.Background()
	const text = "The old cat sat on the mat."
	rep, err := e.Inspect(ctx, engine.Request{Text: text, Mechanisms: []string{"gpt2", "dense", "encoder-decoder"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, res := range rep.Mechanisms {
		for _, ids := range [][]int{nil, tokenizer.IDs(rep.Tokens)} {
			of, layers := engine.Attended{}, 0
			err := e.Attend(ctx, res.ID, text, ids, func(a engine.Attended) error { of = a; return nil }, func(number int,
				got *tensor.T) error {
				want, _ := res.Layers[number-1].Find("weights")
				if layers++; number != layers || !slices.Equal(got.Data, want.Value.Data) {
					t.Errorf("%s: layer %d, as number %d, is not that of Inspect", res.ID, number, layers)
				}
				return nil
			})
			if err != nil || layers != len(res.Layers) || of.Layers != layers || of.Heads != res.Heads ||
				len(of.Tokens) != len(rep.Tokens) {
				t.Errorf("%s: %d layers of %+v, %v", res.ID, layers, of, err)
			}
		}
	}
}

// TestAttendStops: an error of who listens ends the pass and is returned.
func TestAttendStops(t *testing.T) {
	e, full, layers := engine.New(), errors.New("full"), 0
	none := func(engine.Attended) error { return nil }
	err := e.Attend(context.Background(), "dot-product", "a cat", nil, none,
		func(int, *tensor.T) error { layers++; return full })
	if !errors.Is(err, full) || layers != 1 {
		t.Errorf("%d layers, %v", layers, err)
	}
	for _, id := range []string{"nonsense", "linformer"} {
		if e.Attend(context.Background(), id, "a cat", nil, none, func(int, *tensor.T) error { return nil }) == nil {
			t.Errorf("%s answers", id)
		}
	}
	if e.Attend(context.Background(), "dot-product", "", []int{1 << 20}, none, nil) == nil {
		t.Error("an id outside of the vocabulary is read")
	}
}

// TestAttendLendsItsSlot: passes whose layers wait for clients do not delay others, and only so many begin.
func TestAttendLendsItsSlot(t *testing.T) {
	e, stop := engine.New(), make(chan struct{})
	var waiting, ended sync.WaitGroup
	most := 4 * runtime.GOMAXPROCS(0) // as many as begin at a time
	waiting.Add(most)
	var begun atomic.Int64
	for range most + 3 {
		first := sync.OnceFunc(func() {
			if begun.Add(1) <= int64(most) {
				waiting.Done()
			}
		})
		ended.Go(func() {
			err := e.Attend(context.Background(), "dot-product", "a cat", nil, func(engine.Attended) error { return nil },
				func(int, *tensor.T) error { first(); <-stop; return nil })
			if err != nil {
				t.Error(err)
			}
		})
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	began := make(chan struct{})
	go func() { waiting.Wait(); close(began) }()
	select {
	case <-began:
	case <-ctx.Done():
		t.Error("passes wait for the slots of others")
	}
	if _, err := e.Inspect(ctx, engine.Request{Text: "a cat", Mechanisms: []string{"dense"}}); err != nil {
		t.Error(err)
	}
	if n := begun.Load(); n != int64(most) {
		t.Errorf("%d passes have begun, wanted %d", n, most)
	}
	close(stop)
	ended.Wait()
}
