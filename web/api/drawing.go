package api

import (
	"encoding/binary"
	"math"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
)

// Drawing is the response of /api/v1/drawing: maps with the colours of pages and figures.
type Drawing struct {
	Version    int                `json:"version" doc:"Version of this format"`
	Mechanisms []DrawingMechanism `json:"mechanisms" doc:"Drawings of the mechanisms, in the order of the request"`
}

// DrawingMechanism holds the maps of one mechanism, or an error.
type DrawingMechanism struct {
	ID    string       `json:"id" doc:"ID of the mechanism"`
	Error string       `json:"error,omitempty" doc:"Reason why there are no maps"`
	Maps  []DrawingMap `json:"maps,omitempty" doc:"Drawings of the maps"`
}

// DrawingMap is a map of one layer and one head, or of the mean of the heads.
type DrawingMap struct {
	Name   string         `json:"name" doc:"Name of the map"`
	Kind   string         `json:"kind" enum:"activation,probability,weight,gate,category,count,length" doc:"Kind of the values"`
	Form   string         `json:"form" enum:"heatmap,rectangle,strip,strips,pattern,buckets,order,wiring" doc:"Form of the drawing"`
	Rows   int            `json:"rows" doc:"Number of rows"`
	Cols   int            `json:"cols" doc:"Number of columns"`
	Axes   []DrawingAxis  `json:"axes" doc:"Axes of one plane: rows and columns, or columns alone for a single row"`
	By     string         `json:"by,omitempty" doc:"Name of the map with the classes that colour an order"`
	Names  []string       `json:"names,omitempty" doc:"Names of the classes 0, 1, … of a category; an empty name means no class"`
	Sinks  []int          `json:"sinks,omitempty" doc:"Columns, from 0, that are attention sinks; only with sinks=aside"`
	Planes []DrawingPlane `json:"planes" doc:"Stacked planes of the map; a single one for most maps"`
}

// DrawingAxis names rows or columns.
type DrawingAxis struct {
	Role   string   `json:"role" doc:"Role of the axis, such as query or key"`
	Title  string   `json:"title,omitempty" doc:"Title of the axis"`
	Words  bool     `json:"words,omitempty" doc:"Whether the positions are the tokens of the text"`
	Tokens []int    `json:"tokens,omitempty" doc:"Index of the token at each position, from 0, with arrange or special=0; absent if all tokens are in the order of the text"`
	Labels []string `json:"labels,omitempty" doc:"Names of the positions that are neither tokens nor numbers"`
}

// DrawingPlane holds the cells of one map, row by row.
type DrawingPlane struct {
	Table   string `json:"table" enum:"palette,diverging,categorical" doc:"Colour table: the chosen colour map, or one that suits the data"`
	Cells   []byte `json:"cells" doc:"Index into the 256 colours of the table, one byte per cell, in base64"`
	Classes string `json:"classes,omitempty" doc:"Class of each cell, one digit per cell; absent if all are 0. Digits from 0: value, masked out, not computed, exactly 0, too small for the colour range, NaN or infinite, excluded, blocked"`
	Values  []byte `json:"values,omitempty" doc:"Exact values as little-endian float32, in base64; absent with values=0"`
}

// Detail selects whether a drawing includes its numbers.
type Detail int

// Details.
const (
	ColoursOnly Detail = iota
	WithNumbers        // exact numbers in addition to colours
)

// NewDrawing returns the drawings of the requested maps that the mechanism has; by default the maps
// of its views.
func NewDrawing(sel *exhibit.Selection, res *engine.Result, names []string, detail Detail,
	l *messages.Language) ([]DrawingMap, error) {
	if res.Err != nil {
		return nil, res.Err
	}
	if len(names) == 0 {
		for _, v := range exhibit.Views(res) {
			names = append(names, v.Map)
		}
	}
	has := exhibit.MapNames(res)
	for _, part := range res.Parts {
		has = append(has, part.Name)
	}
	if sel.Tiles(res) > 0 {
		has = append(has, exhibit.HeadSheet)
	}
	var drawn []DrawingMap
	for _, name := range names {
		if !slices.Contains(has, name) {
			continue
		}
		x, err := sel.Exhibit(res.ID, name, 0)
		if err != nil {
			return nil, err
		}
		m := newDrawingMap(x, l)
		for plane := range max(x.Layout.Planes, 1) {
			if plane > 0 {
				if x, err = sel.Exhibit(res.ID, name, plane+1); err != nil {
					return nil, err
				}
			}
			of := detail
			if name == exhibit.HeadSheet {
				of = ColoursOnly
			}
			m.Planes = append(m.Planes, newPlane(x, of))
		}
		drawn = append(drawn, m)
	}
	return drawn, nil
}

