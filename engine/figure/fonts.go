package figure

import (
	"bytes"
	_ "embed" // the fonts
	"sync"

	"codeberg.org/go-fonts/dejavu/dejavusans"
	"codeberg.org/go-fonts/dejavu/dejavusansbold"
	"github.com/go-text/typesetting/font"
)

// faceID names a font file. The order is that in which fonts are asked
// whether they have a character.
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

//go:embed fonts/noto-sans-sc.ttf
var chineseTTF []byte

//go:embed fonts/noto-sans-kr.ttf
var koreanTTF []byte

//go:embed fonts/noto-sans-devanagari.ttf
var devanagariTTF []byte

//go:embed fonts/noto-sans-thai.ttf
var thaiTTF []byte

//go:embed fonts/noto-emoji.ttf
var emojiTTF []byte

// fonts parses each file once, when it is first needed. A font.Font may be
// shared between goroutines; the faces made from it may not.
var fonts = [faceCount]func() *font.Font{
	sansBold:   load(dejavusansbold.TTF),
	sans:       load(dejavusans.TTF),
	chinese:    load(chineseTTF),
	korean:     load(koreanTTF),
	devanagari: load(devanagariTTF),
	thai:       load(thaiTTF),
	emoji:      load(emojiTTF),
}

func load(ttf []byte) func() *font.Font {
	return sync.OnceValue(func() *font.Font {
		face, err := font.ParseTTF(bytes.NewReader(ttf))
		if err != nil {
			panic("figure: an embedded font is damaged: " + err.Error())
		}
		return face.Font
	})
}

// pictograph says whether a character is drawn from the emoji font although
// DejaVu has some of its neighbours: mixing two styles would look accidental.
func pictograph(r rune) bool { return r >= 0x1F000 && r < 0x20000 }
