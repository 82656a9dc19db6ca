package formula

import (
	"fmt"
	"html"
	"strings"
)

// Style is the amount of space that a formula can take.
type Style uint8

const (
	Inline Style = iota // in a line of text: fractions have a slash, roots have no bar
	Block               // with space above and below: fractions are stacked
)

// MathML returns the formula as HTML: each clause is a <span class="clause">. Its mathematics are <math> elements
// with the plain text in the attribute alttext. Its words are text between them, where a line can break. A single
// clause in a line of text has no span.
func (f Formula) MathML(s Style) string {
	w := writer{s}
	if s == Inline && len(f.clauses) == 1 {
		return w.clause(f.clauses[0])
	}
	all := make([]string, len(f.clauses))
	for i, clause := range f.clauses {
		all[i] = `<span class="clause">` + w.clause(clause) + "</span>"
	}
	return strings.Join(all, " ")
}

// clause writes words as text, and the parts between them as mathematics.
func (w writer) clause(r row) string {
	var b strings.Builder
	from := 0
	for i := range len(r) + 1 {
		var words prose
		last := i == len(r)
		if !last {
			var ok bool
			if words, ok = r[i].(prose); !ok {
				continue
			}
		}
		if from < i {
			b.WriteString(w.math(r[from:i]))
		}
		b.WriteString(html.EscapeString(words.text))
		from = i + 1
	}
	return b.String()
}

func (w writer) math(r row) string {
	open := "<math"
	if w.style == Block {
		open += ` displaystyle="true"`
	}
	return fmt.Sprintf(`%s alttext="%s">%s</math>`, open, html.EscapeString(plain(r)), w.row(r))
}

type writer struct{ style Style }

// row writes the parts in order, as one element.
func (w writer) row(r row) string {
	if len(r) == 1 {
		return w.node(r[0])
	}
	return "<mrow>" + w.parts(r) + "</mrow>"
}

func (w writer) parts(r row) string {
	var b strings.Builder
	for i, n := range r {
		if s, ok := n.(sign); ok && i < len(r)-1 && (s.text == "−" || s.text == "+") && prefix(r, i) {
			b.WriteString(`<mo form="prefix">` + s.text + "</mo>")
			continue
		}
		b.WriteString(w.node(n))
		if i+1 < len(r) && isName(n) && isFence(r[i+1]) {
			b.WriteString("<mo>&#x2061;</mo>") // an invisible function application: softmax of, not softmax times
		}
	}
	return b.String()
}

func (w writer) node(n node) string {
	switch n := n.(type) {
	case row:
		return w.row(n)
	case letter:
		return w.letter(n)
	case number:
		return "<mn>" + n.text + "</mn>"
	case sign:
		if n.text == "/" {
			return slash
		}
		return "<mo>" + html.EscapeString(n.text) + "</mo>"
	case large:
		return "<mo>" + n.text + "</mo>"
	case prose:
		return "<mtext>" + strings.ReplaceAll(html.EscapeString(n.text), " ", "\u00a0") + "</mtext>"
	case space:
		return `<mspace width="0.17em"></mspace>`
	case fence:
		return w.fence(n)
	case fraction:
		if w.style == Block {
			return "<mfrac>" + w.row(n.over) + w.row(n.under) + "</mfrac>"
		}
		return "<mrow>" + w.row(side(n.over)) + slash + w.row(side(n.under)) + "</mrow>"
	case root:
		if w.style == Inline { // browsers leave a gap after the bar of a low root
			return "<mrow>" + radical + w.row(side(n.of)) + "</mrow>"
		}
		return "<msqrt>" + w.row(n.of) + "</msqrt>"
	case accent:
		return `<mover accent="true">` + w.row(n.of) + `<mo stretchy="false">` + n.mark.above + "</mo></mover>"
	case scripts:
		return w.scripts(n)
	}
	panic(fmt.Sprintf("formula: no such part %T", n))
}

func (w writer) letter(l letter) string {
	switch {
	case l.text == "ᵀ":
		return `<mi mathvariant="normal">T</mi>`
	case l.text == "mod":
		return "<mo>mod</mo>"
	case l.upright && len([]rune(l.text)) == 1:
		return `<mi mathvariant="normal">` + html.EscapeString(l.text) + "</mi>"
	}
	return "<mi>" + html.EscapeString(l.text) + "</mi>"
}

// radical is the root sign without its bar.
const radical = `<mo form="prefix" lspace="0" rspace="0" stretchy="false">√</mo>`

// slash has less space around it than MathML's default.
const slash = `<mo lspace="0.06em" rspace="0.06em">/</mo>`

// fence writes brackets that are as high as a line, or higher if their content is.
func (w writer) fence(f fence) string {
	stretch := ` stretchy="false"`
	if w.style == Block && tall(f.in) {
		stretch = ""
	}
	return fmt.Sprintf(`<mrow><mo form="prefix"%s>%s</mo>%s<mo form="postfix"%s>%s</mo></mrow>`,
		stretch, f.open, w.parts(f.in), stretch, f.shut)
}

func (w writer) scripts(s scripts) string {
	name := "msubsup"
	if _, ok := s.base.(large); ok {
		name = "munderover"
	}
	switch {
	case s.sup == nil:
		name = strings.TrimSuffix(strings.TrimSuffix(name, "sup"), "over")
	case s.sub == nil:
		name = strings.Replace(strings.Replace(name, "sub", "", 1), "under", "", 1)
	}
	b := "<" + name + ">" + w.node(s.base)
	if s.sub != nil {
		b += w.row(s.sub)
	}
	if s.sup != nil {
		b += w.row(s.sup)
	}
	return b + "</" + name + ">"
}

// tall reports whether a part of a row is higher than a line of text.
func tall(r row) bool {
	for _, n := range r {
		switch n := n.(type) {
		case fraction, large:
			return true
		case row:
			if tall(n) {
				return true
			}
		case fence:
			if tall(n.in) {
				return true
			}
		case root:
			if tall(n.of) {
				return true
			}
		case scripts:
			if tall(row{n.base}) {
				return true
			}
		}
	}
	return false
}

// side returns one side of a fraction on one line, in brackets if they are needed.
func side(r row) row {
	for _, n := range r {
		switch n := n.(type) {
		case sign:
			if n.text != "·" {
				return row{fence{"(", ")", r}}
			}
		case large, fraction:
			return row{fence{"(", ")", r}}
		case scripts:
			if _, sum := n.base.(large); sum {
				return row{fence{"(", ")", r}}
			}
		}
	}
	return r
}

// isName reports whether a part is the name of a function.
func isName(n node) bool {
	if s, ok := n.(scripts); ok {
		n = s.base
	}
	l, ok := n.(letter)
	return ok && l.upright && len([]rune(l.text)) > 1 && l.text != "mod"
}

func isFence(n node) bool {
	f, ok := n.(fence)
	return ok && f.open == "("
}
