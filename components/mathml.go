package components

import (
	"attnatlas/engine/formula"

	"github.com/a-h/templ"
)

// InlineMath sets a formula in a line of text.
func InlineMath(tex string) templ.Component { return mathOf(tex, formula.Inline) }

// DisplayMath sets a formula with room above and below.
func DisplayMath(tex string) templ.Component { return mathOf(tex, formula.Block) }

// mathOf sets a formula of package formula as MathML. What is not written in its
// notation is set as a sentence with variables in it.
func mathOf(tex string, style formula.Style) templ.Component {
	f, err := formula.Parse(tex)
	if err != nil {
		return Sentence(tex)
	}
	return templ.Raw(f.MathML(style))
}
