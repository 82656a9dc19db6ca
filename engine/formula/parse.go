package formula

import (
	"fmt"
	"strings"
	"unicode"

	"attnatlas/engine/messages"
)

// Formula is a parsed formula.
type Formula struct{ clauses []row }

// Parts of a formula.
type (
	node any

	row    []node
	letter struct { // a variable, or a name of several letters
		text    string
		upright bool
	}
	number struct{ text string }
	sign   struct{ text string } // an operator or a relation
	large  struct{ text string } // a sum
	prose  struct{ text string }
	space  struct{}
	fence  struct { // a part in brackets
		open, shut string
		in         row
	}
	fraction struct{ over, under row }
	root     struct{ of row }
	accent   struct {
		of   row
		mark mark
	}
	scripts struct {
		base     node
		sub, sup row
	}
)

// Parse parses a formula. Its error names the character at which parsing failed.
func Parse(s string) (f Formula, err error) {
	p := &parser{runes: []rune(s)}
	defer func() {
		if fault, ok := recover().(fault); ok {
			f, err = Formula{}, fmt.Errorf("formula: %s, character %d: %s", messages.Quote(s), p.at+1, fault)
		}
	}()
	for {
		clause := p.row("")
		if len(clause) > 0 {
			f.clauses = append(f.clauses, clause)
		}
		if p.at == len(p.runes) {
			return f, nil
		}
	}
}

// fault is a panic value that ends the parsing.
type fault string

func (p *parser) fail(format string, args ...any) { panic(fault(fmt.Sprintf(format, args...))) }

type parser struct {
	runes []rune
	at    int
	depth int
}

// group represents the } that closes {. It differs from the sign \}.
const group = "group }"

// maxDepth keeps hostile formulas from exhausting the stack.
const maxDepth = 50

func (p *parser) peek() rune {
	if p.at == len(p.runes) {
		return 0
	}
	return p.runes[p.at]
}

// row parses up to a closing sign. If shut is empty, it parses to the end of the clause.
func (p *parser) row(shut string) row {
	if p.depth++; p.depth > maxDepth {
		p.fail("more than %d levels of brackets", maxDepth)
	}
	defer func() { p.depth-- }()
	var all row
	for {
		p.blanks()
		from := p.at
		if p.at == len(p.runes) {
			if shut != "" {
				p.fail("%s is missing", strings.TrimPrefix(shut, "group "))
			}
			return all
		}
		if p.closes(shut) {
			return all
		}
		if p.command("quad") {
			if shut != "" {
				p.fail("a clause ends before %s", shut)
			}
			return all
		}
		p.at = from
		all = append(all, p.scripted(p.atom()))
	}
}

func (p *parser) blanks() {
	for p.at < len(p.runes) && unicode.IsSpace(p.runes[p.at]) {
		p.at++
	}
}

// closes consumes the closing sign, or its command, if it is next.
func (p *parser) closes(shut string) bool {
	from := p.at
	if shut != "}" && string(p.peek()) == shut {
		p.at++
		return true
	}
	if shut == group && p.peek() == '}' {
		p.at++
		return true
	}
	if p.peek() == '\\' {
		name := p.name()
		if name == "right" {
			return p.closes(shut)
		}
		if shut != "" && fenceCommands[name] == shut {
			return true
		}
	}
	p.at = from
	return false
}

// command consumes \name if it is next.
func (p *parser) command(name string) bool {
	from := p.at
	if p.peek() == '\\' && p.name() == name {
		return true
	}
	p.at = from
	return false
}

// name consumes a backslash and the name after it: letters, or one other character.
func (p *parser) name() string {
	p.at++
	from := p.at
	for p.at < len(p.runes) && p.runes[p.at] < unicode.MaxASCII && unicode.IsLetter(p.runes[p.at]) {
		p.at++
	}
	if p.at == from && p.at < len(p.runes) {
		p.at++
	}
	return string(p.runes[from:p.at])
}

// atom parses one part without its scripts.
func (p *parser) atom() node {
	p.blanks()
	r := p.peek()
	p.at++
	switch {
	case r == '\\':
		p.at--
		return p.named(p.name())
	case r == '{':
		return p.row(group)
	case fences[string(r)] != "":
		return p.fenced(string(r))
	case r == '√':
		return root{p.argument()}
	case r == 'Σ', r == '∑':
		return large{"∑"}
	case r == '-', r == '–':
		return sign{"−"}
	case unicode.IsDigit(r):
		from := p.at - 1
		for unicode.IsDigit(p.peek()) || p.peek() == '.' {
			p.at++
		}
		return number{string(p.runes[from:p.at])}
	case strings.ContainsRune(binary, r):
		return sign{string(r)}
	case unicode.IsLetter(r), r == '∞':
		return p.letter(r)
	}
	p.at--
	if p.at == len(p.runes) {
		p.fail("something is missing")
	}
	p.fail("%s has no place in a formula", messages.Quote(string(r)))
	return nil
}

