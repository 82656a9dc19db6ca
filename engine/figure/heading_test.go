package figure

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"strings"
	"testing"
)

// TestHeading: the heading is above the unchanged figures. Long headings take two lines and end
// with an ellipsis. Vector files contain its words. Paper of a given size has room for it.
func TestHeading(t *testing.T) {
	b := rowOfAll(nil)
	for i := range 3 {
		f, err := New(Spec{Title: "t", Map: softmaxMap(5, 2, uint64(i)), Norm: PerRow, Scale: 20})
		if err != nil {
			t.Fatal(err)
		}
		b.Stacks = append(b.Stacks, Stack{*f})
	}
	b.Columns = 3
	plain := boardImage(t, b)
	for text, lines := range map[string]int{"A few words.": 1, strings.Repeat("many words ", 20): 2,
		strings.Repeat("too many words ", 200): 2, strings.Repeat("m", 500): 2} {
		b.Heading = text
		err := b.lay(func(p *poster) error {
			h := p.heading
			if len(h.lines) != lines || lines == 2 && len(text) > 300 != strings.HasSuffix(h.lines[1].text, "…") {
				t.Errorf("%.20q has the lines %v", text, h.lines)
			}
			for _, l := range h.lines {
				if wide := h.h.width(l.text, l.style.Font); l.x+wide > float64(p.width) {
					t.Errorf("%.20q is %g pixels wide on %d", text, wide, p.width)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		with := boardImage(t, b)
		down := with.Bounds().Dy() - plain.Bounds().Dy()
		if down <= 0 || !sameAt(with, asRGBA(plain), image.Pt(0, down)) {
			t.Errorf("%.20q: the figures are not as they were, %d pixels further down", text, down)
		}
	}
	b.Heading = "A few words."
	var svg bytes.Buffer
	if err := b.SVG(&svg); err != nil || !strings.Contains(svg.String(), ">A few words.<") {
		t.Errorf("the words are not in the SVG: %v", err)
	}
	for i := range b.Stacks {
		b.Stacks[i][0].Scale, b.Stacks[i][0].Preset, b.Stacks[i][0].DPI = 0, Presets[0], 50
	}
	b.Columns = 0
	width, height := Presets[0].pixels(50)
	if got := boardImage(t, b).Bounds(); got.Dx() != width || got.Dy() != height {
		t.Errorf("on a paper of %d×%d it is %v", width, height, got)
	}
}

// boardImage returns the board as an image.
func boardImage(t *testing.T, b Board) image.Image {
	t.Helper()
	var out bytes.Buffer
	if err := b.PNG(&out); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// asRGBA returns a copy of an image.
func asRGBA(img image.Image) *image.RGBA {
	c := image.NewRGBA(img.Bounds())
	draw.Draw(c, c.Rect, img, image.Point{}, draw.Src)
	return c
}
