package webtest

import (
	"image"

	"golang.org/x/net/html"
)

// Card returns the card of a mechanism.
func Card(doc *html.Node, id string) *html.Node { return All(doc, "article#card-"+id)[0] }

// Differing counts the pixels in which two pictures differ.
func Differing(a, b image.Image) int {
	n := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if Rgb(a, x, y) != Rgb(b, x, y) {
				n++
			}
		}
	}
	return n
}
