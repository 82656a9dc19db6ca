package main

import (
	"context"
	"sync"

	"attnatlas/engine"
	"attnatlas/engine/messages"
	"attnatlas/web/live"
	"attnatlas/web/publish"
)

// programs compiles the program of live figures when one is first asked for, and keeps it.
type programs struct {
	source string // the folder of the source

	mu  sync.Mutex
	run *compilation
}

// compilation is one that is under way or done.
type compilation struct {
	done    chan struct{}
	program *live.Program
	err     error
}

// live waits for the program as long as the context lasts; the compilation goes on for whoever asks next. One that failed
// is tried again.
func (p *programs) live(ctx context.Context) (*live.Program, error) {
	p.mu.Lock()
	if p.run == nil {
		p.run = &compilation{done: make(chan struct{})}
		go p.compile(context.WithoutCancel(ctx), p.run)
	}
	run := p.run
	p.mu.Unlock()
	select {
	case <-run.done:
	case <-ctx.Done():
		return nil, engine.Errorf(engine.Busy, "live.building")
	}
	if run.err != nil {
		return nil, engine.Errorf(engine.Unsupported, "live.no-program", "cause", messages.Of(run.err))
	}
	return run.program, nil
}

// keep is what is compiled already.
func (p *programs) keep(program *live.Program) {
	p.run = &compilation{done: make(chan struct{}), program: program}
	close(p.run.done)
}

func (p *programs) compile(ctx context.Context, run *compilation) {
	run.program, run.err = publish.BuildLive(ctx, p.source)
	if run.err != nil {
		p.mu.Lock()
		p.run = nil
		p.mu.Unlock()
	}
	close(run.done)
}