func newDrawingMap(x *exhibit.Exhibit, l *messages.Language) DrawingMap {
	t, g := x.Map, x.Grid()
	m := DrawingMap{Name: x.Name, Kind: t.Kind.String(), Form: x.Layout.Form.String(), Rows: g.Rows, Cols: g.Cols,
		By: x.View.By, Sinks: x.SinkColumns()}
	for _, class := range t.Classes {
		m.Names = append(m.Names, l.Say(figure.ClassName(class)))
	}
	for i, n := range []int{g.Rows, g.Cols}[2-len(t.Axes):] {
		a := t.Axes[i]
		axis := DrawingAxis{Role: a.Role.String(), Title: l.Say(figure.Title(a)), Words: a.Text,
			Tokens: x.Positions(i)}
		if !a.Text && !figure.Numbered(a) && x.Layout.Form != figure.Wiring {
			for k := range n {
				axis.Labels = append(axis.Labels, l.Say(figure.Label(a, k)))
			}
		}
		m.Axes = append(m.Axes, axis)
	}
	return m
}

func newPlane(x *exhibit.Exhibit, detail Detail) DrawingPlane {
	g := x.Grid()
	p := DrawingPlane{Table: g.Scale.Table(), Cells: g.Index, Classes: digits(g)}
	if detail == WithNumbers {
		p.Values = float32s(x.Map.Value)
	}
	return p
}

// NewSecond returns the drawing of a second text on a card: its map and, where it is defined, the
// difference from the first.
func NewSecond(c *exhibit.Comparison, detail Detail, l *messages.Language) []DrawingMap {
	list := []DrawingMap{drawn(c.B, exhibit.SecondMap, detail, l)}
	if c.Difference != nil {
		list = append(list, drawn(c.Difference, exhibit.DifferenceMap, detail, l))
	}
	return list
}

// drawn returns the drawing of one plane of a map under a name.
func drawn(x *exhibit.Exhibit, name string, detail Detail, l *messages.Language) DrawingMap {
	m := newDrawingMap(x, l)
	m.Name, m.Planes = name, []DrawingPlane{newPlane(x, detail)}
	return m
}

// NewCompareDrawing returns the drawing of a comparison's three maps, in the same form as the maps
// of mechanisms. Their names are a, b and difference.
func NewCompareDrawing(c *exhibit.Comparison, detail Detail, l *messages.Language) Drawing {
	d := Drawing{Version: 1}
	add := func(name string, x *exhibit.Exhibit) {
		d.Mechanisms = append(d.Mechanisms, DrawingMechanism{ID: name, Maps: []DrawingMap{drawn(x, x.Name, detail, l)}})
	}
	add("a", c.A)
	add("b", c.B)
	if c.Difference != nil {
		add(exhibit.DifferenceMap, c.Difference)
	}
	return d
}

// NewSideDrawing returns the drawing of one of the two maps, named a or b.
func NewSideDrawing(side string, x *exhibit.Exhibit, detail Detail, l *messages.Language) Drawing {
	return Drawing{Version: 1, Mechanisms: []DrawingMechanism{{ID: side, Maps: []DrawingMap{drawn(x, x.Name, detail, l)}}}}
}

// digits returns the classes of a grid's cells as digits, or "" if all are plain values.
func digits(g *figure.Grid) string {
	b := make([]byte, len(g.Class))
	for i, class := range g.Class {
		b[i] = '0' + byte(class)
	}
	if !slices.ContainsFunc(b, func(d byte) bool { return d != '0' }) {
		return ""
	}
	return string(b)
}

func float32s(t *tensor.T) []byte {
	b := make([]byte, 0, 4*t.Len())
	for _, v := range t.Data {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
	}
	return b
}
