package site

import (
	"context"

	"attnatlas/engine"
)

// frequent keeps nothing: in a browser one visitor asks, and the recent reports are those that are wanted again.
type frequent struct{}

func newFrequent(uint64) (frequent, error) { return frequent{}, nil }

func (frequent) get(ctx context.Context, _ ReportKey, load loader) (*engine.Report, error) {
	return load(ctx)
}

func (frequent) has(ReportKey) bool { return false }

func (frequent) forget(ReportKey) {}
