package web

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"attnatlas/engine"
)

// apart is an Inspector that asks for what is measured of several mechanisms one by one, the cheapest first: what is
// measured of one is remembered whatever else is asked for. What is short does not wait for what is
// long, as many at a time as there are processors; the rest stands in the queue at once, so that others
// are told how long it is.
type apart struct {
	*cachedInspector
	cost Cost
}

// measures says whether a request is for what takes long, and is of each mechanism by itself: influence and
// other methods of attribution, and a guess at every word in its turn.
func measures(r engine.Request) bool {
	return r.Method.Long() || r.Race.Turns
}

// Inspect answers a request of several mechanisms from those of each.
func (a *apart) Inspect(ctx context.Context, r engine.Request) (*engine.Report, error) {
	ids := r.Mechanisms
	if !measures(r) || len(ids) < 2 {
		return a.cachedInspector.Inspect(ctx, r)
	}
	reports, errs := make([]*engine.Report, len(ids)), make([]error, len(ids))
	var all sync.WaitGroup
	places := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, i := range a.order(r) {
		one := alone(r, ids[i])
		ask := func() { reports[i], errs[i] = a.ask(ctx, one) }
		if a.cost(one).Operations >= many(one) {
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
	return together(ids, reports, errs)
}

// ask answers a request. Its panic is an error: that of a goroutine does not reach the handler.
func (a *apart) ask(ctx context.Context, r engine.Request) (report *engine.Report, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = panicked(cause)
		}
	}()
	return a.cachedInspector.Inspect(ctx, r)
}

// alone is a request for one mechanism.
func alone(r engine.Request, id string) engine.Request {
	r.Mechanisms = []string{id}
	return r
}

// order lists the numbers of a request's mechanisms by what they cost.
func (a *apart) order(r engine.Request) []int {
	costs, order := make([]float64, len(r.Mechanisms)), make([]int, len(r.Mechanisms))
	for i, id := range r.Mechanisms {
		costs[i], order[i] = a.cost(alone(r, id)).Operations, i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(costs[i], costs[j]) })
	return order
}

// together makes one report of those of single mechanisms. What keeps one from answering, such as a long queue,
// is said in its place; what keeps all is the error of the whole.
func together(ids []string, reports []*engine.Report, errs []error) (*engine.Report, error) {
	var whole *engine.Report
	for _, r := range reports {
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
		if reports[i] != nil {
			whole.Mechanisms = append(whole.Mechanisms, reports[i].Mechanisms...)
			continue
		}
		whole.Mechanisms = append(whole.Mechanisms, unanswered(id, errs[i]))
	}
	return whole, nil
}

// unanswered is the result of a mechanism that was not asked, or did not come to its turn.
func unanswered(id string, err error) engine.Result {
	entry, stack, _ := engine.Find(id)
	return engine.Result{ID: id, Entry: entry, Stack: stack, Err: err}
}

// soonOperations is what a page measures before it is sent, beside what is remembered: the mechanisms that cost
// least, at least one. The others are asked for by scripts, or by their links.
const soonOperations = operationsPerSecond / 5

// soon says whether a request is answered from memory, or costs no more than a page measures before it is sent.
func (a *apart) soon(r engine.Request) bool {
	return a.remembers(r) || a.cost(r).Operations <= soonOperations
}

// remembers says whether a request would be answered from memory.
func (a *apart) remembers(r engine.Request) bool {
	if !measures(r) {
		return a.cachedInspector.remembers(r)
	}
	return !slices.ContainsFunc(r.Mechanisms, func(id string) bool { return !a.cachedInspector.remembers(alone(r, id)) })
}

// later lists the mechanisms that a page does not wait for, by what they cost. The page asks for the first request, and
// of a second text for others with the same mechanisms.
func (a *apart) later(first engine.Request, others ...engine.Request) (rest []string) {
	if !measures(first) {
		return nil
	}
	jobs := make([][]engine.Request, len(first.Mechanisms))
	for i, id := range first.Mechanisms {
		for _, r := range append([]engine.Request{first}, others...) {
			jobs[i] = append(jobs[i], alone(r, id))
		}
	}
	for _, i := range a.postponed(jobs, 1) {
		rest = append(rest, first.Mechanisms[i])
	}
	return rest
}

// postponed lists by their numbers the jobs, each of some requests, that a page does not wait for, by what they cost: beside
// what is remembered it waits for those that cost least while they are soon done, and for so many at least.
func (a *apart) postponed(jobs [][]engine.Request, least int) (rest []int) {
	costs, order := make([]float64, len(jobs)), []int{}
	for i, job := range jobs {
		for _, r := range job {
			if !a.remembers(r) {
				costs[i] += a.cost(r).Operations
			}
		}
		if costs[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(costs[i], costs[j]) })
	spent := 0.0
	for begun, i := range order {
		if spent += costs[i]; begun >= least && spent > soonOperations {
			rest = append(rest, i)
		}
	}
	return rest
}
