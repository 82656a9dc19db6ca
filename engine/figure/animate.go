package figure

import (
	"bufio"
	"encoding/binary"
	"errors"
	"image"
	"image/draw"
	"io"
)

// How long a frame of an animation stays, and the last one, in milliseconds.
const (
	frameTime = 150
	restTime  = 2500
)

// Animate writes figures as one animated PNG (PNG, third edition, sec. 11.3.6), which plays
// again and again. Programs that know no animations show the last figure. All have the size
// of the largest, and what the file says is that of the last.
func Animate(w io.Writer, frames []Figure) error {
	if len(frames) == 0 {
		return errors.New("figure: an animation needs a frame")
	}
	a := animation{census: &census{index: make(map[uint32]uint8, 256), opaque: true}}
	for _, f := range frames {
		if err := f.onImage(a.measure); err != nil {
			return err
		}
	}
	last := frames[len(frames)-1]
	out := bufio.NewWriter(w)
	a.chunker.w = out
	a.raw("\x89PNG\r\n\x1a\n")
	a.header(a.size.X, a.size.Y, a.census.colourType())
	a.resolution(last.DPI)
	for _, m := range last.Meta {
		a.text(m)
	}
	if a.census.indexed() {
		a.palette(a.census.colours)
	}
	a.chunk("acTL", be(uint32(len(frames)), 0))
	if err := last.onImage(a.still); err != nil {
		return err
	}
	for i, f := range frames {
		a.time = frameTime
		if i == len(frames)-1 {
			a.time = restTime
		}
		if err := f.onImage(a.frame); err != nil {
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
	n      uint32  // of the next chunk that is numbered
	time   uint16  // of the next frame
}

func (a *animation) measure(img *image.RGBA) error {
	a.size.X, a.size.Y = max(a.size.X, img.Rect.Dx()), max(a.size.Y, img.Rect.Dy())
	for y := range img.Rect.Dy() {
		a.census.add(rowOf(img, y))
	}
	return nil
}

// still writes the picture for programs that know no animations.
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

// padded is an image of the animation's size, filled up with the colour of a corner.
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
