package web

import (
	"context"

	"attnatlas/engine"
	"attnatlas/engine/method"
	"attnatlas/web/admission"
)

// operationsPerSecond is what one core does, until the queue has seen how fast it is, and
// longOperations what takes so long that it waits for its turn: what is shorter need not wait for it,
// for the engine lets both take turns. Influence is asked for of one mechanism after the other and by
// many together: of that, less is long.
const (
	operationsPerSecond = 50e9
	longOperations      = operationsPerSecond
	longInfluence       = operationsPerSecond / 20
)

// queued is an Inspector whose long work is done in turn.
type queued struct {
	next Inspector
	cost Cost
	long *admission.Queue
}

// Inspect answers at once, or when it is its turn.
func (q *queued) Inspect(ctx context.Context, r engine.Request) (report *engine.Report, err error) {
	work := func() error {
		report, err = q.next.Inspect(ctx, r)
		return err
	}
	err = inTurn(ctx, q.long, q.cost(r).Operations, many(r), work)
	return report, err
}

// many is how many operations of a request are so many that it is done in turn.
func many(r engine.Request) float64 {
	if r.Method.Name == method.Influence {
		return longInfluence
	}
	return longOperations
}

// inTurn does what takes so many operations: at once, or when it is its turn if that is long.
func inTurn(ctx context.Context, queue *admission.Queue, operations, long float64, work func() error) error {
	if operations < long {
		return work()
	}
	return queue.Do(ctx, operations, work)
}
