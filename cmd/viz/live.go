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

// programs provides the program of live figures: the one that a release carries, or one that is compiled on demand.
// It is compiled once, even if that fails.
type programs struct {
	life   context.Context // of compilations for visitors: it outlasts a request, but not the command
	source string          // the folder of the source; empty: nothing is compiled
	log    *slog.Logger

	mu  sync.Mutex
	run *compilation
}

// compilation is a compilation in progress or finished.
type compilation struct {
	done    chan struct{}
	program *live.Program
	err     error
}

// newPrograms uses the program that this build carries, unless a source folder is given. Builds without a program
// compile it from the current folder, while the context lasts.
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

// keep stores a program that is compiled already.
func (p *programs) keep(program *live.Program) {
	p.run = &compilation{done: make(chan struct{}), program: program}
	close(p.run.done)
}

// check returns the error with which live will fail, as far as that is known without compiling. The error is public
// and names no folder.
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

// failure returns the error that visitors see after a compilation.
func (c *compilation) failure() error {
	switch {
	case errors.Is(c.err, context.Canceled):
		return fault.Errorf(fault.Busy, "error.stopping")
	case c.err != nil:
		return fault.Errorf(fault.Unsupported, "live.not-compiled")
	}
	return nil
}

// live waits for the program while the context lasts. The compilation continues for later requests.
func (p *programs) live(ctx context.Context) (*live.Program, error) {
	run := p.begin()
	select {
	case <-run.done:
		return run.program, run.failure()
	case <-ctx.Done():
		return nil, fault.Errorf(fault.Busy, "live.building")
	}
}

// prepare returns the program for a command. It reports that the program is being compiled, or why it cannot be.
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

// begin starts the compilation, once.
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

// left waits until the compilation has ended after its context, so that it leaves no files behind.
func (p *programs) left() {
	p.mu.Lock()
	run := p.run
	p.mu.Unlock()
	if run != nil {
		<-run.done
	}
}
