package mechanism

import (
	"attnatlas/components"
	"attnatlas/web/site"
	"attnatlas/web/wall"
)

// Exports for the tests of the package.
var Pieces = pieces

func GenerationExamples(v *wall.View) []components.Example {
	return (&page{v, nil}).generationExamples()
}

func Setting(v *wall.View, e *site.Mechanism, n int) string {
	return (&page{v, &pages{v.Site}}).setting(e, n)
}
