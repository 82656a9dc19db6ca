package messages

import "syscall/js"

// Global is the name of the object of JavaScript that has the texts by language: those of Packed.
const Global = "atlasTexts"

// open reads the texts that whoever starts the program has.
func open(tag string) *Language {
	l := newLanguage(tag)
	l.unpack(js.Global().Get(Global).Get(tag).String())
	return l
}
