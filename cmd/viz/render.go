package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"

	"attnatlas/engine/disk"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
	"attnatlas/web/address"
)

type renderCmd struct {
	view
	Mechanism string `short:"m" help:"render.mechanism"`
	Out       string `short:"o" required:"" type:"path" help:"render.out" placeholder:"FILE"`
	Lines     string `type:"path" help:"render.lines" placeholder:"FILE"`
	Address   string `help:"render.address" placeholder:"ADDRESS"`
	Map       string `help:"render.map" placeholder:"NAME"`
	Exact     bool   `help:"exact"`
	Plane     int    `help:"render.plane"`
	Norm      string `help:"render.norm" placeholder:"NORM"`
	Cmap      string `help:"render.cmap" placeholder:"NAME"`
	Theme     string `help:"render.theme" placeholder:"THEME"`
	Scale     int    `help:"render.scale"`
	DPI       int    `help:"render.dpi"`

	Preset      string   `help:"render.preset" placeholder:"NAME"`
	Width       string   `help:"render.width" placeholder:"CM"`
	Type        string   `help:"render.type" placeholder:"POINTS"`
	Title       string   `help:"render.title" placeholder:"0"`
	Arrange     string   `help:"render.arrange" placeholder:"ORDER"`
	Special     string   `help:"render.special" placeholder:"0"`
	Numbers     bool     `help:"render.numbers"`
	M           []string `name:"cards" help:"render.cards" placeholder:"MECHANISM"`
	Transparent bool     `help:"render.transparent"`
	Live        bool     `help:"render.live"`
	Source      string   `help:"render.source" placeholder:"DIR"`
}

// Run draws one map.
func (c *renderCmd) Run(ctx context.Context, s streams) error {
	path, q, err := c.request(ctx)
	if err != nil {
		return err
	}
	if q.Get(address.Live) == "1" { // before the program waits for any model
		c.programs = newPrograms(ctx, c.Source, slog.New(slog.DiscardHandler))
		if err := c.programs.prepare(ctx, s.err); err != nil {
			return err
		}
	}
	if c.Lines != "" {
		return c.batch(ctx, s, path, q)
	}
	body, err := c.ask(ctx, s, path, q)
	if err != nil {
		return err
	}
	if err := disk.Replace(c.Out, func(w io.Writer) error { _, err := w.Write(body); return err }); err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.out, c.Out)
	return err
}

// extensionOf returns the file extension for the figure of a mechanism, or of all cards.
func extensionOf(file, of string) (string, error) {
	name, known := filepath.Base(file), figure.Extensions()
	if of == address.WallFile {
		known = append(figure.BoardExtensions(), "zip")
	}
	for _, ext := range known {
		if strings.HasSuffix(name, "."+ext) {
			return ext, nil
		}
	}
	return "", wrong("format", "file", file, "extension", messages.Quote(filepath.Ext(file)), "known",
		messages.List(known))
}

// request is a request to the server's handler.
func (c *renderCmd) request(ctx context.Context) (path string, q url.Values, err error) {
	switch {
	case c.Lines != "" && c.Text != "":
		return "", nil, wrong("lines-alone")
	case c.Address != "" && (c.Mechanism != "" || c.Text != ""):
		return "", nil, wrong("address-alone")
	case c.Address != "":
		return c.addressed()
	case c.Mechanism == "":
		return "", nil, wrong("mechanism-missing")
	}
	ext, err := extensionOf(c.Out, c.Mechanism)
	if err == nil {
		q, err = c.flags(ctx)
	}
	return "/export/" + c.Mechanism + "." + ext, q, err
}

// flags returns the parameters of the flags, without the texts of a batch.
func (c *renderCmd) flags(ctx context.Context) (url.Values, error) {
	if c.Lines != "" {
		one := *c
		one.Text = place
		return query(ctx, &one)
	}
	return query(ctx, c)
}

// addressed returns the request for the address of a figure, in the format of the output file.
func (c *renderCmd) addressed() (path string, q url.Values, err error) {
	u, err := url.Parse(c.Address)
	if err != nil {
		return "", nil, wrong("address", "address", messages.Quote(c.Address))
	}
	name, ok := strings.CutPrefix(u.Path, "/export/")
	base, _, known := figure.FormatOf(name)
	if !known {
		base, _ = strings.CutSuffix(name, ".zip")
	}
	if !ok || base == "" {
		return "", nil, wrong("address", "address", messages.Quote(c.Address))
	}
	ext, err := extensionOf(c.Out, base)
	q, bad := address.ParseQuery(u.RawQuery)
	if err == nil {
		err = address.Join(bad)
	}
	if q.Get(address.Compute) == address.Portable { // the figure was drawn with it
		tensor.Portable()
	}
	return "/export/" + base + "." + ext, q, err
}
