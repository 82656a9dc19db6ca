//go:build ignore

// This program writes the colour tables of engine/figure as an ES module
// and as style sheet gradients, so that the canvas, the legend and the exported
// figures share every colour.
package main

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"log"
	"os"

	"attnatlas/engine/figure"
)

func main() {
	js := flag.String("js", "palettes.js", "the module to write")
	css := flag.String("css", "palettes.css", "the style sheet to write")
	flag.Parse()
	if err := os.WriteFile(*js, Module(), 0o644); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*css, Sheet(), 0o644); err != nil {
		log.Fatal(err)
	}
}

// scale is a table in both themes.
type scale struct {
	name        string
	light, dark *figure.Table
}

// low is the entry of exactly 0.
func (s scale) low() int {
	if s.name == "diverging" {
		return 128
	}
	return 0
}

func scales() []scale {
	var all []scale
	for _, p := range figure.Palettes() {
		all = append(all, scale{p.String(), p.Table(figure.Light), p.Table(figure.Dark)})
	}
	all = append(all, scale{"diverging", figure.Diverging(figure.Light), figure.Diverging(figure.Dark)})
	return append(all, scale{"categorical", figure.Categorical(), figure.Categorical()})
}

// Module is the ES module: each table as 256 · 6 hexadecimal digits.
func Module() []byte {
	var b bytes.Buffer
	b.WriteString("// Code generated from the tables of engine/figure; DO NOT EDIT.\n\n")
	b.WriteString("/** Colour tables: 256 colours as rrggbb, from low to high, per theme. */\n")
	b.WriteString("export const TABLES = {\n")
	for _, s := range scales() {
		fmt.Fprintf(&b, "  %s: {\n", s.name)
		fmt.Fprintf(&b, "    light: '%s',\n", digits(s.light))
		fmt.Fprintf(&b, "    dark: '%s',\n  },\n", digits(s.dark))
	}
	b.WriteString("};\n\n/** Colours beside the tables, per theme. */\nexport const COLOURS = {\n")
	for _, t := range []figure.Theme{figure.Light, figure.Dark} {
		c := t.Colours()
		fmt.Fprintf(&b, "  %s: { paper: '#%02x%02x%02x', hatch: '#%02x%02x%02x', bad: '#%02x%02x%02x', cross: '#%02x%02x%02x' },\n", t,
			c.Paper.R, c.Paper.G, c.Paper.B, c.Hatch.R, c.Hatch.G, c.Hatch.B, c.Bad.R, c.Bad.G, c.Bad.B, c.Cross.R,
			c.Cross.G, c.Cross.B)
	}
	b.WriteString("};\n")
	return b.Bytes()
}

func digits(t *figure.Table) string {
	flat := make([]byte, 0, 3*len(t))
	for _, c := range t {
		flat = append(flat, c[:]...)
	}
	return hex.EncodeToString(flat)
}

// stops is the number of colours of a legend's gradient.
const stops = 52

// Sheet is the style sheet: one gradient per table, class "bar-" and its name, with the
// colours of its lowest cell and of the dot on it, and the hues of classes, "hue-" and a
// number.
func Sheet() []byte {
	var b bytes.Buffer
	b.WriteString("/* Code generated from the tables of engine/figure; DO NOT EDIT. */\n")
	for _, s := range scales() {
		fmt.Fprintf(&b, "\n.bar-%s {\n  background: linear-gradient(to right", s.name)
		for i := range stops {
			k := i * 255 / (stops - 1)
			fmt.Fprintf(&b, ",\n    %s", colour(s.light[k], s.dark[k]))
		}
		b.WriteString(");\n}\n")
		fmt.Fprintf(&b, ".bar-%s ~ .nothing { --cell-low: %s; --on-cell: %s; }\n", s.name,
			colour(s.light[s.low()], s.dark[s.low()]), colour(s.light[255], s.dark[255]))
	}
	for i := range figure.Steps {
		c := figure.Categorical()[(2*i+1)*256/figure.Steps/2]
		fmt.Fprintf(&b, "\n.hue-%d::before { background: %s; }\n", i, colour(c, c))
	}
	return b.Bytes()
}

func colour(light, dark [3]uint8) string {
	if light == dark {
		return fmt.Sprintf("#%x", light[:])
	}
	return fmt.Sprintf("light-dark(#%x, #%x)", light[:], dark[:])
}
