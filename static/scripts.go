package static

import (
	"io/fs"
	"strconv"
	"strings"

	"attnatlas/engine/typeface"
)

// scriptsFolder has the fonts of css/scripts.css: NAME.ttf, or of one that is cut into blocks
// NAME-BLOCK.ttf.
const scriptsFolder = "fonts/scripts/"

// script is a file of scriptsFolder.
func script(name string) ([]byte, bool) {
	name, ok := strings.CutPrefix(name, scriptsFolder)
	name, ttf := strings.CutSuffix(name, ".ttf")
	if !ok || !ttf {
		return nil, false
	}
	name, number, cut := strings.Cut(name, "-")
	for _, f := range typeface.Pages() {
		switch {
		case f.Name != name || f.Blocks != cut:
		case !cut:
			return f.TTF(), true
		default:
			block, err := strconv.ParseUint(number, 10, 12)
			if err != nil {
				return nil, false
			}
			data, err := f.Block(int(block))
			return data, err == nil
		}
	}
	return nil, false
}

// Content is a file that is embedded, was added or was joined, by its name. It panics if there is no such file.
func Content(name string) []byte {
	if data, ok := bundled(name); ok {
		return data
	}
	return source(name)
}

// source is a file that is embedded or was added.
func source(name string) []byte {
	data, err := fs.ReadFile(locate(name))
	if err != nil {
		panic("static: " + err.Error())
	}
	return data
}

// content is a file by its name: embedded, or a font of the figures.
func content(name string) ([]byte, bool) {
	if data, ok := script(name); ok {
		return data, true
	}
	if data, ok := bundled(name); ok {
		return data, true
	}
	data, err := fs.ReadFile(locate(name))
	return data, err == nil
}
