package static

import (
	"io/fs"
	"strconv"
	"strings"

	"attnatlas/engine/typeface"
)

// scriptsFolder is the folder of the fonts of css/scripts.css: NAME.ttf, or NAME-BLOCK.ttf for a font that is split
// into blocks.
const scriptsFolder = "fonts/scripts/"

// script returns a file of scriptsFolder.
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

// Content returns a file that is embedded, added or joined, by its name. It panics if there is no such file.
func Content(name string) []byte {
	if data, ok := bundled(name); ok {
		return data
	}
	return source(name)
}

// source returns a file that is embedded or added.
func source(name string) []byte {
	data, err := fs.ReadFile(locate(name))
	if err != nil {
		panic("static: " + err.Error())
	}
	return data
}

// content returns a file by its name: embedded, added, joined, or a font of scriptsFolder.
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
