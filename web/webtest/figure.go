package webtest

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"testing"
)

// Picture returns the picture of an answer.
func Picture(t *testing.T, s http.Handler, target string) image.Image {
	t.Helper()
	w := Get(s, target)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", target, w.Code, w.Body)
	}
	img, err := png.Decode(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// Rgb returns the colour of a pixel.
func Rgb(img image.Image, x, y int) [3]uint8 {
	r, g, b, _ := img.At(x, y).RGBA()
	return [3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)}
}
