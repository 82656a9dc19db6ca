package components

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// piece is a part of a formula in one style.
type piece struct {
	text  string
	style pieceStyle
}

type pieceStyle uint8

const (
	upright pieceStyle = iota
	italic             // a variable
	lowered            // a subscript
	raised             // a superscript
)

// typeset splits plain text with Unicode mathematics into styled pieces, as in a book. Single
// letters are variables in italics, and words are upright. "d_h" and "dₕ" have the same subscript.
func typeset(s string) []piece {
	var all []piece
	add := func(text string, style pieceStyle) {
		if n := len(all); n > 0 && all[n-1].style == style {
			all[n-1].text += text
		} else if text != "" {
			all = append(all, piece{text, style})
		}
	}
	s = strings.ReplaceAll(s, " = ", "\u00a0= ") // no line begins with the equals sign
	for rest := s; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		word := leading(rest, isWordRune)
		switch {
		case subscripts[r] != 0:
			add(string(subscripts[r]), lowered)
		case superscripts[r] != 0:
			add(string(superscripts[r]), raised)
		case r == '_' && leading(rest[size:], isIndexRune) != "":
			index := leading(rest[size:], isIndexRune)
			add(index, lowered)
			size += len(index)
		case word != "":
			add(word, wordStyle(word, s, len(s)-len(rest)))
			size = len(word)
		default:
			add(rest[:size], upright)
		}
		rest = rest[size:]
	}
	return all
}

// wordStyle makes single letters variables, except the article "a" and mathematical symbols that
// Unicode classifies as letters.
func wordStyle(word, s string, at int) pieceStyle {
	runes := []rune(strings.TrimFunc(word, unicode.IsMark))
	if len(runes) != 1 || strings.ContainsRune("ΣΠℝ", runes[0]) {
		return upright
	}
	if possessive := strings.HasSuffix(s[:at], "'") || strings.HasSuffix(s[:at], "’"); possessive {
		return upright
	}
	if word == "A" && (at == 0 || strings.HasSuffix(s[:at], ". ")) && strings.HasPrefix(s[at+1:], " ") {
		return upright
	}
	article := word == "a" && strings.HasSuffix(s[:at], " ") && strings.HasPrefix(s[at+1:], " ")
	if article {
		return upright
	}
	return italic
}

// leading returns the longest prefix of s whose characters belong.
func leading(s string, belongs func(rune) bool) string {
	for i, r := range s {
		if !belongs(r) {
			return s[:i]
		}
	}
	return s
}

func isWordRune(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsMark(r)) && subscripts[r] == 0 && superscripts[r] == 0
}

func isIndexRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

var (
	subscripts   = pairs("₀0₁1₂2₃3₄4₅5₆6₇7₈8₉9ₐaₑeₕhᵢiⱼjₖkₗlₘmₙnₒoₚpᵣrₛsₜtᵤuᵥvₓxᵦβ₊+₋−")
	superscripts = pairs("⁰0¹1²2³3⁴4⁵5⁶6⁷7⁸8⁹9ᵀTᴸLᴺNᴴHᴰDᴷKᴿRᵈdᵏkⁿnʰhˡlˣ×⁺+⁻−")
)

// pairs returns the map of a string that alternates symbols and their letters.
func pairs(s string) map[rune]rune {
	runes := []rune(s)
	m := make(map[rune]rune, len(runes)/2)
	for i := 0; i+1 < len(runes); i += 2 {
		m[runes[i]] = runes[i+1]
	}
	return m
}
