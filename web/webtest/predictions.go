package webtest

import (
	"image"

	"golang.org/x/net/html"
)

func Card(doc *html.Node, id string) *html.Node { return All(doc, "article#card-"+id)[0] }

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
