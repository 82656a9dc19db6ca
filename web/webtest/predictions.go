package webtest

import (
	"image"

	"golang.org/x/net/html"
)

// Card is the card of a mechanism.
func Card(doc *html.Node, id string) *html.Node { return All(doc, "article#card-"+id)[0] }

// Differing are answers that differ from the usual ones.
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
