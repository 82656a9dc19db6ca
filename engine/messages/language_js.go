package messages

import (
	"encoding/json"
	"syscall/js"
)

// Global is the name of the object of JavaScript that has the texts as JSON, by language: those of Templates.
const Global = "atlasTexts"

// open reads the texts that whoever starts the program has.
func open(tag string) *Language {
	l := &Language{tag: tag, texts: map[string]map[string]string{}, plain: map[string]string{}}
	var texts map[string]map[string]string
	if err := json.Unmarshal([]byte(js.Global().Get(Global).Get(tag).String()), &texts); err != nil {
		panic("messages: " + err.Error())
	}
	for id, forms := range texts {
		l.add(id, forms)
	}
	l.filler = simple(l.texts)
	return l
}
