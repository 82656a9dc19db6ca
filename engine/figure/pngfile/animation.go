package pngfile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"image"
	"image/draw"
	"io"
)

// Frame is a picture of an animation that is drawn on demand. Draw calls use with the image; use
// must not keep it.
type Frame struct {
	Draw         func(use func(*image.RGBA) error) error
	Milliseconds uint16 // how long it stays
}

// Animate writes frames as one animated PNG (PNG, third edition, sec. 11.3.6) that repeats forever.
// Programs without support for animations show the last frame. All frames have the size of the
// largest. Each frame is drawn twice, the last one three times.
func Animate(w io.Writer, frames []Frame, info Info) error {
	if len(frames) == 0 {
		return errors.New("pngfile: an animation needs a frame")
	}
	a := animation{census: newCensus()}
	for _, f := range frames {
		if err := f.Draw(a.measure); err != nil {
			return err
		}
	}
	out := bufio.NewWriter(w)
	a.w = out
	a.begin(a.size, a.census, info)
	a.chunk("acTL", be(uint32(len(frames)), 0))
	if err := frames[len(frames)-1].Draw(a.still); err != nil {
		return err
	}
	for _, f := range frames {
		a.time = f.Milliseconds
		if err := f.Draw(a.frame); err != nil {
			return err
		}
	}
	a.chunk("IEND", nil)
	return errors.Join(a.err, out.Flush())
}

// animation writes frames.
type animation struct {
	chunker
	size   image.Point
	census *census // of all frames
	n      uint32  // number of the next numbered chunk
	time   uint16  // duration of the next frame, in milliseconds
}

func (a *animation) measure(img *image.RGBA) error {
	a.size.X, a.size.Y = max(a.size.X, img.Rect.Dx()), max(a.size.Y, img.Rect.Dy())
	for y := range img.Rect.Dy() {
		a.census.add(rowOf(img, y))
	}
	return nil
}

// still writes the picture for programs without support for animations.
func (a *animation) still(img *image.RGBA) error {
	data, err := deflated(a.padded(img), a.census)
	a.chunk("IDAT", data)
	return err
}

func (a *animation) frame(img *image.RGBA) error {
	data, err := deflated(a.padded(img), a.census)
	control := be(a.n, uint32(a.size.X), uint32(a.size.Y), 0, 0)
	control = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(control, a.time), 1000)
	a.chunk("fcTL", append(control, 0, 0)) // dispose: none; blend: source
	a.chunk("fdAT", append(be(a.n+1), data...))
	a.n += 2
	return err
}

// padded returns an image of the animation's size, filled with the colour of a corner.
func (a *animation) padded(img *image.RGBA) *image.RGBA {
	if img.Rect.Size() == a.size {
		return img
	}
	all := image.NewRGBA(image.Rectangle{Max: a.size})
	draw.Draw(all, all.Rect, image.NewUniform(img.At(0, 0)), image.Point{}, draw.Src)
	draw.Draw(all, img.Rect, img, image.Point{}, draw.Src)
	return all
}

func be(values ...uint32) (b []byte) {
	for _, v := range values {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	return b
}
