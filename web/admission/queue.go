package admission

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Queue does long work one piece after the other, and knows from what it has done how long
// each piece will wait. Work that would not be done before its context's deadline is refused as
// soon as that is known, with the time after which it would be done at once.
//
// It is safe for concurrent use.
type Queue struct {
	mu      sync.Mutex
	rate    float64 // operations in a second
	running *job
	waiting []*job
}

type job struct {
	operations float64
	began      time.Time
	turn       chan struct{}
}

// NewQueue is a queue for a machine that does about so many operations in a second.
func NewQueue(rate float64) *Queue { return &Queue{rate: rate} }

// look is how often who waits looks whether it will be reached in time.
const look = 250 * time.Millisecond

// Do does work of so many operations when it is its turn.
func (q *Queue) Do(ctx context.Context, operations float64, work func() error) error {
	j := &job{operations: operations, turn: make(chan struct{})}
	if err := q.enter(ctx, j); err != nil {
		return err
	}
	again := time.NewTicker(look)
	defer again.Stop()
	for {
		select {
		case <-j.turn:
			defer q.leave()
			err := work()
			if err == nil {
				q.learn(j)
			}
			return err
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
	q.waiting = append(q.waiting, j)
	if err := q.late(ctx, j); err != nil {
		q.waiting = q.waiting[:len(q.waiting)-1]
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
	end, ok := ctx.Deadline()
	if !ok || before == 0 {
		return nil
	}
	if own := q.seconds(j.operations); time.Until(end)/10*9 < before+own {
		return refuse("error.queue", before)
	}
	return nil
}

// before is how long a job waits: for what runs, and for those before it.
func (q *Queue) before(j *job) time.Duration {
	total := q.remaining()
	for _, other := range q.waiting {
		if other == j {
			break
		}
		total += q.seconds(other.operations)
	}
	return total
}

// remaining is how long what runs will still take. When it has taken longer than was thought,
// the machine is slower than was thought.
func (q *Queue) remaining() time.Duration {
	if q.running == nil {
		return 0
	}
	spent := time.Since(q.running.began)
	if total := q.seconds(q.running.operations); spent < total {
		return total - spent
	}
	q.rate = q.running.operations / spent.Seconds() * 0.9
	return q.seconds(q.running.operations) - spent
}

func (q *Queue) seconds(operations float64) time.Duration {
	return time.Duration(operations / q.rate * float64(time.Second))
}

// next begins the first that waits when nothing runs.
func (q *Queue) next() {
	if q.running != nil || len(q.waiting) == 0 {
		return
	}
	q.running, q.waiting = q.waiting[0], q.waiting[1:]
	q.running.began = time.Now()
	close(q.running.turn)
}

// leave ends what ran.
func (q *Queue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running = nil
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
