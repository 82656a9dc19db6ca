package unroll

import (
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"attnatlas/components"
)

// View is a page that takes one layer of a model apart, frame by frame.
type View struct {
	components.Page
	Kind    string // "hashing"
	Heading string
	Lead    string
	Back    components.Link
	Form    SettingsForm
	Words   []ChoiceLink // of the text, one of which is followed; none: nothing is
	Choices []Choices
	Frames  []Frame
	JSON    string
}

// SettingsForm has the text and the numbers that can be set.
type SettingsForm struct {
	Action  string // path of the page
	Text    string
	Numbers []components.Slider
	Links   []components.Link
	Hidden  []components.Field // the rest of the address
}

// Choices are states of the page, of which one is chosen.
type Choices struct {
	Label string
	List  []ChoiceLink
}

// Frame is one step on the way.
type Frame struct {
	ID, Title, Say string
	Body           templ.Component
}

// Chip is a word with the class that it is in.
type Chip struct {
	Label, Class string // the class as it is written; may be empty
	Hue          int    // of the class, from 0; -1: none
	Title        string
	URL          string // of the page that follows the word; may be empty
	Marked       bool   // it is the word that is followed
	Stops        bool   // something ends for it here
	Faint        bool
}

// ChipGroup are chips beside each other, with what is said of them.
type ChipGroup struct {
	Label, Say string
	Chips      []Chip
	Marked     bool
}

// NamedMap is a map with its name and a sentence to it.
type NamedMap struct {
	Name, Say string
	Map       components.Map
	Marked    bool
}

// hues is how many hues classes have before they are used again.
const hues = 8

// classes are those of a chip's element: that of its colour, and what it is.
func (c Chip) classes() string {
	all := []string{"chip"}
	for class, has := range map[string]bool{"hue-" + strconv.Itoa(c.Hue%hues): c.Hue >= 0, "marked": c.Marked,
		"faint": c.Faint, "stops": c.Stops} {
		if has {
			all = append(all, class)
		}
	}
	slices.Sort(all[1:])
	return strings.Join(all, " ")
}

// current is aria-current of a frame: without scripts the first is, and all are shown.
func (v View) current(i int) string {
	if i == 0 {
		return "step"
	}
	return "false"
}
