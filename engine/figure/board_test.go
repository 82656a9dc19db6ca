package figure

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"testing"
)

// rowOfAll returns a board of one row.
func rowOfAll(figures []Figure) Board {
	b := Board{Columns: len(figures)}
	for _, f := range figures {
		b.Stacks = append(b.Stacks, Stack{f})
	}
	return b
}

// TestRow: every figure looks as it does alone, from left to right, with the upper edges of the
// cells aligned.
func TestRow(t *testing.T) {
	var figures []Figure
	for i, title := range []string{"t", "a title that is so long that it needs a second line, and so pushes its cells down", "t"} {
		f, err := New(Spec{Title: title, Map: softmaxMap(5, 2, uint64(i)), Norm: PerRow, Scale: 20 + 10*i})
		if err != nil {
			t.Fatal(err)
		}
		figures = append(figures, *f)
	}
	var out bytes.Buffer
	if err := rowOfAll(figures).PNG(&out); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	line, left := 0, 0
	for _, f := range figures {
		if err := f.onPage(func(p *page) error { line = max(line, p.corner.Y); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	for i, f := range figures {
		if err := f.onPage(func(p *page) error {
			alone := image.NewRGBA(image.Rect(0, 0, p.width, p.height))
			p.draw(alone)
			if !sameAt(img, alone, image.Pt(left, line-p.corner.Y)) {
				t.Errorf("figure %d is not as it is alone", i)
			}
			left += p.width
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if img.Bounds().Dx() != left {
		t.Errorf("the row is %d pixels wide, its figures %d", img.Bounds().Dx(), left)
	}
}

// sameAt reports whether an image contains another one at a place.
func sameAt(img image.Image, part *image.RGBA, at image.Point) bool {
	for y := range part.Rect.Dy() {
		for x := range part.Rect.Dx() {
			r, g, b, a := part.At(x, y).RGBA()
			if r2, g2, b2, a2 := img.At(x+at.X, y+at.Y).RGBA(); r != r2 || g != g2 || b != b2 || a != a2 {
				return false
			}
		}
	}
	return true
}

// TestRowRefuses: empty boards and images with too many pixels are rejected.
func TestRowRefuses(t *testing.T) {
	if (Board{}).PNG(&bytes.Buffer{}) == nil {
		t.Error("there is a row of nothing")
	}
	f, err := New(Spec{Map: softmaxMap(9, 2, 1), Norm: PerRow, Scale: 500})
	if err != nil {
		t.Fatal(err)
	}
	if err := rowOfAll([]Figure{*f, *f, *f}).PNG(&bytes.Buffer{}); !errors.Is(err, ErrInvalid) {
		t.Errorf("a row of three large figures: %v", err)
	}
}
