package tokenizers

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// class is a set of classes of characters, one bit for each.
type class uint32

// The classes of unicode.txt, in its order.
const (
	upper class = 1 << iota
	lower
	title
	modifier
	otherLetter
	mark
	number
	punctuation
	symbol
	word
	numeric
	bertPunctuation
	bertControl
	bertAccent
	oldMark
	decomposedLater
	joinsLater
	space    // White_Space
	lineFeed // \r and \n

	letter = upper | lower | title | modifier | otherLetter
)

// classNames are the names in unicode.txt, in the order of the bits.
var classNames = [...]string{"Lu", "Ll", "Lt", "Lm", "Lo", "M", "N", "P", "S", "word", "numeric",
	"bert-punctuation", "bert-control", "bert-accent", "mark-9", "decomposed-later", "joins-later"}

//go:embed unicode.txt
var unicodeText string

// classPages are the classes of all code points, in pages of 256. Equal pages are stored once.
type classPages struct {
	page  [(unicode.MaxRune + 1) / 256]uint16
	pages [][256]class
}

// of returns the classes of a character.
func (p *classPages) of(r rune) class {
	if uint32(r) > unicode.MaxRune {
		return 0
	}
	return p.pages[p.page[r>>8]][r&255]
}

// classes returns the table, which the first call makes from unicode.txt.
var classes = sync.OnceValue(func() *classPages {
	all := make([]class, unicode.MaxRune+1)
	for line := range strings.Lines(unicodeText) {
		if name, ranges, _ := strings.Cut(strings.TrimSpace(line), " "); name != "#" {
			mark := classNamed(name)
			for r := range strings.FieldsSeq(ranges) {
				first, last, step := parseRange(r)
				for c := first; c <= last; c += step {
					all[c] |= mark
				}
			}
		}
	}
	for r := range rune(0x3001) { // the ideographic space is the last white space
		if unicode.IsSpace(r) {
			all[r] |= space
		}
	}
	all['\r'] |= lineFeed
	all['\n'] |= lineFeed
	return paged(all)
})

// classNamed returns the bit of a class of unicode.txt.
func classNamed(name string) class {
	for i, known := range classNames {
		if known == name {
			return 1 << i
		}
	}
	panic("tokenizers: unicode.txt has a class " + name)
}

// parseRange reads 41, 41-5A or 100-136/2.
func parseRange(text string) (first, last, step int64) {
	text, every, _ := strings.Cut(text, "/")
	from, to, _ := strings.Cut(text, "-")
	first, _ = strconv.ParseInt(from, 16, 32) // a test counts the members of every class
	if last, step = first, 1; to != "" {
		last, _ = strconv.ParseInt(to, 16, 32)
	}
	if every != "" {
		step = 2
	}
	return first, last, step
}

// paged stores every different page once.
func paged(all []class) *classPages {
	p, index := &classPages{}, map[[256]class]uint16{}
	for i := range p.page {
		content := [256]class(all[256*i:])
		at, ok := index[content]
		if !ok {
			at = uint16(len(p.pages))
			index[content] = at
			p.pages = append(p.pages, content)
		}
		p.page[i] = at
	}
	return p
}

// is reports whether a character is in one of the classes.
func (c class) is(r rune) bool { return classes().of(r)&c != 0 }

// lowerLater are lower-case forms missing in Go's tables: capital letters of Unicode 16 and 17.
var lowerLater = map[rune]rune{
	0x1C89: 0x1C8A, 0xA7CB: 0x264, 0xA7CC: 0xA7CD, 0xA7CE: 0xA7CF, 0xA7D2: 0xA7D3, 0xA7D4: 0xA7D5,
	0xA7DA: 0xA7DB, 0xA7DC: 0x19B,
}

// toLower returns the lower case of a letter except İ.
func toLower(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r < 0x80:
		return r
	case 0x10D50 <= r && r <= 0x10D65:
		return r + 0x20
	case 0x16EA0 <= r && r <= 0x16EB8:
		return r + 0x1B
	}
	if l, ok := lowerLater[r]; ok {
		return l
	}
	return unicode.ToLower(r)
}
