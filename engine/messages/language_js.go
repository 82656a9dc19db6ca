package messages

import "syscall/js"

// Global is the name of the JavaScript object with the texts of Packed by language.
const Global = "atlasTexts"

// open reads the texts that the calling page provides.
func open(tag string) *Language {
	l := newLanguage(tag)
	l.unpack(js.Global().Get(Global).Get(tag).String())
	return l
}
