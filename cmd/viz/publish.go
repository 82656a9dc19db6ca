package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/disk"
	"attnatlas/engine/messages"
	"attnatlas/engine/version"
	"attnatlas/web/address"
	"attnatlas/web/publish"
	"attnatlas/web/site"
)

type publishCmd struct {
	weights
	Dir    string   `arg:"" help:"publish.dir"`
	M      []string `short:"m" sep:"," help:"publish.m" placeholder:"IDS"`
	Text   string   `name:"text-file" help:"publish.text" placeholder:"FILE"`
	Source string   `help:"publish.source" placeholder:"DIR"`
	Hosted bool     `help:"publish.hosted"`
}

// Run writes the folder.
func (c *publishCmd) Run(ctx context.Context, s streams) error {
	if err := publish.Check(c.Dir); err != nil {
		return err
	}
	own, err := c.readable()
	if err != nil {
		return err
	}
	query, err := c.query(own)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(s.err, nil))
	c.programs = newPrograms(ctx, c.Source, log)
	server, err := c.server(log)
	if err != nil {
		return err
	}
	server.Published = true
	if _, err := askServer(ctx, server, "/wall.json", query); err != nil { // before the program is compiled
		return err
	}
	if err := c.trained(); err != nil {
		return err
	}
	program, err := c.program(ctx, s.err)
	if err != nil {
		return err
	}
	c.programs.keep(program.Live)
	open, err := openable(ctx, server, query)
	if err != nil {
		return err
	}
	sizes, err := publish.Write(ctx, publish.Options{
		Dir: c.Dir, Handler: server, Pages: server.Paths(), Query: query.Encode(), Program: program, Version: version.Current(),
		Open: open, Own: own, Hosted: c.Hosted,
	})
	if err != nil {
		return err
	}
	done := "publish.done"
	if c.Hosted {
		done = "publish.hosted"
	}
	_, err = fmt.Fprintln(s.out, say(done, "folder", c.Dir,
		"program", megabytes(sizes.Program), "weights", megabytes(sizes.Weights), "all", megabytes(sizes.All)))
	return err
}

// program returns the programs that this build carries. It compiles them if a source folder is given, or if the build
// carries none.
func (c *publishCmd) program(ctx context.Context, w io.Writer) (*publish.Program, error) {
	if c.programs.source == "" {
		return publish.Prebuilt(), nil
	}
	if err := publish.CheckSource(c.programs.source); err != nil {
		return nil, err
	}
	fmt.Fprintln(w, say("publish.building"))
	return publish.Build(ctx, c.programs.source)
}

// readable returns the folder of models to publish, after checking that all can be opened, or nil for the shipped
// ones.
func (c *publishCmd) readable() (fs.FS, error) {
	folder, err := c.modelFolder()
	if folder == nil {
		return nil, err
	}
	e := engine.NewIn(folder)
	if len(e.Models()) == 0 {
		return nil, messages.Errorf("publish.no-models", "folder", messages.Quote(c.Weights))
	}
	for _, id := range e.Models() {
		if _, err := e.Info(id); err != nil {
			return nil, err
		}
	}
	return folder, nil
}

// trained returns the error of the first chosen mechanism that has no model: the folder carries weights of each.
func (c *publishCmd) trained() error {
	e, err := c.engine()
	for i := 0; i < len(c.M) && err == nil; i++ {
		_, err = e.Info(c.M[i])
	}
	return err
}

// openable returns the page that computes without a server: the live figure of the first view.
func openable(ctx context.Context, server *site.Server, first url.Values) ([]byte, error) {
	q := maps.Clone(first)
	q.Set(address.Live, "1")
	return askServer(ctx, server, "/export/"+address.WallFile+".html", q)
}

// query returns the query of the first view. With own models, it names those of the default wall, or else the first
// one.
func (c *publishCmd) query(own fs.FS) (url.Values, error) {
	q, chosen := url.Values{}, c.M
	if len(chosen) == 0 && own != nil {
		all := engine.NewIn(own).Models()
		chosen = slices.DeleteFunc(slices.Clone(engine.Default[:]), func(id string) bool { return !slices.Contains(all, id) })
		if len(chosen) == 0 {
			chosen = all[:min(len(all), len(engine.Default))]
		}
	}
	if len(chosen) > 0 {
		q.Set("m", strings.Join(chosen, ","))
	}
	if c.Text != "" {
		text, err := disk.Read(c.Text, engine.MaxTextBytes+2)
		if err != nil {
			return nil, err
		}
		q.Set(address.Text, string(bytes.TrimRight(text, "\r\n")))
	}
	return q, nil
}

func megabytes(n int) string { return fmt.Sprintf("%.1f", float64(n)/1e6) }
