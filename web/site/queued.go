package site

import (
	"context"

	"attnatlas/engine"
	"attnatlas/engine/method"
	"attnatlas/web/admission"
)

// keptAll is about how many times what a request costs a pass has in all.
const keptAll = 4

// WithRoom does what takes a pass of a request some times over, when there is memory for it and it is its turn.
func (s *Server) WithRoom(ctx context.Context, r engine.Request, work func() error) error {
	cost := s.Cost(r)
	if err := Claim(ctx, keptAll*cost.Bytes); err != nil {
		return err
	}
	return InTurn(ctx, s.Long, keptAll*cost.Operations, LongOperations, work)
}

// operationsPerSecond is what one core does, until the queue has seen how fast it is, and
// longOperations what takes so long that it waits for its turn: what is shorter need not wait for it,
// for the engine lets both take turns. Influence is asked for of one mechanism after the other and by
// many together: of that, less is long.
const (
	OperationsPerSecond = 50e9
	LongOperations      = OperationsPerSecond
	LongInfluence       = OperationsPerSecond / 20
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
	err = InTurn(ctx, q.long, q.cost(r).Operations, longFor(r), work)
	return report, err
}

// longFor is how many operations of a request are so many that it is done in turn.
func longFor(r engine.Request) float64 {
	if r.Method.Name == method.Influence {
		return LongInfluence
	}
	return LongOperations
}

// Claim waits for room for so many bytes, and for the answer that is made of them. What a request has claimed before
// counts: only what is more is waited for.
func Claim(ctx context.Context, bytes int64) error {
	if held := ResponseOf(ctx); held != nil {
		return held.claim(bytes)
	}
	return nil
}

// Reserve claims the room that the largest of some requests takes, for a page that asks them one after the other: it
// waits once, and not for each.
func (s *Server) Reserve(ctx context.Context, requests ...engine.Request) error {
	bytes := int64(0)
	for _, r := range requests {
		bytes = max(bytes, s.Cost(r).Bytes)
	}
	return Claim(ctx, 2*bytes) // caches may hold one more
}

// InTurn does what takes so many operations: at once, or when it is its turn if that is long.
func InTurn(ctx context.Context, queue *admission.Queue, operations, long float64, work func() error) error {
	if operations < long {
		return work()
	}
	return noticed(ctx, queue.Do(ctx, operations, work))
}
