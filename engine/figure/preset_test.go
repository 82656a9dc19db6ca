package figure

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/figure/lettering"

	"gonum.org/v1/plot"
)

// lively returns figures of several forms for a paper.
func lively(t *testing.T, p Preset, dpi int) (list []Figure) {
	t.Helper()
	for i, m := range []Spec{{Map: softmaxMap(19, 1, 1)}, {Map: softmaxMap(60, 1, 2)}, {Map: softmaxMap(3, 1, 3)},
		{Map: softmaxMap(200, 1, 3)}} {
		m.Title, m.Subtitle, m.Preset, m.DPI = fmt.Sprintf("Map %d", i), "layer 1", p, dpi
		f, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, *f)
	}
	return list
}

// TestPresets: a figure, and a board of several, has the size of its paper in every format, and
// fills most of it.
func TestPresets(t *testing.T) {
	for _, p := range Presets {
		for _, dpi := range []int{0, 72} {
			figures := lively(t, p, dpi)
			if dpi == 0 {
				dpi = p.DPI
			}
			boards := map[string]Board{"several": rowOfAll(figures)}
			for _, f := range figures {
				boards[f.Title] = f.board()
			}
			several := boards["several"]
			several.Columns = 0
			boards["several"] = several
			for name, b := range boards {
				err := b.lay(func(l *poster) error {
					width, height := p.pixels(dpi)
					if l.width != width || height > 0 && l.height != height {
						t.Errorf("%s, %s: %d × %d pixels, want %d × %d", p.Name, name, l.width, l.height, width, height)
					}
					widest := 0
					for _, one := range l.pages {
						if one.at.X < 0 || one.at.Y < 0 || one.at.X+one.width > l.width || one.at.Y+one.height > l.height {
							t.Errorf("%s, %s: a page stands at %v with %d × %d pixels, outside", p.Name, name, one.at, one.width, one.height)
						}
						body, _ := one.grid.extent(one.cell)
						widest = max(widest, body)
					}
					room := width
					if height > 0 {
						room = min(width, height)
					}
					if name != "several" && widest < room*4/10 {
						t.Errorf("%s, %s: cells of %d pixels on %d", p.Name, name, widest, room)
					}
					return nil
				})
				if err != nil {
					t.Errorf("%s, %s: %v", p.Name, name, err)
				}
			}
			if p.Name == "slide" {
				checkFiles(t, figures[0], dpi)
			}
		}
	}
}

// checkFiles compares the sizes stated in files of a slide with the slide's own.
func checkFiles(t *testing.T, f Figure, dpi int) {
	var pixels, svg, pdf bytes.Buffer
	if err := errors.Join(f.PNG(&pixels), f.SVG(&svg), f.PDF(&pdf)); err != nil {
		t.Fatal(err)
	}
	if c, err := png.DecodeConfig(&pixels); err != nil || c.Width != 1920*dpi/96 {
		t.Errorf("%d pixels at %d dots per inch: %v", c.Width, dpi, err)
	}
	if !strings.Contains(svg.String(), `width="1920" height="1080"`) {
		t.Errorf("at %d dots per inch: %.200s", dpi, svg.String())
	}
	if !strings.Contains(pdf.String(), "/MediaBox[0 0 1440 810]") {
		t.Errorf("at %d dots per inch the PDF has another page", dpi)
	}
}

