package site

import (
	"context"

	"attnatlas/engine"
	"attnatlas/engine/method"
	"attnatlas/web/admission"
	"attnatlas/web/reports"
)

// keptAll is the cost of a pass that records everything, as a multiple of the cost of the request.
const keptAll = 4

// WithRoom runs work that takes several passes of a request: it claims the memory and waits for its turn.
func (s *Server) WithRoom(ctx context.Context, r engine.Request, work func() error) error {
	cost := s.Cost(r)
	if err := Claim(ctx, keptAll*cost.Bytes); err != nil {
		return err
	}
	return InTurn(ctx, s.Long, keptAll*cost.Operations, LongOperations, work)
}

// OperationsPerSecond is the speed of one core until the queue has measured it. LongOperations is the amount of work
// from which a request waits for its turn; the engine lets shorter requests take turns with a long one. Influence is
// requested for one mechanism after the other and by many visitors at once, so its limit is lower.
const (
	OperationsPerSecond = 50e9
	LongOperations      = OperationsPerSecond
	LongInfluence       = OperationsPerSecond / 20
)

// queued is an Inspector that runs long requests one after the other.
type queued struct {
	next reports.Inspector
	cost Cost
	long *admission.Queue
}

// Inspect runs a short request at once and a long one in its turn.
func (q *queued) Inspect(ctx context.Context, r engine.Request) (report *engine.Report, err error) {
	work := func() error {
		report, err = q.next.Inspect(ctx, r)
		return err
	}
	err = InTurn(ctx, q.long, q.cost(r).Operations, longFor(r), work)
	return report, err
}

// longFor returns the number of operations from which a request has to wait for its turn.
func longFor(r engine.Request) float64 {
	if r.Method.Name == method.Influence {
		return LongInfluence
	}
	return LongOperations
}

// Claim waits for memory for this many bytes and for the answer made of them. Memory that the request has already
// claimed counts; Claim waits only for the rest.
func Claim(ctx context.Context, bytes int64) error {
	if held := ResponseOf(ctx); held != nil {
		return held.claim(bytes)
	}
	return nil
}

// Reserve claims the memory of the largest of several requests, for a page that makes them one after the other. The
// page then waits once, and not for each request.
func (s *Server) Reserve(ctx context.Context, requests ...engine.Request) error {
	bytes := int64(0)
	for _, r := range requests {
		bytes = max(bytes, s.Cost(r).Bytes)
	}
	return Claim(ctx, 2*bytes) // caches may hold one more
}

// InTurn runs work of this many operations: at once if it is short, otherwise in its turn.
func InTurn(ctx context.Context, queue *admission.Queue, operations, long float64, work func() error) error {
	if operations < long {
		return work()
	}
	return noticed(ctx, queue.Do(ctx, operations, work))
}
