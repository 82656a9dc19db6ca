package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"attnatlas/engine/fault"
	"attnatlas/web/live"
	"attnatlas/web/publish"
	"attnatlas/web/site"
)

// programs has the program of live figures: the one that a release carries, or one that is compiled when it is first
// asked for. It is compiled once, also when that fails.
type programs struct {
	life   context.Context // of what compiles for visitors: it outlasts a request, not the command
	source string          // the folder of the source; empty: nothing is compiled
	log    *slog.Logger

	mu  sync.Mutex
	run *compilation
}

// compilation is one that is under way or done.
type compilation struct {
	done    chan struct{}
	program *live.Program
	err     error
}

// newPrograms has the program that this build carries, unless a source is named. Builds that carry none compile it from
// the current folder, no longer than the context lasts.
func newPrograms(ctx context.Context, source string, log *slog.Logger) *programs {
	p := &programs{life: ctx, source: source, log: log}
	if source != "" {
		return p
	}
	if carried := publish.Prebuilt(); carried != nil {
		p.keep(carried.Live)
	} else {
		p.source = "."
	}
	return p
}

// keep is what is compiled already.
func (p *programs) keep(program *live.Program) {
	p.run = &compilation{done: make(chan struct{}), program: program}
	close(p.run.done)
}

// check says why live will fail, as far as that is known without compiling. Strangers read it: it names no folder.
func (p *programs) check() error {
	p.mu.Lock()
	run := p.run
	p.mu.Unlock()
	if run == nil {
		if publish.CheckSource(p.source) != nil {
			return site.NoLive()
		}
		return nil
	}
	select {
	case <-run.done:
		return run.failure()
	default:
		return nil
	}
}

// failure is what visitors are told of a compilation that is done.
func (c *compilation) failure() error {
	switch {
	case errors.Is(c.err, context.Canceled):
		return fault.Errorf(fault.Busy, "error.stopping")
	case c.err != nil:
		return fault.Errorf(fault.Unsupported, "live.not-compiled")
	}
	return nil
}

// live waits for the program as long as the context lasts; the compilation goes on for whoever asks next.
func (p *programs) live(ctx context.Context) (*live.Program, error) {
	run := p.begin()
	select {
	case <-run.done:
		return run.program, run.failure()
	case <-ctx.Done():
		return nil, fault.Errorf(fault.Busy, "live.building")
	}
}

// prepare gets the program for a command, which is told when it is compiled, or why it cannot be.
func (p *programs) prepare(ctx context.Context, w io.Writer) error {
	if p.run != nil {
		return nil
	}
	if err := publish.CheckSource(p.source); err != nil {
		return err
	}
	fmt.Fprintln(w, say("publish.building"))
	program, err := publish.BuildLive(ctx, p.source)
	if err != nil {
		return err
	}
	p.keep(program)
	return nil
}

// begin compiles the program unless somebody has begun.
func (p *programs) begin() *compilation {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run == nil {
		p.run = &compilation{done: make(chan struct{})}
		go p.compile(p.run)
	}
	return p.run
}

func (p *programs) compile(run *compilation) {
	run.program, run.err = publish.BuildLive(p.life, p.source)
	if run.err != nil && p.life.Err() == nil {
		p.log.Error("compile", "err", run.err)
	}
	close(run.done)
}

// left waits until what is compiled has ended, when its life has, so that it leaves nothing behind.
func (p *programs) left() {
	p.mu.Lock()
	run := p.run
	p.mu.Unlock()
	if run != nil {
		<-run.done
	}
}