// TestPresetsRefuse: a scale together with a preset, resolutions with too many pixels, and figures
// without enough room are rejected.
func TestPresetsRefuse(t *testing.T) {
	for name, c := range map[string]struct {
		s    Spec
		want string
	}{
		"scale":      {Spec{Map: softmaxMap(9, 1, 1), Scale: 3, Preset: FindPreset("slide")}, "remove scale"},
		"resolution": {Spec{Map: softmaxMap(9, 1, 1), DPI: 1200, Preset: FindPreset("a1")}, "million"},
		"room":       {Spec{Map: softmaxMap(512, 1, 1), DPI: 36, Preset: FindPreset("column")}, "too small for this figure"},
	} {
		f, err := New(c.s)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.PNG(&bytes.Buffer{}); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestStacksShareALine: the cells of a stack are aligned, in drawings as in images, and the column
// labels occur once.
func TestStacksShareALine(t *testing.T) {
	labels := []string{"uno", "dos", "tres", "cuatro", "cinco"}
	stack := Stack{}
	for i := range 3 {
		m := named(softmaxMap(5, 1, uint64(i)), nil, labels)
		if i > 0 {
			m.Axes, m.Value = m.Axes[1:], m.Value.Sub(0)
		}
		f, err := New(Spec{Title: "T", Map: m})
		if err != nil {
			t.Fatal(err)
		}
		stack = append(stack, *f)
	}
	b := Board{Stacks: []Stack{stack}, Columns: 1}
	err := b.lay(func(p *poster) error {
		for i, one := range p.pages {
			if x, want := one.at.X+one.corner.X, p.pages[0].at.X+p.pages[0].corner.X; x != want {
				t.Errorf("figure %d begins at %d, the first at %d", i, x, want)
			}
			if i > 0 && one.at.Y < p.pages[i-1].at.Y+p.pages[i-1].height {
				t.Errorf("figure %d stands over the one before", i)
			}
		}
		img, d := p.image(), p.drawing()
		for _, one := range p.pages {
			at := one.corner.Add(one.at).Add(one.cell.Div(2))
			if got, want := d.colourAt(at), img.RGBAAt(at.X, at.Y); got != want || math.Abs(float64(want.A)) == 0 {
				t.Errorf("%v in the drawing, %v in the image", got, want)
			}
		}
		times := 0
		for _, x := range textsOf(d) {
			if x.Text == "cuatro" {
				times++
			}
		}
		if times != 1 {
			t.Errorf("the label of a column stands %d times", times)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestTypeIsLargeEnough: no letter is smaller than the size that a preset guarantees, even if
// several figures share the paper and one colour bar. A board that does not fit is rejected with
// the number of figures that do.
func TestTypeIsLargeEnough(t *testing.T) {
	many := func(p Preset, n int) (b Board) {
		for range n {
			f, err := New(Spec{Title: "Map", Subtitle: "layer 1", Map: softmaxMap(13, 1, 3), Preset: p})
			if err != nil {
				t.Fatal(err)
			}
			b.Stacks = append(b.Stacks, Stack{*f})
		}
		return b
	}
	for _, p := range Presets {
		for _, n := range []int{1, 4} {
			err := many(p, n).lay(func(l *poster) error {
				bars := 0
				for _, one := range l.pages {
					if one.bar.plot != nil {
						bars++
					}
				}
				if bars != 1 {
					t.Errorf("%s: %d figures have %d colour bars", p.Name, n, bars)
				}
				for _, x := range textsOf(l.drawing()) {
					if size := lettering.Pixels(x.Size) * baseDPI / float64(l.look.DPI); size < p.Least*p.Point-0.02 {
						t.Errorf("%s: %q of %d figures has %.1f pixels, want %.1f", p.Name, x.Text, n, size, p.Least*p.Point)
					}
				}
				if p.Height == 0 && float64(l.height) > pageHeight*float64(l.look.DPI)/baseDPI {
					t.Errorf("%s: %d figures are %d pixels high", p.Name, n, l.height)
				}
				if l.width*l.height > p.MostPixels(0) {
					t.Errorf("%s: %d figures have %d × %d pixels", p.Name, n, l.width, l.height)
				}
				return nil
			})
			if err != nil {
				t.Errorf("%s, %d: %v", p.Name, n, err)
			}
		}
	}
	err := many(FindPreset("column"), 40).lay(func(*poster) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "of 40 maps with letters of 6 points") {
		t.Errorf("40 figures on a column: %v", err)
	}
}

// TestValuesInCells: each cell has its value, cells that are too small are rejected, and titles can
// be left out.
func TestValuesInCells(t *testing.T) {
	drawnOf(t, Spec{Title: "T", Subtitle: "layer", Map: softmaxMap(3, 1, 3), Numbers: true, Untitled: true,
		Preset: PresetOfWidth(10)}, func(p *page, d *drawing) {
		values := 0
		for _, x := range textsOf(d) {
			if x.Text == "T" || x.Text == "layer" {
				t.Errorf("%s is there", x.Text)
			}
			if strings.HasPrefix(x.Text, ".") || x.Text == "1.00" {
				values++
			}
		}
		if values != 9 || p.width != int(math.Round(100/25.4*300)) {
			t.Errorf("%d values, %d pixels wide", values, p.width)
		}
	})
	f, err := New(Spec{Map: softmaxMap(60, 1, 3), Numbers: true})
	if err == nil {
		err = f.PNG(&bytes.Buffer{})
	}
	if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "too small for their values") {
		t.Errorf("60 columns: %v", err)
	}
}

// TestTicksStandApart: labels of a colour bar never overlap, and both ends have a label.
func TestTicksStandApart(t *testing.T) {
	ticks := plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: 0.9, Label: "0.9"}, {Value: 0.5, Label: "0.5"},
		{Value: 0.55, Label: "0.55"}, {Value: 1, Label: "1"}}
	var labels []string
	for _, tick := range apart(ticks, func(plot.Tick) float64 { return 0.12 }, 0.02) {
		labels = append(labels, tick.Label)
	}
	if want := []string{"0", "0.5", "", "", "1"}; !slices.Equal(labels, want) {
		t.Errorf("the labels are %q, want %q", labels, want)
	}
}
