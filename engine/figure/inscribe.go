package figure

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// wordsFrom is the narrowest cell, at 96 dots per inch, that can hold a text.
const wordsFrom = 11

// numbersIn is the narrowest cell, at 96 dots per inch, that can hold a value.
const numbersIn = 17

// values writes the values into their cells, with two decimals.
func (p *page) values(s surface, b brush) {
	for i, class := range p.grid.Class {
		if class != Value && class != Tiny && class != Zero {
			continue
		}
		text := strconv.FormatFloat(float64(p.spec.Map.Value.Data[i]), 'f', 2, 64)
		text = strings.Replace(strings.Replace(text, "0.", ".", 1), "-", "−", 1)
		st := p.style(smallestLetters, ink(b.table[p.grid.Index[i]]))
		st.XAlign, st.YAlign = draw.XCenter, draw.YCenter
		x := float64(p.corner.X) + (float64(i%p.grid.Cols)+0.5)*float64(p.cell.X)
		y := float64(p.corner.Y) + (float64(i/p.grid.Cols)+0.5)*float64(p.cell.Y)
		p.h.Draw(s, text, st, vg.Point{X: vg.Length(x), Y: vg.Length(s.tall() - y)})
	}
}

// inscribe writes the numbers of buckets, and the tokens of an order, into their cells.
func (p *page) inscribe(s surface, b brush) {
	if p.spec.Numbers && !p.grid.Scale.Category && !p.spec.Arcs.On {
		p.values(s, b)
		return
	}
	if p.grid.form != Buckets && (p.grid.form != Order || p.spec.Words == nil) || float64(p.cell.X) < wordsFrom*p.letters() {
		return
	}
	for i, class := range p.grid.Class {
		if class != Value {
			continue
		}
		v := int(p.spec.Map.Value.Data[i])
		st := p.style(min(11, 0.8*float64(p.cell.X)/p.factor), ink(b.table[p.grid.Index[i]]))
		st.XAlign, st.YAlign = draw.XCenter, draw.YCenter
		text := strconv.Itoa(v)
		if p.grid.form == Order {
			st.Rotation = math.Pi / 2
			text = shorten(visible(p.spec.Words[v]))
		}
		x := float64(p.corner.X) + (float64(i%p.grid.Cols)+0.5)*float64(p.cell.X)
		y := float64(p.corner.Y) + (float64(i/p.grid.Cols)+0.5)*float64(p.cell.Y)
		p.h.Draw(s, text, st, vg.Point{X: vg.Length(x), Y: vg.Length(s.tall() - y)})
	}
}

// ink returns dark or white, whichever is legible on the colour.
func ink(ground [3]uint8) color.RGBA {
	if 0.3*float64(ground[0])+0.59*float64(ground[1])+0.11*float64(ground[2]) > 130 {
		return rgb(0x14, 0x17, 0x1c)
	}
	return rgb(0xff, 0xff, 0xff)
}
