package long

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/fault"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/admission"
	"attnatlas/web/site"
)

// slow is a reader whose texts take as many bytes as they have characters times each. It reads until its context ends.
type slow struct {
	site.Inspector
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
func reading(t *testing.T, e *slow, unseen time.Duration) *texts {
	t.Helper()
	server, err := site.New(site.Options{Inspector: e, Memory: 256 << 20, Log: slog.New(slog.DiscardHandler),
		Access: site.Access{PerSecond: 1, Burst: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return &texts{server: server, engine: e, unseen: unseen}
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
	one, err := a.ask(t.Context(), "id", "text")
	if err != nil || a.server.Budget().Used() < 4<<20 {
		t.Fatal(err, a.server.Budget().Used())
	}
	eventually(t, "the model does not begin", func() bool { return e.running.Load() == 1 })
	for end := time.Now().Add(3 * unwatched); time.Now().Before(end); time.Sleep(unwatched / 20) {
		if again, err := a.ask(t.Context(), "id", "text"); again != one || err != nil {
			t.Fatal("a text that is asked for is read again", err)
		}
	}
	eventually(t, "the model reads on", func() bool { return e.running.Load() == 0 })
	eventually(t, "the memory is kept", func() bool { return a.server.Budget().Used() == 0 })
	if a.find(one.key) != nil {
		t.Error("the text is kept")
	}
}

// TestMemory: a text that needs more than there is is refused with the sum. Texts that were read make room for new
// ones when nobody asks for them, and texts that somebody looks at do not.
func TestMemory(t *testing.T) {
	e := &slow{each: 1 << 20, quick: true}
	a := reading(t, e, time.Hour)
	_, err := a.ask(t.Context(), "id", strings.Repeat("a", 70))
	if fault.KindOf(err) != fault.TooLarge || !strings.Contains(err.Error(), "70 MB") {
		t.Errorf("70 MB: %v", err)
	}
	long := func(letter string) (*text, error) { return a.ask(t.Context(), "id", strings.Repeat(letter, 12)) }
	first, err := long("a")
	if err != nil {
		t.Fatal(err)
	}
	second, err := long("b")
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the texts are not read", func() bool { return first.done() != nil && second.done() != nil })
	var refused *admission.Refusal
	if _, err := long("c"); !errors.As(err, &refused) {
		t.Errorf("a third text of 12 MB: %v", err)
	}
	second.mu.Lock()
	second.looked = time.Now().Add(-2 * time.Hour)
	second.mu.Unlock()
	if _, err := long("c"); err != nil || a.find(keyOf("id", strings.Repeat("b", 12))) != nil ||
		a.find(first.key) == nil {
		t.Errorf("the text that nobody asked for the longest makes no room: %v", err)
	}
}

// TestFailed: a text that could not be read says so once. If its visitor has left, it makes room.
func TestFailed(t *testing.T) {
	e := &slow{each: 1 << 20, fails: errors.New("broken")}
	a := reading(t, e, time.Hour)
	for _, letter := range []string{"a", "b"} {
		one, err := a.ask(t.Context(), "id", strings.Repeat(letter, 20))
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
	if _, err := a.ask(t.Context(), "id", strings.Repeat("b", 20)); !errors.Is(err, e.fails) || len(a.all) != 0 {
		t.Error(err, len(a.all))
	}
}

// TestTwice: two requests for a new text at the same time let the model read it once.
func TestTwice(t *testing.T) {
	a := reading(t, &slow{}, time.Hour)
	first, second := &text{key: "k"}, &text{key: "k"}
	for _, one := range []*text{first, second} {
		one.share = a.server.Budget().Share()
		if there, err := a.add(one); there != first || err != nil {
			t.Error("the text is there twice", err)
		}
	}
}

// TestPublished: a published folder, and a server whose engine reads no long texts, say why they show no map.
func TestPublished(t *testing.T) {
	for _, inspector := range []site.Inspector{&slow{each: 1}, struct{ site.Inspector }{&slow{}}} {
		server, err := site.New(site.Options{Inspector: inspector, Log: slog.New(slog.DiscardHandler),
			Entries: attention.Catalog})
		if err != nil {
			t.Fatal(err)
		}
		server.Register(Pages(server)...)
		want := "This server does not read long texts."
		if _, ok := inspector.(reader); ok {
			server.Published, want = true, "A published folder does not read long texts"
		}
		page := http.StatusUnprocessableEntity
		if server.Published {
			page = http.StatusOK // it is a file of the folder
		}
		for path, status := range map[string]int{"/long?text=cat": page, "/long": page,
			"/api/v1/long?text=cat&m=dot-product": 422, "/export/long.png?text=cat&m=dot-product": 422, "/api/v1/long-tile?key=x": 422} {
			w := httptest.NewRecorder()
			server.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "http://localhost"+path, nil))
			if body := w.Body.String(); w.Code != status || !strings.Contains(body, want) && !strings.Contains(path, "tile") {
				t.Errorf("%s: %d %.300s, wanted %d %q", path, w.Code, body, status, want)
			}
		}
	}
}

// TestHeadWaitsNotForever: a request that has ended does not wait for the head of another.
func TestHeadWaitsNotForever(t *testing.T) {
	one := &text{computing: make(chan struct{}, 1)}
	one.computing <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := one.head(ctx, nil, 1, 1)
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
