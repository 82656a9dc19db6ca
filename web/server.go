package web

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/costs"
	"attnatlas/engine/encoder"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/recording"
	"attnatlas/engine/results"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
	"attnatlas/web/admission"

	"golang.org/x/sync/semaphore"
)

// Options are what a Server needs.
type Options struct {
	Inspector  Inspector             // the engine
	Entries    []attention.Entry     // the catalogue, in its order
	Stacks     []encoder.StackEntry  // the stacks, in theirs
	Vocabulary *tokenizer.Vocabulary // what texts are cut into; nil: the embedded one
	Info       Info                  // of the weights; nil: nothing is known of them
	Recordings *recording.Shelf      // of the models' trainings; nil: none
	Own        bool                  // the weights are the visitor's own, not the shipped ones
	Results    results.Results       // what was measured of the models
	Models     []string              // ids of models that Info knows; those of stacks with another mixer are listed too
	Live       Live                  // what live figures are made of
	Version    string                // of the program: on pages and in figures
	Log        *slog.Logger          // nil: slog.Default
	Memory     uint64                // that the process should not exceed, in bytes; 0: DefaultMemory
	Timeout    time.Duration         // for one request; 0: one minute
	Cost       Cost                  // of a request; nil: nothing is known of it
	Access     Access                // who is answered
	Shared     time.Duration         // how long caches that many share keep answers without asking; 0: they ask
	Build      string                // names the program and its weights in addresses that pages load, so that these may be kept for ever; empty: nothing does
	Base       string                // the path under which a proxy shows the pages, as "/atlas"; empty: the root
}

// Cost says what the engine will take for a request.
type Cost func(engine.Request) engine.Cost

// DefaultMemory is enough for the shipped models and some dozens of visitors at a time.
const DefaultMemory = 400 << 20

// Shares of the memory: reports that are remembered, and answers that are under way. The rest
// is for models and what they compute with.
const (
	cachePart  = 8
	budgetPart = 4
)

// patience is how long a request waits for memory, and a figure for a place to be drawn.
const patience = 5 * time.Second

// Info says where the weights of a mechanism's model come from; the error says
// that there is no such model.
type Info func(mechanism string) (*engine.ModelInfo, error)

// Server answers HTTP requests. It is safe for concurrent use.
type Server struct {
	inspector  *apart
	explainer  Inspector   // that may be an Explainer, too
	mechanisms []mechanism // of Entries, then of Stacks, each with those of Models that are of it
	vocab      *tokenizer.Vocabulary
	info       Info
	own        bool
	lines      sync.Map // of mechanisms, by their ids: see linesOf
	recordings *recording.Shelf
	results    results.Results
	version    string
	log        *slog.Logger
	drawing    *semaphore.Weighted // of pixels: room for figures that are drawn at the same time
	cost       Cost
	budget     *admission.Budget
	long       *admission.Queue
	costs      *measurement
	ladder     func() []costs.Shared // counted once
	access     Access
	base       string
	live       Live
	build      string
	keeping    string             // Cache-Control of answers that the address alone decides
	clients    *admission.Clients // nil: they may ask as often as they like
	meter      meter
	stopping   atomic.Bool
	finish     time.Duration // that requests have when the server stops
	refuse     time.Duration // and then their answers
	handler    http.Handler
}

