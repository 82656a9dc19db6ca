// Package reports keeps reports of the engine, so that equal requests share one.
package reports

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"attnatlas/engine"
	"attnatlas/engine/headstats"
	"attnatlas/engine/method"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
	"attnatlas/engine/tensor"
)

// Inspector runs mechanisms on a text. Its reports are read-only, because several requests may use the same one.
type Inspector interface {
	Inspect(ctx context.Context, r engine.Request) (*engine.Report, error)
}

// Cache caches reports, because a page, its figures and its data ask for the same report within a second, often at
// the same time.
type Cache struct {
	next     Inspector
	passing  func(error) bool
	recent   recent
	frequent frequent
}

// loader computes a report.
type loader func(context.Context) (*engine.Report, error)

// Key holds the whole request and not a hash of it, so that two different requests never have the same key.
type Key struct {
	text       string
	mechanisms string // each id, with its length in front
	mask       nn.MaskKind
	task       string
	told       bool
	method     method.Measurement
	race       predict.HiddenWords
	cuts       string // by mechanism
	change     string
	running    headstats.Place
}

// KeyOf returns the key of a request's report.
func KeyOf(r engine.Request) Key {
	var ids strings.Builder
	for _, id := range r.Mechanisms {
		ids.WriteString(strconv.Itoa(len(id)))
		ids.WriteByte(':')
		ids.WriteString(id)
	}
	return Key{
		text: r.Text, mechanisms: ids.String(), mask: r.Mask, task: r.Task, told: r.Told,
		method: r.Method, race: r.Race, cuts: r.Cuts.KeyFor(r.Mechanisms), change: r.Change.Key(), running: r.Running,
	}
}

// New returns a cache that keeps at most about the given number of bytes. It keeps no report with an error of a
// mechanism for which passing is true: the error may be gone next time.
func New(next Inspector, bytes uint64, passing func(error) bool) (*Cache, error) {
	wanted, err := newFrequent(bytes / 2)
	if err != nil {
		return nil, err
	}
	return &Cache{next: next, passing: passing, recent: recent{most: bytes / 2}, frequent: wanted}, nil
}

// Inspect returns the cached report, waits for an equal request that is in progress, or asks the engine.
func (c *Cache) Inspect(ctx context.Context, r engine.Request) (*engine.Report, error) {
	key := KeyOf(r)
	if report := c.recent.get(key); report != nil {
		return report, nil
	}
	report, err := c.frequent.get(ctx, key, func(ctx context.Context) (*engine.Report, error) {
		return c.next.Inspect(ctx, r)
	})
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(report.Mechanisms, func(m engine.Result) bool { return m.Err != nil && c.passing(m.Err) }) {
		c.frequent.forget(key)
	} else {
		c.recent.put(key, report)
	}
	return report, nil
}

// Has reports whether the cache can answer a request.
func (c *Cache) Has(r engine.Request) bool {
	key := KeyOf(r)
	return c.recent.get(key) != nil || c.frequent.has(key)
}

// weigh estimates the memory of a report, in bytes.
func weigh(k Key, r *engine.Report) uint32 {
	const perToken, perMap, perWord, overhead = 96, 256, 40, 1024
	total := overhead + (len(k.text)+len(k.race.Truth))*2 + len(k.mechanisms) + len(r.Tokens)*perToken
	for _, m := range r.Mechanisms {
		if m.Generated != nil {
			total += len(m.Generated.Steps) * predict.TopWords * perWord
		}
		total += len(m.Predictions) * predict.TopWords * perWord
		for _, a := range m.Attempts {
			total += len(a.Pieces) * predict.TopWords * perWord
		}
		for _, part := range slices.Concat(m.Parts, []engine.Part{{Layers: m.Layers}}) {
			for _, layer := range part.Layers {
				for _, step := range layer.Maps {
					total += perMap + step.Value.Len()*int(unsafe.Sizeof(tensor.Elem(0)))
				}
			}
		}
		if m.Running != nil {
			total += perMap + m.Running.State.Len()*int(unsafe.Sizeof(tensor.Elem(0)))
		}
		for _, shown := range m.Maps {
			total += perMap + shown.Value.Len()*int(unsafe.Sizeof(tensor.Elem(0)))
		}
	}
	return uint32(min(uint64(total), math.MaxUint32))
}
