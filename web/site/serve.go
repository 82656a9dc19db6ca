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

// Limits of connections. The header limit leaves room for a query that is slightly too long, so that a page can say
// so.
const (
	maxHeaderBytes = 2 * address.MaxQueryBytes
	headerTimeout  = 10 * time.Second
	readTimeout    = 20 * time.Second
	writeTimeout   = 90 * time.Second // until the answer begins; send then sets another deadline
	idleTimeout    = time.Minute
	maxConnections = 1024
)

// When the server stops, requests in progress may finish during finishTime. Then the remaining ones get errStopping,
// and after refuseTime the server exits.
const (
	finishTime = 8 * time.Second
	refuseTime = 2 * time.Second
)

// errStopping is the answer of a server that is stopping.
var errStopping = fault.Errorf(fault.Busy, "error.stopping")

// ErrDropped reports that requests were left without an answer when the server stopped.
var ErrDropped = fault.Errorf(fault.Busy, "error.dropped")

// Serve answers on a listener until the context ends. Then it accepts no new connections and lets the requests in
// progress finish. After some seconds, those that remain get a 503.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	requests, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	bounded := &headerLimit{Listener: netutil.LimitListener(l, maxConnections)}
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
