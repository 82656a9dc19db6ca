package main

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/huggingface"
	"attnatlas/web/atlas"
	"attnatlas/web/publish"
	"attnatlas/web/site"
)

// weights says which models to use.
type weights struct {
	Weights string `help:"weights" placeholder:"DIR"`

	programs *programs // of live figures; nil: the command makes none
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

// folder returns the folder of the models.
func (w weights) folder() (fs.FS, error) {
	if w.Weights == "" {
		return checkpoint.Folder(), nil
	}
	if info, err := os.Stat(w.Weights); err != nil || !info.IsDir() {
		return nil, wrong("weights", "folder", w.Weights)
	}
	return os.DirFS(w.Weights), nil
}

// server is the complete server, which answers requests from the network and from the other commands.
func (w weights) server(log *slog.Logger) (*site.Server, error) {
	return w.serverFor(site.Options{Log: log})
}

// serverFor returns a server of the models, with the operator's options.
func (w weights) serverFor(o site.Options) (*site.Server, error) {
	own, err := w.modelFolder()
	if err != nil {
		return nil, err
	}
	if w.programs != nil {
		o.Live.Program, o.Live.Check = w.programs.live, w.programs.check
	}
	return atlas.New(own, o)
}

// modelFolder returns the folder of the user's own models, or nil for the shipped ones.
func (w weights) modelFolder() (fs.FS, error) {
	if w.Weights == "" {
		return nil, nil
	}
	return w.folder()
}

// defaultAddr is the address where viz listens if the flag is missing or empty.
const defaultAddr = "localhost:8080"

type serveCmd struct {
	weights
	modelFlag
	Addr    string        `default:"localhost:8080" env:"VIZ_ADDR" help:"serve.addr"`
	Host    []string      `sep:"," placeholder:"NAME" help:"serve.host"`
	Public  bool          `help:"serve.public"`
	Proxy   []string      `sep:"," placeholder:"CIDR" help:"serve.proxy"`
	Frame   []string      `sep:"," placeholder:"ORIGIN" help:"serve.frame"`
	Readers []string      `name:"cors" sep:"," placeholder:"ORIGIN" help:"serve.cors"`
	Framing string        `name:"allow-framing" enum:"none,same-origin" default:"none" help:"serve.framing"`
	Socket  string        `placeholder:"FILE" help:"serve.socket"`
	Base    string        `name:"base-path" placeholder:"PATH" help:"serve.base"`
	Rate    float64       `default:"50" help:"serve.rate"`
	Shared  time.Duration `name:"shared-cache" placeholder:"TIME" help:"serve.shared"`
	Memory  int           `placeholder:"MB" help:"serve.memory"`
	Metrics string        `placeholder:"ADDR" help:"serve.metrics"`
	Source  string        `placeholder:"DIR" help:"serve.source"`
}

// Help explains the limits.
func (serveCmd) Help() string { return say("serve.limits") }

// AfterApply replaces an empty address after the flags are read, and checks the path.
func (c *serveCmd) AfterApply() error {
	c.Addr, c.Base = cmp.Or(c.Addr, defaultAddr), strings.TrimRight(c.Base, "/")
	return site.CheckBase(c.Base)
}

// welcome registers models of the transformers library: those that --model names, and, for visitors on this machine,
// those of the local cache and of the folder of their own models.
func (c *serveCmd) welcome() error {
	var more []huggingface.Folder
	if !c.Public {
		more = append(dropped(c.Weights), huggingface.Cached(huggingface.CacheDir())...)
	}
	_, err := c.invite(more...)
	return err
}

// Run serves until the context ends.
func (c *serveCmd) Run(ctx context.Context, s streams) error {
	if err := c.welcome(); err != nil {
		return err
	}
	listener, err := c.listen()
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // if Serve has not closed it
	access, err := c.access(listener)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(s.err, nil))
	life, end := context.WithCancel(ctx)
	defer end()
	if c.programs, err = c.compiler(life, log); err != nil {
		return err
	}
	memory := limitMemory(uint64(c.Memory)<<20, c.Weights)
	build := ""
	if c.Shared > 0 { // this is for caches
		if build, err = c.build(); err != nil {
			return err
		}
	}
	srv, err := c.serverFor(site.Options{Log: log, Access: access, Memory: memory, Base: c.Base, Shared: c.Shared,
		Build: build})
	if err != nil {
		return err
	}
	if c.Metrics != "" {
		measured, err := serveMetrics(c.Metrics, srv)
		if err != nil {
			return err
		}
		defer func() { _ = measured.Close() }()
		fmt.Fprintln(s.err, say("measured", "address", measured.Addr))
	}
	if access.Network {
		fmt.Fprintln(s.err, say("network", "address", listener.Addr().String()))
	}
	fmt.Fprintln(s.out, say("serving", "address", c.reachable(listener))) // the last line: readers may now ask
	err = srv.Serve(ctx, listener)
	if end(); c.programs != nil {
		c.programs.left()
	}
	return err
}

// access returns the access rules of a server that listens.
func (c *serveCmd) access(l net.Listener) (a site.Access, err error) {
	a.Readers = c.Readers
	a.Hosts, a.Frames, a.Framed, a.Private = c.Host, c.Frame, c.Framing == "same-origin", c.Socket != ""
	if at, ok := l.Addr().(*net.TCPAddr); ok {
		a.Network = !at.IP.IsLoopback()
	}
	for _, p := range c.Proxy {
		prefix, err := prefixOf(p)
		if err != nil {
			return a, wrong("proxy", "proxy", p)
		}
		a.Proxies = append(a.Proxies, prefix)
	}
	for flag, origins := range map[string][]string{"--frame": c.Frame, "--cors": c.Readers} {
		for _, origin := range origins {
			if u, err := url.Parse(origin); err != nil || u.Scheme == "" || u.Host == "" || u.Scheme+"://"+u.Host != origin {
				if flag != "--cors" || origin != "*" {
					return a, wrong("origin", "flag", flag, "origin", origin)
				}
			}
		}
	}
	if !c.Public {
		return a, nil
	}
	if len(c.Host) == 0 {
		return a, wrong("public")
	}
	if c.Rate <= 0 {
		return a, wrong("rate")
	}
	a.Network, a.PerSecond, a.Burst = false, c.Rate, int(c.Rate*burstSeconds)
	return a, nil
}

// compiler returns the program of live figures. A public server compiles only a source folder that its operator has
// named.
func (c *serveCmd) compiler(ctx context.Context, log *slog.Logger) (*programs, error) {
	switch {
	case c.Source != "":
		return newPrograms(ctx, c.Source, log), publish.CheckSource(c.Source)
	case c.Public && publish.Prebuilt() == nil:
		return nil, nil
	}
	return newPrograms(ctx, "", log), nil
}

// burstSeconds is the number of seconds whose requests a client may make at once, because a page has pictures.
const burstSeconds = 6

// prefixOf parses an address or a range of addresses.
func prefixOf(s string) (netip.Prefix, error) {
	if addr, err := netip.ParseAddr(s); err == nil {
		return addr.Prefix(addr.BitLen())
	}
	return netip.ParsePrefix(s)
}
