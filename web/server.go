package web

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/recording"
	"attnatlas/engine/results"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
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
	Version    string                // of the program: on pages and in figures
	Log        *slog.Logger          // nil: slog.Default
	CacheBytes uint64                // for reports; 0: 128 MiB
	Timeout    time.Duration         // for one request; 0: one minute
}

// Info says where the weights of a mechanism's model come from; the error says
// that there is no such model.
type Info func(mechanism string) (*engine.ModelInfo, error)

// Server answers HTTP requests. It is safe for concurrent use.
type Server struct {
	inspector  Inspector
	mechanisms []mechanism // of Entries, then of Stacks, each with those of Models that are of it
	vocab      *tokenizer.Vocabulary
	info       Info
	own        bool
	recordings *recording.Shelf
	results    results.Results
	version    string
	log        *slog.Logger
	drawing    chan struct{} // one place per figure that may be drawn at the same time
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
	if o.CacheBytes == 0 {
		o.CacheBytes = 128 << 20
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
	cached, err := newCachedInspector(o.Inspector, o.CacheBytes)
	if err != nil {
		return nil, fmt.Errorf("web: cache: %w", err)
	}
	s := &Server{
		inspector: cached, mechanisms: catalogue(o.Entries, o.Stacks, o.Models...), vocab: o.Vocabulary,
		info: o.Info, own: o.Own, results: o.Results, recordings: o.Recordings, version: o.Version, log: o.Log, drawing: make(chan struct{}, runtime.GOMAXPROCS(0)),
	}
	s.handler = s.routes(o.Timeout)
	return s, nil
}

// none is a folder without files.
type none struct{}

func (none) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Limits of a connection. The URL has room for a text that is several times too
// long, three bytes for each of its own: it should be refused by a page that
// says so.
const (
	maxHeaderBytes  = 16 * engine.MaxTextBytes
	headerTimeout   = 10 * time.Second
	readTimeout     = 20 * time.Second
	writeTimeout    = 90 * time.Second
	idleTimeout     = 2 * time.Minute
	shutdownTimeout = 10 * time.Second
)

// Serve answers on a listener until the context ends; then it lets the requests
// that are under way finish.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           s,
		MaxHeaderBytes:    maxHeaderBytes,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(end); err != nil {
		return errors.Join(err, server.Close())
	}
	return nil
}

// inspect asks the engine about the text of a state.
func (s *Server) inspect(ctx context.Context, st address.State) (*exhibit.Selection, error) {
	if err := address.CheckText(st.Text); err != nil {
		return nil, err
	}
	inspect := s.inspector.Inspect
	if st.After != "" {
		inspect = func(context.Context, engine.Request) (*engine.Report, error) { return s.replay(st) }
	}
	report, err := inspect(ctx, st.Request())
	if err != nil {
		return nil, err
	}
	return exhibit.Select(report, st.Choice), nil
}

// language is what a request is answered in.
func language(*http.Request) *messages.Language { return messages.English }
