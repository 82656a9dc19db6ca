package lettering

import "attnatlas/engine/typeface"

// FaceID numbers the fonts of figures. The order is that in which they are asked whether they
// have a character.
type FaceID uint8

// Sans is the font of most text; FaceCount is how many fonts there are.
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

// Fonts are the files of the fonts.
var Fonts = [FaceCount]*typeface.Face{
	sansBold: typeface.SansBold, Sans: typeface.Sans, chinese: typeface.Chinese, korean: typeface.Korean,
	devanagari: typeface.Devanagari, thai: typeface.Thai, emoji: typeface.Emoji,
}

// pictograph says whether a character is drawn from the emoji font although
// DejaVu has some of its neighbours: mixing two styles would look accidental.
func pictograph(r rune) bool { return r >= 0x1F000 && r < 0x20000 }
