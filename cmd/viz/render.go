package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"attnatlas/engine/disk"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
)

type renderCmd struct {
	view
	Mechanism string `short:"m" required:"" help:"${render_mechanism}"`
	Out       string `short:"o" required:"" type:"path" help:"${render_out}" placeholder:"FILE"`
	Map       string `help:"${render_map}" placeholder:"NAME"`
	Exact     bool   `help:"${exact}"`
	Plane     int    `help:"${render_plane}"`
	Norm      string `help:"${render_norm}" placeholder:"NORM"`
	Cmap      string `help:"${render_cmap}" placeholder:"NAME"`
	Theme     string `help:"${render_theme}" placeholder:"THEME"`
	Scale     int    `help:"${render_scale}"`
	DPI       int    `help:"${render_dpi}"`

	Transparent bool `help:"${render_transparent}"`
}

// Run draws one map.
func (c *renderCmd) Run(ctx context.Context, s streams) error {
	ext := filepath.Ext(c.Out)
	if _, ok := figure.FindFormat(strings.TrimPrefix(ext, ".")); !ok {
		return wrong("format", "file", c.Out, "extension", messages.Quote(ext), "known", messages.List(figure.Extensions()))
	}
	q, err := query(ctx, c)
	if err != nil {
		return err
	}
	body, err := c.ask(ctx, s, "/export/"+c.Mechanism+ext, q)
	if err != nil {
		return err
	}
	if err := disk.Replace(c.Out, func(w io.Writer) error { _, err := w.Write(body); return err }); err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.out, c.Out)
	return err
}
