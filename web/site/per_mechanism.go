package site

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/web/reports"
)

// perMechanism is an Inspector that measures several mechanisms one by one, the cheapest first, so that the result of
// each is cached by itself. Short measurements do not wait for long ones, and one runs per processor. The others
// enter the queue at once, so that other visitors see how long it is.
type perMechanism struct {
	cache *reports.Cache
	Cost  Cost
}

// Measures reports whether a request is long and can be split by mechanism: influence and other attribution methods,
// and predictions of every word in turn.
func Measures(r engine.Request) bool {
	return r.Method.Long() || r.Race.Turns
}

// Inspect answers a request for several mechanisms from the results of each.
func (a *perMechanism) Inspect(ctx context.Context, r engine.Request) (*engine.Report, error) {
	ids := r.Mechanisms
	if !Measures(r) || len(ids) < 2 {
		return a.cached(ctx, r)
	}
	found, errs := make([]*engine.Report, len(ids)), make([]error, len(ids))
	var all sync.WaitGroup
	places := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, i := range a.order(r) {
		one := forOne(r, ids[i])
		ask := func() { found[i], errs[i] = a.ask(ctx, one) }
		if a.Cost(one).Operations >= longFor(one) {
			all.Go(ask)
			continue
		}
		places <- struct{}{}
		all.Go(func() {
			ask()
			<-places
		})
	}
	all.Wait()
	return joinReports(ids, found, errs)
}

// ask answers a request. It turns a panic into an error, because a panic in a goroutine does not reach the handler.
func (a *perMechanism) ask(ctx context.Context, r engine.Request) (report *engine.Report, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = Panicked(cause)
		}
	}()
	return a.cached(ctx, r)
}

// cached answers a request from the cache, and notices temporary errors.
func (a *perMechanism) cached(ctx context.Context, r engine.Request) (*engine.Report, error) {
	report, err := a.cache.Inspect(ctx, r)
	if err != nil {
		return nil, noticed(ctx, err)
	}
	for _, m := range report.Mechanisms {
		_ = noticed(ctx, m.Err)
	}
	return report, nil
}

// passing reports whether an error may be gone next time: a failure, or a missing model.
func passing(err error) bool { return StatusOf(err) >= 500 || fault.KindOf(err) == fault.NotFound }

// forOne returns the request for one of the mechanisms.
func forOne(r engine.Request, id string) engine.Request {
	r.Mechanisms = []string{id}
	return r
}

// order returns the positions of a request's mechanisms, sorted by cost.
func (a *perMechanism) order(r engine.Request) []int {
	costs, order := make([]float64, len(r.Mechanisms)), make([]int, len(r.Mechanisms))
	for i, id := range r.Mechanisms {
		costs[i], order[i] = a.Cost(forOne(r, id)).Operations, i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(costs[i], costs[j]) })
	return order
}

// joinReports joins the reports of single mechanisms. An error of one mechanism, such as a long queue, becomes its
// result. An error of all mechanisms is the error of the whole.
func joinReports(ids []string, found []*engine.Report, errs []error) (*engine.Report, error) {
	var whole *engine.Report
	for _, r := range found {
		if r != nil && whole == nil {
			first := *r
			whole = &first
		}
	}
	if whole == nil {
		return nil, errs[0]
	}
	whole.Mechanisms = nil
	for i, id := range ids {
		if found[i] != nil {
			whole.Mechanisms = append(whole.Mechanisms, found[i].Mechanisms...)
			continue
		}
		whole.Mechanisms = append(whole.Mechanisms, Unanswered(id, errs[i]))
	}
	return whole, nil
}

// Unanswered is the result of a mechanism that was not asked, or was not reached in time.
func Unanswered(id string, err error) engine.Result {
	entry, stack, _ := engine.Find(id)
	return engine.Result{ID: id, Entry: entry, Stack: stack, Err: err}
}

// SoonOperations is the amount of work that a page does before it is sent, in addition to cached results. The
// cheapest mechanisms are measured, at least one. Scripts or links ask for the others.
const SoonOperations = OperationsPerSecond / 5

// errLater marks a measurement that a page leaves to its scripts.
var errLater = fault.Errorf(fault.Busy, "error.influence.later")

// Soon reports whether a request is cached, or costs no more than a page measures before it is sent. If it is false,
// the answer to ctx is marked as incomplete.
func (a *perMechanism) Soon(ctx context.Context, r engine.Request) bool {
	if a.Remembers(r) || a.Cost(r).Operations <= SoonOperations {
		return true
	}
	_ = noticed(ctx, errLater)
	return false
}

// Remembers reports whether the cache can answer a request.
func (a *perMechanism) Remembers(r engine.Request) bool {
	if !Measures(r) {
		return a.cache.Has(r)
	}
	return !slices.ContainsFunc(r.Mechanisms, func(id string) bool {
		return !a.cache.Has(forOne(r, id))
	})
}

// DeferredMechanisms lists the mechanisms that a page does not wait for, sorted by cost. A page asks for the first
// request, and with a second text for others with the same mechanisms.
func (a *perMechanism) DeferredMechanisms(ctx context.Context, first engine.Request,
	others ...engine.Request) (rest []string) {
	if !Measures(first) {
		return nil
	}
	jobs := make([][]engine.Request, len(first.Mechanisms))
	for i, id := range first.Mechanisms {
		for _, r := range append([]engine.Request{first}, others...) {
			jobs[i] = append(jobs[i], forOne(r, id))
		}
	}
	for _, i := range a.Postponed(ctx, jobs, 1) {
		rest = append(rest, first.Mechanisms[i])
	}
	return rest
}

// Postponed returns the positions of the jobs that a page does not wait for, sorted by cost. A job is several
// requests. The page waits for cached jobs, for the cheapest ones while they are done soon, and for at least the
// given number. The answer to ctx is incomplete without the postponed ones.
func (a *perMechanism) Postponed(ctx context.Context, jobs [][]engine.Request, least int) (rest []int) {
	costs, order := make([]float64, len(jobs)), []int{}
	for i, job := range jobs {
		for _, r := range job {
			if !a.Remembers(r) {
				costs[i] += a.Cost(r).Operations
			}
		}
		if costs[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(costs[i], costs[j]) })
	spent := 0.0
	for begun, i := range order {
		if spent += costs[i]; begun >= least && spent > SoonOperations {
			rest = append(rest, i)
			_ = noticed(ctx, errLater)
		}
	}
	return rest
}
