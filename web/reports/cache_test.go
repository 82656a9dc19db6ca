package reports

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"unsafe"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"

	"pgregory.net/rapid"
)

// fake answers requests with reports of one map each, whose number depends on the whole request.
type fake struct {
	before func(context.Context, engine.Request) error
	fails  error // of every mechanism
	calls  atomic.Int64
}

func (f *fake) Inspect(ctx context.Context, r engine.Request) (*engine.Report, error) {
	f.calls.Add(1)
	if f.before != nil {
		if err := f.before(ctx, r); err != nil {
			return nil, err
		}
	}
	report := &engine.Report{Text: r.Text}
	for _, id := range r.Mechanisms {
		of := tensor.New(1, 1, 1)
		h := fnv.New32a()
		fmt.Fprintf(h, "%q %q %v %v", id, r.Text, r.Mask, r.Method)
		of.Data[0] = tensor.Elem(h.Sum32())
		report.Mechanisms = append(report.Mechanisms, engine.Result{ID: id, Err: f.fails,
			Layers: []engine.Layer{{Maps: []trace.Map{{Value: of}}}}})
	}
	return report, nil
}

// newCache returns a cache that does not keep reports with busy or missing models.
func newCache(t testing.TB, next Inspector, bytes uint64) *Cache {
	t.Helper()
	c, err := New(next, bytes, func(err error) bool {
		return fault.KindOf(err) == fault.Busy || fault.KindOf(err) == fault.NotFound
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCacheAnswersTheQuestion makes many different, similar requests at once, with so little memory that reports are
// evicted all the time.
func TestCacheAnswersTheQuestion(t *testing.T) {
	c := newCache(t, &fake{}, 1<<20)
	lists := [][]string{{"dense"}, {"dense", "random"}, {"random", "dense"}, {"dense,random"}, {"5:dense"},
		{"dense", "dense"}, {""}}
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(worker), 1))
			for range 150 {
				q := engine.Request{
					Text:       fmt.Sprintf("text %d", random.IntN(12)),
					Mechanisms: lists[random.IntN(len(lists))],
					Mask:       nn.MaskKind(random.IntN(2)),
					Method:     method.Measurement{Name: method.Influence, Layer: random.IntN(3)},
				}
				got, err := c.Inspect(t.Context(), q)
				if err != nil {
					t.Error(err)
					return
				}
				want, _ := (&fake{}).Inspect(t.Context(), q)
				if !sameReport(got, want) {
					t.Errorf("%+v got the answer to something else", q)
				}
			}
		})
	}
	all.Wait()
}

func sameReport(a, b *engine.Report) bool {
	if a.Text != b.Text || len(a.Mechanisms) != len(b.Mechanisms) {
		return false
	}
	for i := range a.Mechanisms {
		if x, y := a.Mechanisms[i], b.Mechanisms[i]; x.ID != y.ID || !reflect.DeepEqual(x.Layers, y.Layers) {
			return false
		}
	}
	return true
}

func TestKeysDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		request := rapid.Custom(func(t *rapid.T) engine.Request {
			return engine.Request{
				Text:       rapid.StringMatching(`[a:01]{0,2}`).Draw(t, "text"),
				Mechanisms: rapid.SliceOfN(rapid.StringMatching(`[a:01]{0,4}`), 0, 3).Draw(t, "m"),
				Mask:       nn.MaskKind(rapid.IntRange(0, 1).Draw(t, "mask")),
				Method:     method.Measurement{Name: method.Influence, Layer: rapid.IntRange(0, 2).Draw(t, "influence")},
			}
		})
		a, b := request.Draw(t, "a"), request.Draw(t, "b")
		same := a.Text == b.Text && a.Mask == b.Mask && a.Method == b.Method &&
			fmt.Sprintf("%q", a.Mechanisms) == fmt.Sprintf("%q", b.Mechanisms)
		if (KeyOf(a) == KeyOf(b)) != same {
			t.Fatalf("%+v and %+v: keys %+v and %+v", a, b, KeyOf(a), KeyOf(b))
		}
	})
}

// TestKeysHaveEveryField: the key includes every field of a request, also fields that are added later.
func TestKeysHaveEveryField(t *testing.T) {
	plain := engine.Request{Mechanisms: []string{"dense"}}
	var differ func(field reflect.Value, name string)
	request := plain
	differ = func(field reflect.Value, name string) {
		switch field.Kind() {
		case reflect.String:
			field.SetString("other")
		case reflect.Bool:
			field.SetBool(true)
		case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
			field.SetInt(1)
		case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
			field.SetUint(1)
		case reflect.Slice:
			field.Set(reflect.MakeSlice(field.Type(), 2, 2))
		case reflect.Map: // by ids of mechanisms, or by layer
			field.Set(reflect.MakeMap(field.Type()))
			key := reflect.ValueOf("dense")
			if field.Type().Key().Kind() == reflect.Int {
				key = reflect.ValueOf(1)
			}
			field.SetMapIndex(key, reflect.MakeSlice(field.Type().Elem(), 1, 1))
		case reflect.Struct:
			for i := range field.NumField() {
				if !field.Field(i).CanSet() { // only the engine can set it
					continue
				}
				differ(field.Field(i), name+"."+field.Type().Field(i).Name)
			}
			return
		default:
			t.Fatalf("%s is of a kind that this test does not know", name)
		}
		if KeyOf(request) == KeyOf(plain) {
			t.Errorf("the key does not have %s", name)
		}
		request = plain
	}
	differ(reflect.ValueOf(&request).Elem(), "Request")
}

func TestCacheAsksOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		f := &fake{before: func(context.Context, engine.Request) error { <-release; return nil }}
		c := newCache(t, f, 1<<24)
		q := engine.Request{Text: "hello", Mechanisms: []string{"dense"}}
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				if _, err := c.Inspect(t.Context(), q); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait() // until all requests wait
		close(release)
		all.Wait()
		if _, err := c.Inspect(t.Context(), q); err != nil {
			t.Error(err)
		}
		if n := f.calls.Load(); n != 1 {
			t.Errorf("the engine was asked %d times", n)
		}
	})
}

// TestCancelledLeader: the first of several equal requests may be cancelled, and the others still get an answer.
func TestCancelledLeader(t *testing.T) { synctest.Test(t, leaderLeaves) }

func leaderLeaves(t *testing.T) {
	var calls atomic.Int64
	started := make(chan struct{})
	f := &fake{before: func(ctx context.Context, _ engine.Request) error {
		if calls.Add(1) > 1 {
			return nil
		}
		close(started)
		<-ctx.Done()
		return &fault.Error{Kind: fault.Busy, Msg: messages.Text("stopped"), Err: ctx.Err()}
	}}
	c := newCache(t, f, 1<<24)
	q := engine.Request{Text: "hello", Mechanisms: []string{"dense"}}
	leader, leave := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		if _, err := c.Inspect(leader, q); !errors.Is(err, context.Canceled) {
			t.Errorf("the leader got %v", err)
		}
	})
	<-started
	for range 3 {
		all.Go(func() {
			if r, err := c.Inspect(t.Context(), q); err != nil || r.Text != "hello" {
				t.Errorf("a follower got %v, %v", r, err)
			}
		})
	}
	synctest.Wait() // until the others wait for the leader
	leave()
	all.Wait()
}

// TestPassingErrorsAreForgotten: the cache keeps an error, and asks again after one that may be gone.
func TestPassingErrorsAreForgotten(t *testing.T) {
	for kind, calls := range map[fault.Kind]int64{fault.Busy: 2, fault.NotFound: 2, fault.Unsupported: 1} {
		f := &fake{fails: &fault.Error{Kind: kind, Msg: messages.Text("later")}}
		c := newCache(t, f, 1<<24)
		q := engine.Request{Text: "hello", Mechanisms: []string{"dense"}}
		if r, err := c.Inspect(t.Context(), q); err != nil || r.Mechanisms[0].Err == nil || c.Has(q) != (calls == 1) {
			t.Fatalf("%v", err)
		}
		f.fails = nil
		if r, err := c.Inspect(t.Context(), q); err != nil || (r.Mechanisms[0].Err == nil) != (calls == 2) ||
			f.calls.Load() != calls {
			t.Errorf("kind %v: the engine was asked %d times: %v, %v", kind, f.calls.Load(), r.Mechanisms[0].Err, err)
		}
	}
}

// TestWeight: a report weighs about as much as its numbers.
func TestWeight(t *testing.T) {
	r := &engine.Report{Text: "the cat sat"}
	numbers := 0
	for range 2 {
		var layer engine.Layer
		for n := range 4 {
			layer.Maps = append(layer.Maps, trace.Map{Value: tensor.New(4, 30, 30+n)})
			numbers += 4 * 30 * (30 + n)
		}
		r.Mechanisms = append(r.Mechanisms, engine.Result{ID: "dense", Layers: []engine.Layer{layer}})
	}
	w, size := weigh(KeyOf(engine.Request{Text: r.Text}), r), int(unsafe.Sizeof(tensor.Elem(0)))
	if int(w) < size*numbers || int(w) > size*numbers+16<<10 {
		t.Errorf("%d numbers weigh %d bytes", numbers, w)
	}
}

func TestKeysOfLists(t *testing.T) {
	lists := [][]string{{"a", "b"}, {"b", "a"}, {"ab"}, {"a,b"}, {"a0:b"}, {"a1:b"}, {"a", "b", ""}, {"a", "", "b"}, {}}
	seen := map[Key][]string{}
	for _, l := range lists {
		key := KeyOf(engine.Request{Mechanisms: l})
		if other, taken := seen[key]; taken {
			t.Errorf("%q and %q have the same key", l, other)
		}
		seen[key] = l
	}
}
