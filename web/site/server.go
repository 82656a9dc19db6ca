package site

import (
	"cmp"
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
	"attnatlas/engine/predict"
	"attnatlas/engine/recording"
	"attnatlas/engine/results"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/unroll"
	"attnatlas/web/admission"
	"attnatlas/web/live"
	"attnatlas/web/reports"

	"github.com/go-chi/chi/v5"
)

// Explainer traces a number to its operands.
type Explainer interface {
	Explain(context.Context, explain.Question) (*explain.Explanation, error)
}

// Hasher returns the details of Reformer's hashing.
type Hasher interface {
	Hashing(context.Context, unroll.HashingRequest) (*unroll.Hashing, error)
}

// Live makes live figures.
type Live struct {
	// Program returns the engine for browsers. It is nil if there is none.
	Program func(ctx context.Context) (*live.Program, error)
	// Check returns the error with which Program would fail, without calling it. It is nil if Program never fails.
	Check func() error
	// Weights returns the compressed file of a mechanism's model, and its name.
	Weights func(id string) (name string, data []byte, err error)
}

// NoLive is the error of a server without a program for browsers.
func NoLive() error { return fault.Errorf(fault.Unsupported, "live.none") }

// Available returns the reason why there are no live figures, or nil.
func (l Live) Available() error {
	switch {
	case l.Program == nil:
		return NoLive()
	case l.Check == nil:
		return nil
	}
	return l.Check()
}

// Reverser recomputes the inputs of reversible layers from their outputs.
type Reverser interface {
	Reversing(ctx context.Context, r engine.Request, layer int) (*unroll.Reversing, error)
}

// Options are the settings of a Server.
type Options struct {
	Inspector  reports.Inspector     // the engine
	Entries    []attention.Entry     // the catalogue, in its order
	Stacks     []encoder.StackEntry  // the stacks, in their order
	Vocabulary *tokenizer.Vocabulary // splits texts into tokens; nil: the embedded one
	Info       InfoOf                // of the weights; nil: unknown
	Recordings *recording.Store      // of the models' trainings; nil: none
	Own        bool                  // the weights are the visitor's own, not the shipped ones
	Results    results.Results       // measurements of the models
	Models     []string              // ids of models that Info knows; those of stacks with another mixer are listed too
	Live       Live                  // makes live figures
	Version    string                // of the program: on pages and in figures
	Log        *slog.Logger          // nil: slog.Default
	Memory     uint64                // limit of the process in bytes; 0: DefaultMemory
	Timeout    time.Duration         // for one request; 0: one minute
	Patience   time.Duration         // how long a request waits for memory, and a figure for its turn; 0: Patience
	Finish     time.Duration         // how long requests in progress have when the server stops; 0: 8 s
	Refuse     time.Duration         // how long their refusals then have; 0: 2 s
	Cost       Cost                  // of a request; nil: unknown
	Access     Access                // which requests are answered
	Shared     time.Duration         // how long shared caches keep answers without asking; 0: they ask
	Build      string                // names the program and its weights in addresses that pages load, so that these may be kept for ever; empty: nothing does
	Base       string                // the path under which a proxy shows the pages, as "/atlas"; empty: the root
}

// Cost estimates the work and memory of a request.
type Cost func(engine.Request) engine.Cost

// DefaultMemory is enough for the bundled models and some dozens of visitors at once.
const DefaultMemory = 400 << 20

// These are shares of the memory: for cached reports and for answers in progress. The rest is for models and their
// computations.
const (
	cachePart  = 8
	budgetPart = 4
)

// Patience is how long a request waits for memory, and how long a figure waits for its turn to be drawn.
const Patience = 5 * time.Second

// FigurePixels limits the pixels of all figures that are drawn at the same time: one of the largest and little else,
// or one of the usual size for every core.
const FigurePixels = figure.MaxPixels + figure.MaxPixels/4

// InfoOf returns the origin of the weights of a mechanism's model, or an error if there is no such model.
type InfoOf func(mechanism string) (*engine.ModelInfo, error)

// Server answers HTTP requests. It is safe for concurrent use.
type Server struct {
	// Published reports whether the server is a folder of files. Then only the browser that runs it reaches the
	// addresses of figures, except those in Figures, which are files of the folder.
	Published bool
	Figures   map[string]string // the files by their addresses on a server

	Inspector  *perMechanism
	Engine     reports.Inspector // it may also implement other interfaces, such as Explainer
	Mechanisms []Mechanism       // of Entries, then of Stacks with their Models
	Vocab      *tokenizer.Vocabulary
	Info       InfoOf
	Own        bool
	Lines      sync.Map // of mechanisms, by id: see linesOf
	Recordings *recording.Store
	Results    results.Results
	Version    string
	log        *slog.Logger
	Drawing    *admission.Room // pixels of the figures that are drawn at the same time
	Cost       Cost
	budget     *admission.Budget
	patience   time.Duration
	Long       *admission.Queue
	access     Access
	base       string
	Live       Live
	build      string
	keeping    string             // Cache-Control of answers that depend on the address alone
	clients    *admission.Clients // nil: no rate limit
	meter      meter
	stopping   atomic.Bool
	finish     time.Duration // time for requests when the server stops,
	refuse     time.Duration // and then for 503 answers
	memory     uint64
	timeout    time.Duration
	pages      []Page
	handler    http.Handler
}

// Memory returns the memory limit of the process in bytes.
func (s *Server) Memory() uint64 { return s.memory }

// Budget returns the memory that all requests share.
func (s *Server) Budget() *admission.Budget { return s.budget }

// Stopping reports whether the server is stopping.
func (s *Server) Stopping() bool { return s.stopping.Load() }

// Public reports whether the server limits the requests of each client, because strangers may ask.
func (s *Server) Public() bool { return s.clients != nil }

// Log returns the logger for faults.
func (s *Server) Log() *slog.Logger { return s.log }

// New returns a server without pages, which Register adds. Serve runs it; it is also an http.Handler.
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
	cached, err := reports.New(&queued{o.Inspector, o.Cost, long}, o.Memory/cachePart, passing)
	if err != nil {
		return nil, fmt.Errorf("site: cache: %w", err)
	}
	patience := cmp.Or(o.Patience, Patience)
	s := &Server{
		Cost: o.Cost, patience: patience, budget: admission.NewBudget(int64(o.Memory/budgetPart), patience), Long: long,
		access: o.Access,
		finish: cmp.Or(o.Finish, finishTime), refuse: cmp.Or(o.Refuse, refuseTime),
		base: o.Base, build: o.Build, Live: o.Live, keeping: keeping(o.Shared), Engine: o.Inspector,
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

// keeping returns the Cache-Control header of an answer that depends on its address alone. Browsers ask whether it is
// still the same. Shared caches may keep it for a time, and may show it after an update of the program.
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

// Routes returns the router of everything that the server answers.
func (s *Server) Routes() chi.Routes { return s.handler.(chi.Routes) }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Language returns the language of the answer to a request.
func Language(*http.Request) *messages.Language { return messages.English }

// Stepper lists the steps of a forward pass.
type Stepper interface {
	Steps(context.Context, explain.StepsRequest) (*explain.Steps, error)
}

// Continuer lets models of next words continue texts.
type Continuer interface {
	Continue(ctx context.Context, id string, r predict.Continue) (*predict.Continuation, error)
	ContinueCost(id string, r predict.Continue) engine.Cost
	Continues(id string) bool
}
