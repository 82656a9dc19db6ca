// Package typeface holds fonts for scripts that a machine can lack. Figures are drawn with them, and pages use them
// where the machine has no font for a character.
package typeface

import (
	"bytes"
	"slices"
	"sync"

	"github.com/go-text/typesetting/font"
)

// Names of the font files.
const (
	sansBold   = "dejavu-sans-bold.ttf"
	sans       = "dejavu-sans.ttf"
	chinese    = "noto-sans-sc.ttf"
	korean     = "noto-sans-kr.ttf"
	devanagari = "noto-sans-devanagari.ttf"
	thai       = "noto-sans-thai.ttf"
	emoji      = "noto-emoji.ttf"
)

// Files lists the names of all files.
func Files() []string {
	return []string{sansBold, sans, chinese, korean, devanagari, thai, emoji}
}

// Always lists the files that every figure needs.
func Always() []string { return []string{sansBold, sans} }

// File returns the content of a file of Files.
func File(name string) []byte { return read(name) }

// Face is a font file. A font.Font may be shared between goroutines; the faces made from it may not.
type Face struct {
	Name string // in URLs
	TTF  func() []byte
	// Blocks reports whether every character is drawn alone, so that the file can be split into blocks.
	Blocks bool
	// first and last limit the characters that pages take from the face. All pages have fonts for earlier ones; last 0:
	// no limit.
	first, last rune
	parsed      func() *font.Font
}

// The faces, by script and use.
var (
	SansBold   = face(Face{Name: "sans-bold", TTF: file(sansBold)})
	Sans       = face(Face{Name: "sans", TTF: file(sans), first: 0x400, last: 0x10FF})
	Chinese    = face(Face{Name: "chinese", TTF: file(chinese), first: 0x2E80, Blocks: true})
	Korean     = face(Face{Name: "korean", TTF: file(korean), first: 0x1100})
	Devanagari = face(Face{Name: "devanagari", TTF: file(devanagari), first: 0x900})
	Thai       = face(Face{Name: "thai", TTF: file(thai), first: 0xE00})
	Emoji      = face(Face{Name: "emoji", TTF: file(emoji), first: 0x2600})
)

// Pages lists the faces that pages can need. If several have a character, the last of them is preferred.
func Pages() []*Face { return []*Face{Sans, Chinese, Korean, Devanagari, Thai, Emoji} }

func file(name string) func() []byte {
	kept := once(func() *[]byte { data := read(name); return &data })
	return func() []byte { return *kept() }
}

// once returns a function that calls get once and keeps the result. If get panics, the next call tries again, because a
// file that could not be fetched can become available later.
func once[T any](get func() *T) func() *T {
	var mu sync.Mutex
	var kept *T
	return func() *T {
		mu.Lock()
		defer mu.Unlock()
		if kept == nil {
			kept = get()
		}
		return kept
	}
}

func face(f Face) *Face {
	f.parsed = once(func() *font.Font {
		parsed, err := font.ParseTTF(bytes.NewReader(f.TTF()))
		if err != nil {
			panic("typeface: a font is damaged: " + err.Error())
		}
		return parsed.Font
	})
	return &f
}

// Font returns the parsed file.
func (f *Face) Font() *font.Font { return f.parsed() }

// Range is a range of characters, from First to Last.
type Range struct{ First, Last rune }

// Covers returns the characters that the face has and the fonts of all pages lack, in ascending order.
func (f *Face) Covers() []Range {
	var all []rune
	for it := f.Font().Cmap.Iter(); it.Next(); {
		if r, _ := it.Char(); r >= f.first && (f.last == 0 || r <= f.last) && !shared(r) {
			all = append(all, r)
		}
	}
	slices.Sort(all)
	var ranges []Range
	for _, r := range all {
		if n := len(ranges); n > 0 && ranges[n-1].Last+1 >= r {
			ranges[n-1].Last = r
		} else {
			ranges = append(ranges, Range{r, r})
		}
	}
	return ranges
}

// shared reports whether the fonts of all pages have a character: arrows, mathematical symbols, punctuation.
func shared(r rune) bool { return r >= 0x1D00 && r < 0x2600 }