// New makes a server; Serve runs it, and it is an http.Handler itself.
func New(o Options) (*Server, error) {
	if o.Inspector == nil {
		return nil, errors.New("web: no Inspector")
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	if o.Cost == nil {
		o.Cost = func(engine.Request) engine.Cost { return engine.Cost{} }
	}
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	if o.Recordings == nil {
		o.Recordings = recording.NewShelf(none{})
	}
	if o.Vocabulary == nil {
		o.Vocabulary = tokenizer.Default()
	}
	long := admission.NewQueue(runtime.GOMAXPROCS(0)-1, operationsPerSecond)
	cached, err := newCachedInspector(&queued{o.Inspector, o.Cost, long}, o.Memory/cachePart)
	if err != nil {
		return nil, fmt.Errorf("web: cache: %w", err)
	}
	s := &Server{
		cost: o.Cost, budget: admission.NewBudget(int64(o.Memory/budgetPart), patience), long: long, access: o.Access, finish: finishTime, refuse: refuseTime,
		base: o.Base, build: o.Build, live: o.Live, keeping: keeping(o.Shared), explainer: o.Inspector, inspector: &apart{cached, o.Cost}, mechanisms: catalogue(o.Entries, o.Stacks, o.Models...), vocab: o.Vocabulary,
		info: o.Info, own: o.Own, results: o.Results, recordings: o.Recordings, version: o.Version, log: o.Log, drawing: semaphore.NewWeighted(figurePixels),
	}
	if o.Access.PerSecond > 0 {
		if s.clients, err = admission.NewClients(o.Access.PerSecond, o.Access.Burst); err != nil {
			return nil, fmt.Errorf("web: clients: %w", err)
		}
	}
	lengths := costs.Usual()
	lengths.Memory = min(lengths.Memory, int64(o.Memory/4*3))
	s.costs = &measurement{lengths: lengths, long: long, log: o.Log, ending: s.stopping.Load}
	s.ladder = sync.OnceValue(func() []costs.Shared {
		all, err := costs.Ladder(o.Vocabulary.Size())
		if err != nil {
			o.Log.Error("ladder", "err", err) // the catalogue's models can be built
		}
		return all
	})
	s.handler = s.routes(o.Timeout)
	return s, nil
}

// keeping is the Cache-Control of an answer that its address alone decides: a browser asks whether it is still
// the same; a cache that many share may keep it for a time, in which another program does not show.
func keeping(shared time.Duration) string {
	if shared <= 0 {
		return "no-cache"
	}
	return fmt.Sprintf("public, max-age=0, must-revalidate, s-maxage=%d", int(shared.Seconds()))
}

// none is a folder without files.
type none struct{}

func (none) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// inspect asks the engine about the text of a state.
func (s *Server) inspect(ctx context.Context, st address.State) (*exhibit.Selection, error) {
	all, err := s.inspectAll(ctx, st)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// inspectAll asks the engine about several states, when there is room for all of their reports.
func (s *Server) inspectAll(ctx context.Context, states ...address.State) ([]*exhibit.Selection, error) {
	bytes := int64(0)
	for _, st := range states {
		if err := address.CheckText(st.Text); err != nil {
			return nil, err
		}
		bytes += s.cost(st.Request()).Bytes
	}
	if held := heldOf(ctx); held != nil {
		if err := held.claim(bytes); err != nil {
			return nil, err
		}
	}
	var all []*exhibit.Selection
	for _, st := range states {
		inspect := s.inspector.Inspect
		if r := st.Request(); st.After != "" && r.Cuts.KeyFor(r.Mechanisms) != "" {
			return nil, engine.Errorf(engine.Unsupported, "error.cut.recording")
		}
		if st.After != "" {
			inspect = func(context.Context, engine.Request) (*engine.Report, error) { return s.replay(st) }
		}
		report, err := inspect(ctx, st.Request())
		if err != nil {
			return nil, err
		}
		sel := exhibit.Select(report, st.Choice)
		for _, other := range all {
			other.Beside(sel)
			sel.Beside(other)
		}
		all = append(all, sel)
	}
	return all, nil
}

// inspectBoth asks the engine about the text of a state and, where there is one, the second text
// in the same heads; nil: there is none.
func (s *Server) inspectBoth(ctx context.Context, st address.State) (sel, second *exhibit.Selection, err error) {
	if st.Other == "" {
		sel, err = s.inspect(ctx, st)
		return sel, nil, err
	}
	both, err := s.inspectAll(ctx, st, st.Second())
	if err != nil {
		return nil, nil, err
	}
	both[1].SameHeads(both[0])
	return both[0], both[1], nil
}

// report asks for a report when there is memory for it and for what is made of it.
func (s *Server) report(ctx context.Context, r engine.Request, inspect func(context.Context, engine.Request) (*engine.Report, error)) (*engine.Report, error) {
	if held := heldOf(ctx); held != nil {
		if err := held.claim(s.cost(r).Bytes); err != nil {
			return nil, err
		}
	}
	return inspect(ctx, r)
}

// language is what a request is answered in.
func language(*http.Request) *messages.Language { return messages.English }
