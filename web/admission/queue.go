package admission

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// Queue runs long jobs, a few at a time, in the order of their requests’ arrival. It learns the speed of the machine
// from finished jobs, and estimates how long each job will wait. A job that cannot end before its context’s deadline
// is refused as soon as that is known, with the time until it could begin.
//
// It is safe for concurrent use.
type Queue struct {
	lanes int // jobs that run at once

	mu      sync.Mutex
	rate    float64 // operations per second, of each job
	running []*job
	waiting []*job // in the order in which they will run
}

type job struct {
	operations     float64
	arrived, began time.Time
	turn           chan struct{}
}

// NewQueue returns a queue that runs lanes jobs at once, at first assuming rate operations per second for each.
func NewQueue(lanes int, rate float64) *Queue { return &Queue{lanes: max(1, lanes), rate: rate} }

type arrivalKey struct{}

// Arriving returns a context for the work of a request that arrives now. Its jobs precede the jobs of all later
// requests, whenever they are queued.
func Arriving(ctx context.Context) context.Context {
	return context.WithValue(ctx, arrivalKey{}, time.Now())
}

// arrivalOf returns the arrival time of the request to which the work belongs.
func arrivalOf(ctx context.Context) time.Time {
	if at, ok := ctx.Value(arrivalKey{}).(time.Time); ok {
		return at
	}
	return time.Now()
}

// precedes reports whether a job runs before another: the earlier request first, and within a request the cheaper
// job.
func (j *job) precedes(other *job) bool {
	return cmp.Or(j.arrived.Compare(other.arrived), cmp.Compare(j.operations, other.operations)) < 0
}

// look is the interval at which a waiting job checks whether it can still end in time.
const look = 250 * time.Millisecond

// Do runs work of this many operations in its turn, and updates the estimated speed of the machine.
func (q *Queue) Do(ctx context.Context, operations float64, work func() error) error {
	return q.do(ctx, operations, func(j *job) error {
		err := work()
		if err == nil {
			q.learn(j)
		}
		return err
	})
}

// Spend runs work of about this duration in its turn.
func (q *Queue) Spend(ctx context.Context, took time.Duration, work func() error) error {
	q.mu.Lock()
	operations := took.Seconds() * q.rate
	q.mu.Unlock()
	return q.do(ctx, operations, func(*job) error { return work() })
}

func (q *Queue) do(ctx context.Context, operations float64, work func(*job) error) error {
	j := &job{operations: operations, arrived: arrivalOf(ctx), turn: make(chan struct{})}
	if err := q.enter(ctx, j); err != nil {
		return err
	}
	again := time.NewTicker(look)
	defer again.Stop()
	for {
		select {
		case <-j.turn:
			defer q.leave(j)
			return work(j)
		case <-ctx.Done():
			if q.withdraw(j) {
				return ctx.Err()
			}
		case <-again.C:
			if err := q.reachable(ctx, j); err != nil {
				return err
			}
		}
	}
}

// enter queues a job, or refuses it.
func (q *Queue) enter(ctx context.Context, j *job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	place := slices.IndexFunc(q.waiting, j.precedes)
	if place < 0 {
		place = len(q.waiting)
	}
	q.waiting = slices.Insert(q.waiting, place, j)
	if err := q.late(ctx, j); err != nil {
		q.remove(j)
		return err
	}
	q.next()
	return nil
}

// reachable removes and refuses a job that can no longer end in time, because earlier jobs take longer than
// estimated.
func (q *Queue) reachable(ctx context.Context, j *job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !slices.Contains(q.waiting, j) {
		return nil // the job has begun
	}
	err := q.late(ctx, j)
	if err != nil {
		q.remove(j)
	}
	return err
}

// late returns an error if a job cannot end in time, or would exceed its patience. It allows a job that need not
// wait.
func (q *Queue) late(ctx context.Context, j *job) error {
	before := q.before(j)
	if before == 0 {
		return nil
	}
	if most, ok := ctx.Value(patienceKey{}).(time.Duration); ok && before > most {
		return Refuse("error.queue", before)
	}
	end, ok := ctx.Deadline()
	if !ok {
		return nil
	}
	if own := q.seconds(j.operations); time.Until(end)/10*9 < before+own {
		return Refuse("error.queue", before)
	}
	return nil
}

type patienceKey struct{}

// WithPatience returns a context for work that waits at most this long for its turn. Work that would wait longer is
// refused with its estimated wait, like work that would miss the deadline.
func WithPatience(ctx context.Context, most time.Duration) context.Context {
	return context.WithValue(ctx, patienceKey{}, most)
}

// before returns how long a job will wait for running jobs and for the jobs ahead of it; nil stands for a new job.
func (q *Queue) before(j *job) time.Duration {
	free := make([]time.Duration, q.lanes) // time until each lane is free
	for lane, r := range q.running {
		free[lane] = q.remaining(r)
	}
	for _, other := range q.waiting {
		if other == j {
			break
		}
		first := slices.Index(free, slices.Min(free))
		free[first] += q.seconds(other.operations)
	}
	return slices.Min(free)
}

// remaining returns how long a running job will still take. If it has taken longer than estimated, remaining lowers
// the estimated speed of the machine.
func (q *Queue) remaining(r *job) time.Duration {
	spent := time.Since(r.began)
	if total := q.seconds(r.operations); spent < total {
		return total - spent
	}
	q.rate = r.operations / spent.Seconds() * 0.9
	return q.seconds(r.operations) - spent
}

func (q *Queue) seconds(operations float64) time.Duration {
	return time.Duration(operations / q.rate * float64(time.Second))
}

// next starts waiting jobs while there are free lanes.
func (q *Queue) next() {
	for len(q.running) < q.lanes && len(q.waiting) > 0 {
		j := q.waiting[0]
		q.running, q.waiting = append(q.running, j), q.waiting[1:]
		j.began = time.Now()
		close(j.turn)
	}
}

// leave removes a finished job, and starts the next one.
func (q *Queue) leave(j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running = slices.DeleteFunc(q.running, func(other *job) bool { return other == j })
	q.next()
}

// learn updates the estimated speed of the machine from a finished job.
func (q *Queue) learn(j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if took := time.Since(j.began).Seconds(); took > 0 {
		q.rate = (q.rate + j.operations/took) / 2
	}
}

// withdraw removes a waiting job. It returns false if the job has begun.
func (q *Queue) withdraw(j *job) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.remove(j)
}

func (q *Queue) remove(j *job) bool {
	i := slices.Index(q.waiting, j)
	if i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
	}
	return i >= 0
}

// Waiting returns the number of waiting jobs, and how long a new job would wait.
func (q *Queue) Waiting() (jobs int, wait time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting), q.before(nil)
}
