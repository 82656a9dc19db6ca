package main

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/recording"
	"attnatlas/engine/results"
	"attnatlas/web"
)

// weights says which models to use.
type weights struct {
	Weights string `help:"${weights}" placeholder:"DIR"`
}

func (w weights) engine() (*engine.Engine, error) {
	if w.Weights == "" {
		return engine.New(), nil
	}
	folder, err := w.folder()
	if err != nil {
		return nil, err
	}
	return engine.NewIn(folder), nil
}

// folder is that of the models.
func (w weights) folder() (fs.FS, error) {
	if w.Weights == "" {
		return checkpoint.Folder(), nil
	}
	if info, err := os.Stat(w.Weights); err != nil || !info.IsDir() {
		return nil, wrong("weights", "folder", w.Weights)
	}
	return os.DirFS(w.Weights), nil
}

// server is everything that answers requests, for the network and for the
// other commands.
func (w weights) server(log *slog.Logger) (*web.Server, error) {
	e, err := w.engine()
	if err != nil {
		return nil, err
	}
	folder, err := w.folder()
	if err != nil {
		return nil, err
	}
	measured, err := results.Read(folder)
	if err != nil {
		return nil, err
	}
	return web.New(web.Options{Inspector: e, Results: measured, Vocabulary: e.Vocabulary(), Entries: attention.Catalog, Stacks: encoder.Stacks, Info: e.Info, Recordings: w.recordings(), Own: w.Weights != "", Models: e.Models(), Version: version(), Log: log})
}

// recordings are those of the models.
func (w weights) recordings() *recording.Shelf {
	if w.Weights == "" {
		return recording.Shipped()
	}
	return recording.NewShelf(os.DirFS(w.Weights))
}

type serveCmd struct {
	weights
	Addr string `default:"localhost:8080" env:"VIZ_ADDR" help:"${serve_addr}"`
}

// Run serves until the context ends.
func (c *serveCmd) Run(ctx context.Context, s streams) error {
	srv, err := c.server(slog.New(slog.NewTextHandler(s.err, nil)))
	if err != nil {
		return err
	}
	listener, err := listen(c.Addr)
	if err != nil {
		return err
	}
	fmt.Fprintln(s.out, say("serving", "address", reachable(c.Addr, listener)))
	return srv.Serve(ctx, listener)
}

// listen opens the address. When the default port is taken it says so and
// what to do.
func listen(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, wrong("listen", "address", addr, "cause", err.Error())
	}
	return l, nil
}

// reachable is the address to type into a browser: the host as it was asked
// for, with the port that was found.
func reachable(addr string, l net.Listener) string {
	host, _, err := net.SplitHostPort(addr)
	_, port, err2 := net.SplitHostPort(l.Addr().String())
	if err != nil || err2 != nil {
		return l.Addr().String()
	}
	if host == "" || host == "0.0.0.0" || host == "::" {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}
