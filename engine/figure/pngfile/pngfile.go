// Package pngfile writes images and animations as small PNG files. The same image always gives the
// same bytes.
package pngfile

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"io"
	"iter"
	"math"
	"strings"
	"sync"
	"unicode/utf8"
)

// Info is the metadata of a file.
type Info struct {
	DPI   int                       // 0: not stated
	Texts iter.Seq2[string, string] // keys and values
}

// Encode writes a PNG: paletted if the image has at most 256 colours, otherwise 8-bit RGB, or RGBA
// if a pixel is translucent. Cells repeat along both axes. Two of PNG's filters turn these
// repetitions into zeros, so that the fastest compression already makes small files.
func Encode(w io.Writer, img *image.RGBA, info Info) error {
	out := bufio.NewWriter(w)
	c := chunker{w: out}
	p := collect(img)
	c.begin(img.Rect.Size(), p, info)
	if c.err == nil {
		c.err = c.pixels(img, p)
	}
	c.chunk("IEND", nil)
	if c.err != nil {
		return c.err
	}
	return out.Flush()
}

// chunker writes PNG chunks and keeps the first error.
type chunker struct {
	w   io.Writer
	err error
}

func (c *chunker) raw(s string) {
	if c.err == nil {
		_, c.err = io.WriteString(c.w, s)
	}
}

func (c *chunker) chunk(kind string, data []byte) {
	body := append([]byte(kind), data...)
	c.raw(string(binary.BigEndian.AppendUint32(nil, uint32(len(data)))))
	c.raw(string(body))
	c.raw(string(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body))))
}

// begin writes everything before the pixels.
func (c *chunker) begin(size image.Point, p *census, info Info) {
	c.raw("\x89PNG\r\n\x1a\n")
	c.header(size.X, size.Y, p.colourType())
	c.resolution(info.DPI)
	if info.Texts != nil {
		for key, value := range info.Texts {
			c.text(key, value)
		}
	}
	if p.indexed() {
		c.palette(p.colours)
	}
}

func (c *chunker) header(width, height int, colourType byte) {
	b := binary.BigEndian.AppendUint32(nil, uint32(width))
	b = binary.BigEndian.AppendUint32(b, uint32(height))
	c.chunk("IHDR", append(b, 8, colourType, 0, 0, 0))
}

// resolution writes pHYs in pixels per metre. For 0 it writes nothing.
func (c *chunker) resolution(dpi int) {
	if dpi <= 0 {
		return
	}
	perMetre := uint32(math.Round(float64(dpi) / 0.0254))
	b := binary.BigEndian.AppendUint32(nil, perMetre)
	c.chunk("pHYs", append(binary.BigEndian.AppendUint32(b, perMetre), 1))
}

func (c *chunker) palette(colours []uint32) {
	rgb, alpha := make([]byte, 0, 3*len(colours)), make([]byte, 0, len(colours))
	opaque := true
	for _, v := range colours {
		r, g, b, a := straight(v)
		rgb, alpha = append(rgb, r, g, b), append(alpha, a)
		opaque = opaque && a == 0xff
	}
	c.chunk("PLTE", rgb)
	if !opaque {
		c.chunk("tRNS", alpha)
	}
}

// text writes tEXt, or iTXt for characters beyond Latin-1. A key is shortened to the 79 bytes that
// PNG allows.
func (c *chunker) text(key, value string) {
	key, plain := latin1(strings.TrimSpace(key))
	if !plain || key == "" {
		key = "Comment"
	}
	if len(key) > 79 {
		key = key[:79]
	}
	if short, ok := latin1(value); ok {
		c.chunk("tEXt", []byte(key+"\x00"+short))
		return
	}
	value = strings.ReplaceAll(strings.ToValidUTF8(value, "\uFFFD"), "\x00", "")
	c.chunk("iTXt", []byte(key+"\x00\x00\x00\x00\x00"+value))
}

// latin1 re-encodes text whose characters are printable Latin-1 or line feeds.
func latin1(s string) (string, bool) {
	if !utf8.ValidString(s) {
		return "", false
	}
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r != '\n' && (r < 0x20 || r > 0xff || r >= 0x7f && r < 0xa0) {
			return "", false
		}
		b = append(b, byte(r))
	}
	return string(b), true
}

// deflaters are pooled, because each has a megabyte of tables.
var deflaters = sync.Pool{New: func() any {
	z, err := zlib.NewWriterLevel(io.Discard, zlib.BestSpeed)
	if err != nil {
		panic("pngfile: " + err.Error()) // the level is a constant
	}
	return z
}}

// pixels writes the rows in one IDAT chunk.
func (c *chunker) pixels(img *image.RGBA, p *census) error {
	data, err := deflated(img, p)
	if err == nil {
		c.chunk("IDAT", data)
	}
	return err
}

// deflated returns the rows of an image as a compressed stream.
func deflated(img *image.RGBA, p *census) ([]byte, error) {
	var buf bytes.Buffer
	z := deflaters.Get().(*zlib.Writer)
	defer deflaters.Put(z)
	z.Reset(&buf)
	row := make([]byte, 1+img.Rect.Dx()*p.bytes())
	for y := range img.Rect.Dy() {
		p.row(row, img, y)
		if _, err := z.Write(row); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return buf.Bytes(), err
}
