package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

type renderCmd struct {
	view
	Mechanism string `short:"m" required:"" help:"Mechanism or stack, such as dense or universal."`
	Out       string `short:"o" required:"" type:"path" help:"File to write; its name ends in .png." placeholder:"FILE"`
	Map       string `help:"Map, such as alpha, rollout, influence (how much each output moves when an input moves), or one of a stack, such as effective weights; without it the mechanism's main map." placeholder:"NAME"`
	Plane     int    `help:"Which map of a stack, such as the second round, from 1."`
	Norm      string `help:"Normalisation of colours: absolute, shared, map, row, log or uniform." placeholder:"NORM"`
	Cmap      string `help:"Colour scale: cividis, viridis, magma, greys or ink." placeholder:"NAME"`
	Theme     string `help:"light or dark." placeholder:"THEME"`
	Scale     int    `help:"Pixels per cell."`
	DPI       int    `help:"Dots per inch, as the file says."`

	Transparent bool `help:"Leave the paper out."`
}

// Run draws one map.
func (c *renderCmd) Run(ctx context.Context, s streams) error {
	if ext := filepath.Ext(c.Out); ext != ".png" {
		return fmt.Errorf("--out %s: figures are written as .png, not %q", c.Out, ext)
	}
	q, err := c.query(stdin())
	if err != nil {
		return err
	}
	for key, value := range map[string]string{"map": c.Map, "norm": c.Norm, "cmap": c.Cmap, "theme": c.Theme} {
		set(q, key, value)
	}
	for key, n := range map[string]int{"plane": c.Plane, "scale": c.Scale, "dpi": c.DPI} {
		if n != 0 {
			q.Set(key, strconv.Itoa(n))
		}
	}
	if c.Transparent {
		q.Set("transparent", "1")
	}
	body, err := c.ask(ctx, s, "/export/"+c.Mechanism+".png", q)
	if err != nil {
		return err
	}
	if err := os.WriteFile(c.Out, body, 0o644); err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.out, c.Out)
	return err
}
