package tensor

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Workers is the number of goroutines that a call may keep busy, its own
// included. Where Go has fewer processors for them (GOMAXPROCS), so many.
// Whatever their number, the results are the same to the last bit.
type Workers int

// Each calls f(0) … f(n−1), in any order and from several goroutines, and
// returns when all calls have. The caller does not wait for a helper that
// never got a processor. A panic of f is passed on to the caller.
func (w Workers) Each(n int, f func(i int)) {
	helpers := w.useful(n) - 1
	if helpers < 1 {
		for i := range n {
			f(i)
		}
		return
	}
	j := &job{n: int64(n), f: f}
	for range helpers {
		go j.help()
	}
	defer j.finish()
	j.work()
}

// useful is how many workers can do something about n calls.
func (w Workers) useful(n int) int {
	if w < 2 || n < 2 {
		return 1
	}
	return min(int(w), n, runtime.GOMAXPROCS(0))
}

// job hands out the calls 0 … n−1 one after the other.
type job struct {
	next    atomic.Int64
	n       int64
	f       func(i int)
	mutex   sync.Mutex
	closed  bool // no helper may join
	failure any
	joined  sync.WaitGroup
}

func (j *job) work() {
	for i := j.next.Add(1) - 1; i < j.n; i = j.next.Add(1) - 1 {
		j.f(int(i))
	}
}

func (j *job) help() {
	j.mutex.Lock()
	if j.closed {
		j.mutex.Unlock()
		return
	}
	j.joined.Add(1)
	j.mutex.Unlock()
	defer func() {
		if r := recover(); r != nil {
			j.mutex.Lock()
			j.failure = r
			j.mutex.Unlock()
		}
		j.joined.Done()
	}()
	j.work()
}

// finish waits for the helpers that have joined.
func (j *job) finish() {
	j.mutex.Lock()
	j.closed = true
	j.mutex.Unlock()
	j.joined.Wait()
	if j.failure != nil {
		panic(j.failure)
	}
}
