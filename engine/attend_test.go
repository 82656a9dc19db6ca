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
	"attnatlas/engine/tokenizer"
)

// TestAttend: for a text and for its ids, Attend delivers the maps of Inspect, layer after layer.
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
			in := engine.AttendInput{ID: res.ID, IDs: ids}
			if ids == nil {
				in.Text = text
			}
			err := e.Attend(ctx, in, engine.AttendOutput{
				Begin: func(a engine.Attended) error { of = a; return nil },
				Layer: func(got engine.AttendedLayer) error {
					want, _ := res.Layers[got.Number-1].Find("weights")
					if layers++; got.Number != layers || !slices.Equal(got.Weights.Data, want.Value.Data) {
						t.Errorf("%s: layer %d, as number %d, is not that of Inspect", res.ID, got.Number, layers)
					}
					return nil
				}})
			if err != nil || layers != len(res.Layers) || len(of.Parts) != 1 || of.Parts[0].Layers != layers ||
				of.Parts[0].Heads != res.Heads || len(of.Tokens) != len(rep.Tokens) {
				t.Errorf("%s: %d layers of %+v, %v", res.ID, layers, of, err)
			}
		}
	}
}

// TestAttendStops: an error of the receiving function ends the pass and is returned.
func TestAttendStops(t *testing.T) {
	e, full, layers := engine.New(), errors.New("full"), 0
	ask := func(in engine.AttendInput, layer func(engine.AttendedLayer) error) error {
		return e.Attend(context.Background(), in, engine.AttendOutput{
			Begin: func(engine.Attended) error { return nil }, Layer: layer})
	}
	err := ask(engine.AttendInput{ID: "dot-product", Text: "a cat"},
		func(engine.AttendedLayer) error { layers++; return full })
	if !errors.Is(err, full) || layers != 1 {
		t.Errorf("%d layers, %v", layers, err)
	}
	for _, in := range []engine.AttendInput{{ID: "nonsense", Text: "a cat"}, {ID: "linformer", Text: "a cat"},
		{ID: "dot-product", IDs: []int{1 << 20}}, {ID: "dot-product", Text: "a", DecoderText: "a"},
		{ID: "encoder-decoder", Text: "a cat", DecoderText: "a ||| b"}} {
		if ask(in, func(engine.AttendedLayer) error { return nil }) == nil {
			t.Errorf("%+v is answered", in)
		}
	}
}

// TestAttendWaits: a pass with InTurn does not count towards the limit of begun passes.
func TestAttendWaits(t *testing.T) {
	e, stop := engine.New(), make(chan struct{})
	begin := func(engine.Attended) error { return nil }
	in := engine.AttendInput{ID: "dot-product", Text: "a cat"}
	var waiting, ended sync.WaitGroup
	for range 4 * runtime.GOMAXPROCS(0) { // the limit of begun passes
		first := sync.OnceFunc(waiting.Done)
		waiting.Add(1)
		ended.Go(func() {
			_ = e.Attend(context.Background(), in, engine.AttendOutput{Begin: begin,
				Layer: func(engine.AttendedLayer) error { first(); <-stop; return nil }})
		})
	}
	waiting.Wait()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var told []string
	err := e.Attend(ctx, in, engine.AttendOutput{
		Begin:  func(engine.Attended) error { told = append(told, "begin"); return nil },
		InTurn: func(run func() error) error { told = append(told, "turn"); return run() },
		Layer:  func(engine.AttendedLayer) error { told = append(told, "layer"); return nil },
	})
	if err != nil || !slices.Equal(told[:3], []string{"begin", "turn", "layer"}) {
		t.Errorf("%v, %v", told, err)
	}
	close(stop)
	ended.Wait()
}

// TestAttendLendsItsSlot: passes whose layers wait for clients do not delay others, and few can begin.
func TestAttendLendsItsSlot(t *testing.T) {
	e, stop := engine.New(), make(chan struct{})
	var waiting, ended sync.WaitGroup
	most := 4 * runtime.GOMAXPROCS(0) // the limit of begun passes
	waiting.Add(most)
	var begun atomic.Int64
	for range most + 3 {
		first := sync.OnceFunc(func() {
			if begun.Add(1) <= int64(most) {
				waiting.Done()
			}
		})
		ended.Go(func() {
			err := e.Attend(context.Background(), engine.AttendInput{ID: "dot-product", Text: "a cat"}, engine.AttendOutput{
				Begin: func(engine.Attended) error { return nil },
				Layer: func(engine.AttendedLayer) error { first(); <-stop; return nil }})
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
