//go:build !js

package typeface

import (
	"embed"

	"codeberg.org/go-fonts/dejavu/dejavusans"
	"codeberg.org/go-fonts/dejavu/dejavusansbold"
)

//go:embed files/*.ttf
var files embed.FS

// read returns the file of a font.
func read(name string) []byte {
	switch name {
	case sansBold:
		return dejavusansbold.TTF
	case sans:
		return dejavusans.TTF
	}
	data, err := files.ReadFile("files/" + name)
	if err != nil {
		panic("typeface: " + err.Error()) // the name is right
	}
	return data
}
