package components

import (
	"sync"

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
	key := styled{tex, style}
	if known, ok := formulas.Load(key); ok {
		return known.(templ.Component)
	}
	f, err := formula.Parse(tex)
	if err != nil {
		return Sentence(tex)
	}
	known, _ := formulas.LoadOrStore(key, templ.Raw(f.MathML(style)))
	return known.(templ.Component)
}

// styled is a formula in a style.
type styled struct {
	tex   string
	style formula.Style
}

// formulas are those that pages have shown, as MathML: all are written in the program, and there are some hundreds.
var formulas sync.Map
