package site

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
	"attnatlas/engine/encoder"
	"attnatlas/engine/explain"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/recording"
	"attnatlas/engine/results"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/unroll"
	"attnatlas/web/admission"
	"attnatlas/web/live"

	"github.com/go-chi/chi/v5"
)

// Explainer answers where a number comes from.
type Explainer interface {
	Explain(context.Context, explain.Question) (*explain.Explanation, error)
}

// Hasher takes the hashing of Reformer apart.
type Hasher interface {
	Hashing(context.Context, unroll.HashingRequest) (*unroll.Hashing, error)
}

// Live is what live figures are made of.
type Live struct {
	// Program is the engine for browsers; nil: there is none.
	Program func(ctx context.Context) (*live.Program, error)
	// Check says why Program would fail, without calling it; nil: it never does.
	Check func() error
	// Weights is the file of a mechanism's model, compressed, and the name that it has.
	Weights func(id string) (name string, data []byte, err error)
}

// NoLive is the error of a server without a program for browsers.
func NoLive() error { return fault.Errorf(fault.Unsupported, "live.none") }

// Available says why there are no live figures; nil: there are.
func (l Live) Available() error {
	switch {
	case l.Program == nil:
		return NoLive()
	case l.Check == nil:
		return nil
	}
	return l.Check()
}

// Reverser computes reversible layers back.
type Reverser interface {
	Reversing(ctx context.Context, r engine.Request, layer int) (*unroll.Reversing, error)
}

// Options are what a Server needs.
type Options struct {
	Inspector  Inspector             // the engine
	Entries    []attention.Entry     // the catalogue, in its order
	Stacks     []encoder.StackEntry  // the stacks, in theirs
	Vocabulary *tokenizer.Vocabulary // what texts are cut into; nil: the embedded one
	Info       InfoOf                // of the weights; nil: nothing is known of them
	Recordings *recording.Store      // of the models' trainings; nil: none
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

// Patience is how long a request waits for memory, and a figure for a place to be drawn.
const Patience = 5 * time.Second

// FigurePixels are those of all figures that are drawn at the same time: one of the largest and little
// else, or one of the usual for every core.
const FigurePixels = figure.MaxPixels + figure.MaxPixels/4

// InfoOf says where the weights of a mechanism's model come from; the error says
// that there is no such model.
type InfoOf func(mechanism string) (*engine.ModelInfo, error)

// Server answers HTTP requests. It is safe for concurrent use.
type Server struct {
	// Published says that the server is a folder of files: only the browser that runs it reaches its addresses of
	// figures, besides those of Figures, which are files of the folder.
	Published bool
	Figures   map[string]string // the files by their addresses on a server

	Inspector  *perMechanism
	Explainer  Inspector   // that may be an Explainer, too
	Mechanisms []Mechanism // of Entries, then of Stacks, each with those of Models that are of it
	Vocab      *tokenizer.Vocabulary
	Info       InfoOf
	Own        bool
	Lines      sync.Map // of mechanisms, by their ids: see linesOf
	Recordings *recording.Store
	Results    results.Results
	Version    string
	log        *slog.Logger
	Drawing    *admission.Room // of pixels: room for figures that are drawn at the same time
	Cost       Cost
	budget     *admission.Budget
	Long       *admission.Queue
	access     Access
	base       string
	Live       Live
	build      string
	keeping    string             // Cache-Control of answers that the address alone decides
	clients    *admission.Clients // nil: they may ask as often as they like
	meter      meter
	stopping   atomic.Bool
	finish     time.Duration // that requests have when the server stops
	refuse     time.Duration // and then their answers
	memory     uint64
	timeout    time.Duration
	pages      []Page
	handler    http.Handler
}

// Memory is what the process should not exceed, in bytes.
func (s *Server) Memory() uint64 { return s.memory }

// Budget is the memory that all requests share.
func (s *Server) Budget() *admission.Budget { return s.budget }

// Stopping says whether the server is about to end.
func (s *Server) Stopping() bool { return s.stopping.Load() }

// Log is where faults are written.
func (s *Server) Log() *slog.Logger { return s.log }

// New makes a server without pages, which Register adds. Serve runs it, and it is an http.Handler itself.
func New(o Options) (*Server, error) {
	if o.Inspector == nil {
		return nil, errors.New("site: no Inspector")
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
		o.Recordings = recording.NewStore(none{})
	}
	if o.Vocabulary == nil {
		o.Vocabulary = tokenizer.Default()
	}
	long := admission.NewQueue(runtime.GOMAXPROCS(0)-1, OperationsPerSecond)
	cached, err := newCachedInspector(&queued{o.Inspector, o.Cost, long}, o.Memory/cachePart)
	if err != nil {
		return nil, fmt.Errorf("site: cache: %w", err)
	}
	s := &Server{
		Cost: o.Cost, budget: admission.NewBudget(int64(o.Memory/budgetPart), Patience), Long: long, access: o.Access,
		finish: finishTime, refuse: refuseTime,
		base: o.Base, build: o.Build, Live: o.Live, keeping: keeping(o.Shared), Explainer: o.Inspector,
		Inspector: &perMechanism{cached, o.Cost}, Mechanisms: Catalogue(o.Entries, o.Stacks, o.Models...),
		Vocab: o.Vocabulary,
		Info:  o.Info, Own: o.Own, Results: o.Results, Recordings: o.Recordings, Version: o.Version, log: o.Log,
		Drawing: admission.NewRoom(FigurePixels),
	}
	if o.Access.PerSecond > 0 {
		if s.clients, err = admission.NewClients(o.Access.PerSecond, o.Access.Burst); err != nil {
			return nil, fmt.Errorf("site: clients: %w", err)
		}
	}
	s.memory, s.timeout = o.Memory, o.Timeout
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

// Open returns fs.ErrNotExist for every name.
func (none) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Routes are all that the server answers.
func (s *Server) Routes() chi.Routes { return s.handler.(chi.Routes) }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Language is what a request is answered in.
func Language(*http.Request) *messages.Language { return messages.English }

// Stepper lists what a pass computes, step by step.
type Stepper interface {
	Steps(context.Context, explain.StepsRequest) (*explain.Steps, error)
}

// Continuer has models of next words continue texts.
type Continuer interface {
	Continue(ctx context.Context, id string, r engine.Continue) (*engine.Continuation, error)
	ContinueCost(id string, r engine.Continue) engine.Cost
	Continues(id string) bool
}
