//go:build !js

package reports

import (
	"context"

	"attnatlas/engine"

	"github.com/maypok86/otter/v2"
)

// frequent caches the reports that are requested most often. Requests for the same report share one computation.
type frequent struct {
	cache *otter.Cache[Key, *engine.Report]
}

// newFrequent returns a cache that keeps at most about the given number of bytes.
func newFrequent(bytes uint64) (frequent, error) {
	cache, err := otter.New(&otter.Options[Key, *engine.Report]{MaximumWeight: bytes, Weigher: weigh})
	return frequent{cache}, err
}

// get returns the report under a key, and computes it with load if it is missing.
func (f frequent) get(ctx context.Context, key Key, load loader) (*engine.Report, error) {
	loads := func(ctx context.Context, _ Key) (*engine.Report, error) { return load(ctx) }
	return f.cache.Get(ctx, key, otter.LoaderFunc[Key, *engine.Report](loads))
}

// has reports whether there is a report under a key.
func (f frequent) has(key Key) bool {
	_, ok := f.cache.GetIfPresent(key)
	return ok
}

// forget removes the report under a key.
func (f frequent) forget(key Key) { f.cache.Invalidate(key) }
