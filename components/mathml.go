package components

import (
	"sync"

	"attnatlas/engine/formula"

	"github.com/a-h/templ"
)

// InlineMath returns a formula within a line of text.
func InlineMath(tex string) templ.Component { return mathOf(tex, formula.Inline) }

// DisplayMath returns a formula with space above and below.
func DisplayMath(tex string) templ.Component { return mathOf(tex, formula.Block) }

// mathOf converts a formula of package formula to MathML. Text in another notation becomes a
// sentence with variables.
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

// formulas caches formulas as MathML. All are part of the program, some hundreds in number.
var formulas sync.Map
