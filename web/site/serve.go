package site

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"attnatlas/engine/fault"
	"attnatlas/web/address"

	"golang.org/x/net/netutil"
)

// Limits of connections. A header has room for a query that is somewhat too long: it should be
// refused by a page that says so.
const (
	maxHeaderBytes = 2 * address.MaxQueryBytes
	headerTimeout  = 10 * time.Second
	readTimeout    = 20 * time.Second
	writeTimeout   = 90 * time.Second // until the answer begins; then send sets another
	idleTimeout    = time.Minute
	maxConnections = 1024
)

// How a server ends: what is under way may finish, then it is answered with errStopping, and then
// it is left.
const (
	finishTime = 8 * time.Second
	refuseTime = 2 * time.Second
)

// errStopping is the answer of a server that is about to end.
var errStopping = fault.Errorf(fault.Busy, "error.stopping")

// ErrDropped says that requests were left without an answer when the server ended.
var ErrDropped = fault.Errorf(fault.Busy, "error.dropped")

// Serve answers on a listener until the context ends. Then it takes no new connections and lets
// the requests that are under way finish; after some seconds they get a 503.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	requests, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	bounded := &heads{Listener: netutil.LimitListener(l, maxConnections)}
	server := &http.Server{
		Handler:           s,
		ConnState:         bounded.changed,
		MaxHeaderBytes:    maxHeaderBytes,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
		BaseContext:       func(net.Listener) context.Context { return requests },
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(bounded) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.stopping.Store(true)
	finish := time.AfterFunc(s.finish, func() { stop(errStopping) })
	defer finish.Stop()
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.finish+s.refuse)
	defer cancel()
	err := server.Shutdown(end)
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.Join(ErrDropped, server.Close())
	}
	return err
}
