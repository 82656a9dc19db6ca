// Package texts holds the long texts that models read, within the memory for them.
package texts

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/disk"
	"attnatlas/engine/fault"
	"attnatlas/engine/pyramid"
	"attnatlas/web/admission"
	"attnatlas/web/site"
)

// Reader reads long texts with models.
type Reader interface {
	Longs(id string) bool
	MeasureLong(id, text string) (engine.LongText, error)
	ReadLong(ctx context.Context, id, text string, read func(layers int)) (*engine.Long, error)
}

// Unwatched is the usual time after which a text is no longer read if no visitor asks for it.
const Unwatched = 10 * time.Second

// mostHeads is the number of heads of a text whose overviews are kept.
const mostHeads = 8

// largeText is the number of bytes of a text after whose pass free memory goes back to the system.
const largeText = 256 << 20

// Texts are the texts that models have read, or read now.
type Texts struct {
	engine Reader
	server *site.Server
	unseen time.Duration // after which a text is no longer read, and makes room for others

	mu  sync.Mutex
	all []*Text
}

// New returns an empty collection of texts for a server and its engine.
func New(server *site.Server, e Reader) *Texts {
	return &Texts{engine: e, server: server, unseen: Unwatched}
}

// Longs reports whether a model reads long texts.
func (a *Texts) Longs(id string) bool { return a.engine.Longs(id) }

// Measure returns a text's tokens, and what reading it would cost, without reading it.
func (a *Texts) Measure(id, text string) (engine.LongText, error) {
	return a.engine.MeasureLong(id, text)
}

var _ Reader = (*engine.Engine)(nil)

// Text is a text with the data that a model keeps for it.
type Text struct {
	engine.LongText
	Key   string // names the text and its model
	bytes int64
	read  atomic.Int32 // layers
	share *admission.Share

	mu     sync.Mutex
	long   *engine.Long // nil: not yet
	err    error
	looked time.Time

	computing chan struct{} // holds one while a head is computed: one head after another
	heads     []*head       // the last used one last
}

// head is a head of a text.
type head struct {
	layer, number int
	*pyramid.Head
}

// keyOf returns the name of a text that a model reads.
func keyOf(id, text string) string {
	sum := sha256.Sum256([]byte(id + "\x00" + text))
	return hex.EncodeToString(sum[:12])
}

// Find returns a text by its key, or nil.
func (a *Texts) Find(key string) *Text {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.all, func(t *Text) bool { return t.Key == key })
	if i < 0 {
		return nil
	}
	return a.all[i].look()
}

// look records that a visitor asks for a text.
func (t *Text) look() *Text {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.looked = time.Now()
	return t
}

// Read returns the number of layers that the model has read.
func (t *Text) Read() int { return int(t.read.Load()) }

// state returns the data that a model keeps for the text, or nil, and the error of its reading.
func (t *Text) state() (*engine.Long, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.long, t.err
}

// Done returns the data that a model keeps for the text, or nil.
func (t *Text) Done() *engine.Long {
	long, _ := t.state()
	return long
}

// unseen returns how long no visitor has asked for the text.
func (t *Text) unseen() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Since(t.looked)
}

// Ask returns a text. If it is new, and there is memory for it, the model begins to read it. The error of a text that
// could not be read is returned once.
func (a *Texts) Ask(ctx context.Context, id, content string) (*Text, error) {
	key := keyOf(id, content)
	if t := a.Find(key); t != nil {
		if _, err := t.state(); err != nil {
			a.drop(t)
			return nil, err
		}
		return t, nil
	}
	of, err := a.engine.MeasureLong(id, content)
	if err != nil {
		return nil, err
	}
	t := &Text{LongText: of, Key: key, looked: time.Now(), share: a.server.Budget().Share(),
		computing: make(chan struct{}, 1)}
	t.bytes = of.Kept + of.Passing + mostHeads*pyramid.Bytes(len(of.Tokens))
	if there, err := a.add(t); err != nil || there != t {
		return there, err
	}
	if a.server.Public() {
		if err := t.share.Claim(ctx, t.bytes); err != nil {
			a.drop(t)
			return nil, err
		}
	}
	go a.readNow(id, content, t)
	return t, nil
}

// room returns how many bytes all texts may take, of which taken are in use: half of the memory for answers, or of
// the machine's free memory.
func (a *Texts) room(taken int64) int64 {
	most := a.server.Budget().Total() / 2
	if !a.server.Public() { // as for models, the free memory of the machine counts
		most = max(most, (disk.FreeMemory()+taken)/2)
	}
	return most
}

