package figure

import "attnatlas/engine/typeface"

// faceID numbers the fonts of figures. The order is that in which they are asked whether they
// have a character.
type faceID uint8

const (
	sansBold faceID = iota // titles only
	sans
	chinese
	korean
	devanagari
	thai
	emoji
	faceCount
)

var fonts = [faceCount]*typeface.Face{
	sansBold: typeface.SansBold, sans: typeface.Sans, chinese: typeface.Chinese, korean: typeface.Korean,
	devanagari: typeface.Devanagari, thai: typeface.Thai, emoji: typeface.Emoji,
}

// pictograph says whether a character is drawn from the emoji font although
// DejaVu has some of its neighbours: mixing two styles would look accidental.
func pictograph(r rune) bool { return r >= 0x1F000 && r < 0x20000 }
