package admission

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// Queue does long work, a few pieces at a time, in the order in which the requests came that want it,
// and knows from what it has done how long each piece will wait. Work that would not be done before
// its context's deadline is refused as soon as that is known, with the time after which it would be
// done at once.
//
// It is safe for concurrent use.
type Queue struct {
	lanes int // pieces at a time

	mu      sync.Mutex
	rate    float64 // operations in a second, of each piece
	running []*job
	waiting []*job // in their order
}

type job struct {
	operations     float64
	arrived, began time.Time
	turn           chan struct{}
}

// NewQueue is a queue that does so many pieces at a time, of each about so many operations in a second.
func NewQueue(lanes int, rate float64) *Queue { return &Queue{lanes: max(1, lanes), rate: rate} }

type arrivalKey struct{}

// Arriving is for the work of a request that arrives now: it comes before that of all later ones, whenever it is
// asked for.
func Arriving(ctx context.Context) context.Context {
	return context.WithValue(ctx, arrivalKey{}, time.Now())
}

// arrivalOf is when the request came that the work is for.
func arrivalOf(ctx context.Context) time.Time {
	if at, ok := ctx.Value(arrivalKey{}).(time.Time); ok {
		return at
	}
	return time.Now()
}

// precedes says whether a job is done before another: that of an earlier request, and of one request what takes less.
func (j *job) precedes(other *job) bool {
	return cmp.Or(j.arrived.Compare(other.arrived), cmp.Compare(j.operations, other.operations)) < 0
}

// look is how often who waits looks whether it will be reached in time.
const look = 250 * time.Millisecond

// Do does work of so many operations when it is its turn, and learns from it how fast the machine is.
func (q *Queue) Do(ctx context.Context, operations float64, work func() error) error {
	return q.do(ctx, operations, func(j *job) error {
		err := work()
		if err == nil {
			q.learn(j)
		}
		return err
	})
}

// Spend does work that takes about so long when it is its turn.
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

// enter gives a job its place, or refuses it.
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

// reachable refuses a job that waits for what takes longer than was thought.
func (q *Queue) reachable(ctx context.Context, j *job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !slices.Contains(q.waiting, j) {
		return nil // it is its turn
	}
	err := q.late(ctx, j)
	if err != nil {
		q.remove(j)
	}
	return err
}

// late is the refusal of a job that will not be done in time. One that need not wait is tried.
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

// WithPatience is for work that waits at most so long for its turn: then it is refused with the time after which
// it would be its turn, as is what would not be done before the deadline.
func WithPatience(ctx context.Context, most time.Duration) context.Context {
	return context.WithValue(ctx, patienceKey{}, most)
}

// before is how long a job waits: for what runs, and for those before it.
func (q *Queue) before(j *job) time.Duration {
	free := make([]time.Duration, q.lanes) // after how long each of the lanes is
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

// remaining is how long what runs will still take. When it has taken longer than was thought,
// the machine is slower than was thought.
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

// next begins those that wait longest, as far as there are lanes.
func (q *Queue) next() {
	for len(q.running) < q.lanes && len(q.waiting) > 0 {
		j := q.waiting[0]
		q.running, q.waiting = append(q.running, j), q.waiting[1:]
		j.began = time.Now()
		close(j.turn)
	}
}

// leave ends what ran.
func (q *Queue) leave(j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running = slices.DeleteFunc(q.running, func(other *job) bool { return other == j })
	q.next()
}

// learn sees from what was done to its end how fast the machine is.
func (q *Queue) learn(j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if took := time.Since(j.began).Seconds(); took > 0 {
		q.rate = (q.rate + j.operations/took) / 2
	}
}

// withdraw takes a job out that waits; false: it is its turn.
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

// Waiting is how much is queued, without what runs, and how long something new would wait.
func (q *Queue) Waiting() (jobs int, wait time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting), q.before(nil)
}
