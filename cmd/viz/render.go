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
	"attnatlas/web/address"
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

	Preset      string   `help:"${render_preset}" placeholder:"NAME"`
	M           []string `name:"cards" help:"${render_cards}" placeholder:"MECHANISM"`
	Transparent bool     `help:"${render_transparent}"`
}

// Run draws one map.
func (c *renderCmd) Run(ctx context.Context, s streams) error {
	ext, err := extensionOf(c.Out, c.Mechanism == address.WallFile)
	if err != nil {
		return err
	}
	q, err := query(ctx, c)
	if err != nil {
		return err
	}
	body, err := c.ask(ctx, s, "/export/"+c.Mechanism+"."+ext, q)
	if err != nil {
		return err
	}
	if err := disk.Replace(c.Out, func(w io.Writer) error { _, err := w.Write(body); return err }); err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.out, c.Out)
	return err
}

// extensionOf is the extension of a file, of a mechanism's figure or of those of all cards.
func extensionOf(file string, wall bool) (string, error) {
	name, known := filepath.Base(file), figure.Extensions()
	if wall {
		known = append(figure.BoardExtensions(), "zip")
	}
	for _, ext := range known {
		if strings.HasSuffix(name, "."+ext) {
			return ext, nil
		}
	}
	return "", wrong("format", "file", file, "extension", messages.Quote(filepath.Ext(file)), "known", messages.List(known))
}
