package web

import (
	"context"

	"attnatlas/engine"
	"attnatlas/web/admission"
)

// operationsPerSecond is what one core does, until the queue has seen how fast it is, and
// longOperations what takes so long that it is done one after the other: what is shorter
// need not wait for it, for the engine lets both take turns.
const (
	operationsPerSecond = 50e9
	longOperations      = operationsPerSecond
)

// queued is an Inspector whose long work is done one after the other.
type queued struct {
	next Inspector
	cost Cost
	long *admission.Queue
}

// Inspect answers at once, or when it is its turn.
func (q *queued) Inspect(ctx context.Context, r engine.Request) (report *engine.Report, err error) {
	err = inTurn(ctx, q.long, q.cost(r).Operations, func() error {
		report, err = q.next.Inspect(ctx, r)
		return err
	})
	return report, err
}

// inTurn does what takes so many operations: at once, or when it is its turn.
func inTurn(ctx context.Context, long *admission.Queue, operations float64, work func() error) error {
	if operations < longOperations {
		return work()
	}
	return long.Do(ctx, operations, work)
}
