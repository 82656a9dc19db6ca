//go:build !js

package site

import (
	"context"

	"attnatlas/engine"

	"github.com/maypok86/otter/v2"
)

// frequent keeps the reports that are asked for most often, and lets requests for the same one wait for one
// computation.
type frequent struct {
	cache *otter.Cache[ReportKey, *engine.Report]
}

// newFrequent keeps at most about the given number of bytes.
func newFrequent(bytes uint64) (frequent, error) {
	cache, err := otter.New(&otter.Options[ReportKey, *engine.Report]{MaximumWeight: bytes, Weigher: weigh})
	return frequent{cache}, err
}

// get is the report under a key, which load computes when there is none.
func (f frequent) get(ctx context.Context, key ReportKey, load loader) (*engine.Report, error) {
	loads := func(ctx context.Context, _ ReportKey) (*engine.Report, error) { return load(ctx) }
	return f.cache.Get(ctx, key, otter.LoaderFunc[ReportKey, *engine.Report](loads))
}

// has says whether there is a report under a key.
func (f frequent) has(key ReportKey) bool {
	_, ok := f.cache.GetIfPresent(key)
	return ok
}

// forget removes what is under a key.
func (f frequent) forget(key ReportKey) { f.cache.Invalidate(key) }