// add adds a text and returns it, or the same text if another request has just added it. It forgets those that nobody
// has asked for the longest until there is memory for the new one, and those that could not be read.
func (a *Texts) add(t *Text) (there *Text, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	taken, all := int64(0), a.all[:0]
	for _, other := range a.all {
		if other.Key == t.Key {
			there = other.look()
		}
		if _, err := other.state(); err != nil && other.unseen() > a.unseen { // its visitor has left
			other.share.Set(0)
			continue
		}
		all, taken = append(all, other), taken+other.bytes
	}
	clear(a.all[len(all):])
	if a.all = all; there != nil {
		return there, nil
	}
	most := a.room(taken)
	if t.bytes > most {
		return nil, fault.Errorf(fault.TooLarge, "long.memory", "tokens", len(t.Tokens), "kept", megabytes(t.Kept),
			"passing", megabytes(t.bytes-t.Kept), "most", megabytes(most))
	}
	slices.SortStableFunc(a.all, func(x, y *Text) int { return cmp.Compare(y.unseen(), x.unseen()) })
	for i := 0; taken+t.bytes > most && i < len(a.all); {
		if other := a.all[i]; other.Done() != nil && other.unseen() > a.unseen {
			taken -= other.bytes
			other.share.Set(0)
			a.all = slices.Delete(a.all, i, i+1)
			continue
		}
		i++
	}
	if taken+t.bytes > most {
		return nil, admission.Refuse("long.busy", a.unseen)
	}
	a.all = append(a.all, t)
	return t, nil
}

func megabytes(bytes int64) int { return int((bytes + 1<<20 - 1) >> 20) }

// drop forgets a text.
func (a *Texts) drop(t *Text) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if i := slices.Index(a.all, t); i >= 0 {
		a.all = slices.Delete(a.all, i, i+1)
		t.share.Set(0)
	}
}

// readNow lets a model read a text in its turn. It stops if nobody asks for the text any more.
func (a *Texts) readNow(id, content string, t *Text) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go a.watch(ctx, t, stop)
	var long *engine.Long
	err := a.server.Long.Do(admission.Arriving(ctx), t.Operations, func() (err error) {
		long, err = a.engine.ReadLong(ctx, id, content, func(layers int) { t.read.Store(int32(layers)) })
		return err
	})
	if t.bytes > largeText {
		debug.FreeOSMemory() // the pass used a large part of all memory
	}
	if errors.Is(err, context.Canceled) {
		a.drop(t)
		return
	}
	if err != nil && site.StatusOf(err) == http.StatusInternalServerError { // other errors concern the text
		a.server.Log().Error("long text", "err", err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.long, t.err = long, err; err == nil {
		t.bytes = long.Kept + mostHeads*pyramid.Bytes(len(t.Tokens))
		t.read.Store(int32(long.Layers))
		if t.share.Bytes() > 0 {
			t.share.Set(t.bytes)
		}
	}
}

// watch stops the reading of a text that nobody asks for.
func (a *Texts) watch(ctx context.Context, t *Text, stop func()) {
	tick := time.NewTicker(a.unseen / 10)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if t.unseen() > a.unseen || a.server.Stopping() {
			stop()
		}
	}
}

// Head returns a head of a text that was read. It computes the head's overviews if they are not kept. It waits for other
// heads of the text not longer than the context.
func (t *Text) Head(ctx context.Context, s *site.Server, layer, number int) (*pyramid.Head, error) {
	select {
	case t.computing <- struct{}{}:
		defer func() { <-t.computing }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if i := slices.IndexFunc(t.heads, func(h *head) bool { return h.layer == layer && h.number == number }); i >= 0 {
		h := t.heads[i]
		t.heads = append(slices.Delete(t.heads, i, i+1), h)
		return h.Head, nil
	}
	l := t.Done()
	work := l.Operations / float64(cmp.Or(l.Layers*l.Heads, 1))
	var h *pyramid.Head
	err := site.InTurn(ctx, s.Long, work, site.LongOperations, func() (err error) {
		h, err = l.Head(ctx, layer, number)
		return err
	})
	if err != nil {
		return nil, err
	}
	if t.heads = append(t.heads, &head{layer, number, h}); len(t.heads) > mostHeads {
		t.heads = slices.Delete(t.heads, 0, 1)
	}
	return h, nil
}
