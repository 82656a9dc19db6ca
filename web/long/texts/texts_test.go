package texts

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/admission"
	"attnatlas/web/reports"
	"attnatlas/web/site"
)

// slow is a reader whose texts take as many bytes as they have characters times each. It reads until its context ends.
type slow struct {
	reports.Inspector
	each    int64
	running atomic.Int32
	quick   bool
	fails   error
}

func (*slow) Longs(string) bool { return true }

func (s *slow) MeasureLong(_, text string) (engine.LongText, error) {
	return engine.LongText{Tokens: make([]tokenizer.Token, 1), Kept: s.each * int64(len(text))}, nil
}

func (s *slow) ReadLong(ctx context.Context, _, text string, _ func(int)) (*engine.Long, error) {
	s.running.Add(1)
	defer s.running.Add(-1)
	if s.fails != nil {
		return nil, s.fails
	}
	if !s.quick {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return &engine.Long{LongText: engine.LongText{Kept: s.each * int64(len(text))}}, nil
}

// reading returns the texts of a public server with 64 MB for answers.
func reading(t *testing.T, e *slow, unseen time.Duration) *Texts {
	t.Helper()
	server, err := site.New(site.Options{Inspector: e, Memory: 256 << 20, Log: slog.New(slog.DiscardHandler),
		Access: site.Access{PerSecond: 1, Burst: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return &Texts{engine: e, server: server, unseen: unseen}
}

// eventually waits until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

// TestUnwatched: a text that nobody asks for is read no longer, and gives its memory back.
func TestUnwatched(t *testing.T) {
	const unwatched = 200 * time.Millisecond
	e := &slow{each: 1 << 20}
	a := reading(t, e, unwatched)
	one, err := a.Ask(t.Context(), "id", "text")
	if err != nil || a.server.Budget().Used() < 4<<20 {
		t.Fatal(err, a.server.Budget().Used())
	}
	eventually(t, "the model does not begin", func() bool { return e.running.Load() == 1 })
	for end := time.Now().Add(3 * unwatched); time.Now().Before(end); time.Sleep(unwatched / 20) {
		if again, err := a.Ask(t.Context(), "id", "text"); again != one || err != nil {
			t.Fatal("a text that is asked for is read again", err)
		}
	}
	eventually(t, "the model reads on", func() bool { return e.running.Load() == 0 })
	eventually(t, "the memory is kept", func() bool { return a.server.Budget().Used() == 0 })
	if a.Find(one.Key) != nil {
		t.Error("the text is kept")
	}
}

// TestMemory: a text that needs more than there is is refused with the sum. Texts that were read make room for new
// ones when nobody asks for them, and texts that somebody looks at do not.
func TestMemory(t *testing.T) {
	e := &slow{each: 1 << 20, quick: true}
	a := reading(t, e, time.Hour)
	_, err := a.Ask(t.Context(), "id", strings.Repeat("a", 70))
	if fault.KindOf(err) != fault.TooLarge || !strings.Contains(err.Error(), "70 MB") {
		t.Errorf("70 MB: %v", err)
	}
	long := func(letter string) (*Text, error) { return a.Ask(t.Context(), "id", strings.Repeat(letter, 12)) }
	first, err := long("a")
	if err != nil {
		t.Fatal(err)
	}
	second, err := long("b")
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the texts are not read", func() bool { return first.Done() != nil && second.Done() != nil })
	var refused *admission.Refusal
	if _, err := long("c"); !errors.As(err, &refused) {
		t.Errorf("a third text of 12 MB: %v", err)
	}
	second.mu.Lock()
	second.looked = time.Now().Add(-2 * time.Hour)
	second.mu.Unlock()
	if _, err := long("c"); err != nil || a.Find(keyOf("id", strings.Repeat("b", 12))) != nil ||
		a.Find(first.Key) == nil {
		t.Errorf("the text that nobody asked for the longest makes no room: %v", err)
	}
}

// TestFailed: a text that could not be read says so once. If its visitor has left, it makes room.
func TestFailed(t *testing.T) {
	e := &slow{each: 1 << 20, fails: errors.New("broken")}
	a := reading(t, e, time.Hour)
	for _, letter := range []string{"a", "b"} {
		one, err := a.Ask(t.Context(), "id", strings.Repeat(letter, 20))
		if err != nil {
			t.Fatal(letter, err)
		}
		eventually(t, "the text is not read", func() bool { _, err := one.state(); return err != nil })
		one.mu.Lock()
		one.looked = time.Now().Add(-2 * time.Hour)
		one.mu.Unlock()
	}
	if n, used := len(a.all), a.server.Budget().Used(); n != 1 || used > 21<<20 {
		t.Errorf("%d texts, %d bytes", n, used)
	}
	if _, err := a.Ask(t.Context(), "id", strings.Repeat("b", 20)); !errors.Is(err, e.fails) || len(a.all) != 0 {
		t.Error(err, len(a.all))
	}
}

// TestTwice: two requests for a new text at the same time let the model read it once.
func TestTwice(t *testing.T) {
	a := reading(t, &slow{}, time.Hour)
	first, second := &Text{Key: "k"}, &Text{Key: "k"}
	for _, one := range []*Text{first, second} {
		one.share = a.server.Budget().Share()
		if there, err := a.add(one); there != first || err != nil {
			t.Error("the text is there twice", err)
		}
	}
}

// TestHeadWaitsNotForever: a request that has ended does not wait for the head of another.
func TestHeadWaitsNotForever(t *testing.T) {
	one := &Text{computing: make(chan struct{}, 1)}
	one.computing <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := one.Head(ctx, nil, 1, 1)
		ended <- err
	}()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("it waits")
	}
}
