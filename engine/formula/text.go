package formula

import "strings"

// Text returns the formula as plain text with Unicode mathematics: "A = softmax(QKᵀ/√d_h)".
func (f Formula) Text() string {
	all := make([]string, len(f.clauses))
	for i, clause := range f.clauses {
		all[i] = strings.TrimSuffix(plain(clause), ",")
	}
	return strings.Join(all, ",  ")
}

func plain(r row) string {
	var b strings.Builder
	for i, n := range r {
		s := plainNode(n)
		switch n := n.(type) {
		case sign:
			if !prefix(r, i) && strings.Contains(relations, n.text) {
				s = " " + s + " "
			} else if (n.text == "," || n.text == ";") && i+1 < len(r) {
				s += " "
			}
		case letter:
			if n.text == "mod" {
				s = " " + s + " "
			} else if n.upright && len([]rune(n.text)) > 1 && i > 0 && followsLetter(r[i-1]) {
				s = " " + s
			}
		case scripts, large:
			if i > 0 && isSum(n) && followsLetter(r[i-1]) {
				s = " " + s
			}
		}
		if i > 0 && isSum(r[i-1]) {
			s = " " + s
		}
		if i > 0 && isName(r[i-1]) && followsLetter(n) {
			s = " " + strings.TrimPrefix(s, " ")
		}
		b.WriteString(s)
	}
	return strings.ReplaceAll(b.String(), "  ", " ")
}

// prefix reports whether the sign at i is a prefix instead of an operator between two operands.
func prefix(r row, i int) bool {
	if i == 0 {
		return true
	}
	s, ok := r[i-1].(sign)
	return ok && s.text != "…"
}

func followsLetter(n node) bool {
	switch n := n.(type) {
	case letter, number, root:
		return true
	case scripts:
		return !isSum(n)
	}
	return false
}

func isSum(n node) bool {
	if s, ok := n.(scripts); ok {
		n = s.base
	}
	_, ok := n.(large)
	return ok
}

func plainNode(n node) string {
	switch n := n.(type) {
	case row:
		return plain(n)
	case letter:
		return n.text
	case number:
		return n.text
	case sign:
		return n.text
	case large:
		return strings.NewReplacer("∑", "Σ", "∏", "Π").Replace(n.text)
	case prose:
		return n.text
	case space:
		return " "
	case fence:
		return n.open + plain(n.in) + n.shut
	case fraction:
		return plain(side(n.over)) + "/" + plain(side(n.under))
	case root:
		if len(n.of) == 1 {
			return "√" + plain(n.of)
		}
		return "√(" + plain(n.of) + ")"
	case accent:
		return plain(n.of) + n.mark.combining
	case scripts:
		return plainNode(n.base) + script(plain(n.sub), "_", lowered) + script(plain(n.sup), "^", raised)
	}
	return ""
}

// script writes a script in raised or lowered characters if they exist, else after _ or ^.
func script(s, before string, signs map[rune]rune) string {
	var b strings.Builder
	tight := strings.ReplaceAll(s, " ", "")
	for _, r := range tight {
		small, ok := signs[r]
		if r == '′' {
			small, ok = r, true
		}
		if !ok {
			if len([]rune(tight)) == 1 {
				return before + tight
			}
			return before + "{" + s + "}"
		}
		b.WriteRune(small)
	}
	return b.String()
}
