package lettering

import "attnatlas/engine/typeface"

// FaceID numbers the fonts of figures, in the order in which they are tried for a character.
type FaceID uint8

// Sans is the font of most text; FaceCount is the number of fonts.
const (
	sansBold FaceID = iota // titles only
	Sans
	chinese
	korean
	devanagari
	thai
	emoji
	FaceCount
)

// Fonts are the font files by FaceID.
var Fonts = [FaceCount]*typeface.Face{
	sansBold: typeface.SansBold, Sans: typeface.Sans, chinese: typeface.Chinese, korean: typeface.Korean,
	devanagari: typeface.Devanagari, thai: typeface.Thai, emoji: typeface.Emoji,
}

// pictograph reports whether a character is drawn from the emoji font. DejaVu has some of these
// characters, but mixing two styles would look accidental.
func pictograph(r rune) bool { return r >= 0x1F000 && r < 0x20000 }