// uprights are letters that are not italic.
const uprights = "ΔΠΦΩℝᵀ∞"

// letter parses a variable, or a word of two or more lower-case letters.
func (p *parser) letter(r rune) node {
	from := p.at - 1
	small := func(r rune) bool { return 'a' <= r && r <= 'z' }
	for small(r) && small(p.peek()) {
		p.at++
	}
	text := string(p.runes[from:p.at])
	return letter{text, len(text) > 1 && small(r) || strings.ContainsRune(uprights, r)}
}

// named parses the part that a command begins.
func (p *parser) named(name string) node {
	switch name {
	case "mathrm", "operatorname":
		return letter{p.braced(), true}
	case "text":
		return prose{p.braced()}
	case "frac", "tfrac":
		return fraction{p.argument(), p.argument()}
	case "sqrt":
		return root{p.argument()}
	case "left":
		return p.atom()
	case ",", ";", " ":
		return space{}
	}
	if m, ok := accents[name]; ok {
		return accent{p.argument(), m}
	}
	if s, ok := letters[name]; ok {
		return letter{s, unicode.IsUpper([]rune(name)[0]) || s == "ᵀ" || s == "∞"}
	}
	if s, ok := signs[name]; ok {
		return sign{s}
	}
	if s, ok := big[name]; ok {
		return large{s}
	}
	if s, ok := words[name]; ok {
		return letter{s, true}
	}
	if open, ok := fenceCommands[name]; ok && fences[open] != "" {
		return p.fenced(open)
	}
	p.fail(`there is no command \%s`, name)
	return nil
}

func (p *parser) fenced(open string) node {
	shut := fences[open]
	return fence{open, shut, p.row(shut)}
}

// braced parses {words}.
func (p *parser) braced() string {
	if p.peek() != '{' {
		p.fail("{ is missing")
	}
	from := p.at + 1
	for p.at < len(p.runes) && p.runes[p.at] != '}' {
		p.at++
	}
	if p.at == len(p.runes) {
		p.fail("} is missing")
	}
	p.at++
	return string(p.runes[from : p.at-1])
}

// argument parses a group or one atom. The argument of √ includes its subscript.
func (p *parser) argument() row {
	p.blanks()
	isRoot := p.at > 0 && p.runes[p.at-1] == '√'
	switch r := p.peek(); { // one letter or digit: \tfrac12 is a half
	case unicode.IsDigit(r):
		p.at++
		return row{number{string(r)}}
	case unicode.IsLetter(r) && !isRoot:
		p.at++
		return row{letter{string(r), strings.ContainsRune(uprights, r)}}
	}
	a := p.atom()
	if isRoot {
		if f, ok := a.(fence); ok {
			return f.in
		}
		a = p.scripted(a)
	}
	if r, ok := a.(row); ok {
		return r
	}
	return row{a}
}

// scripted parses the scripts and primes after an atom.
func (p *parser) scripted(base node) node {
	s := scripts{base: base}
	for {
		from := p.at
		p.blanks()
		r := p.peek()
		switch {
		case r == '_' && s.sub == nil:
			p.at++
			s.sub = p.argument()
		case r == '^':
			p.at++
			s.sup = append(s.sup, p.argument()...)
		case r == '\'', r == '′':
			p.at++
			s.sup = append(s.sup, sign{"′"})
		case subscripts[r] != 0 && s.sub == nil:
			s.sub = p.signs(subscripts)
		case superscripts[r] != 0:
			s.sup = append(s.sup, p.signs(superscripts)...)
		default:
			if r == '_' {
				p.fail("a second subscript")
			}
			p.at = from
			if s.sub == nil && s.sup == nil {
				return base
			}
			return s
		}
	}
}

// signs parses a run of raised or lowered characters as their normal forms.
func (p *parser) signs(stand map[rune]rune) row {
	var text []rune
	for stand[p.peek()] != 0 {
		text = append(text, stand[p.peek()])
		p.at++
	}
	inner := &parser{runes: text}
	return inner.row("")
}
