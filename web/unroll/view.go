package unroll

import (
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"

	"github.com/a-h/templ"
)

// pageView is a page that takes one layer of a model apart, frame by frame.
type pageView struct {
	components.Page
	Kind    string // "hashing"
	Heading string
	Lead    string
	Back    components.Link
	Form    SettingsForm
	Words   []ChoiceLink // words of the text, one of which is selected; none: no selection
	Choices []Choices
	Frames  []Frame
	JSON    string
}

// SettingsForm holds the text and the numbers of the form.
type SettingsForm struct {
	Action  string // path of the page
	Text    string
	Numbers []components.Slider
	Links   []components.Link
	Hidden  []components.Field // other parameters of the URL
}

// Choices are links to states of the page, one of which is selected.
type Choices struct {
	Label string
	List  []ChoiceLink
}

// Frame is one step of the explanation.
type Frame struct {
	ID, Title, Say string
	Body           templ.Component
}

// Chip is a token with its class.
type Chip struct {
	Label, Class string // name of the class; can be empty
	Hue          int    // index of the class's colour, from 0; -1: none
	Title        string
	URL          string // page with the token selected; can be empty
	Marked       bool   // the token is selected
	Stops        bool   // the token halts here
	Faint        bool
}

// ChipGroup is a box of chips with a text.
type ChipGroup struct {
	Label, Say string
	Chips      []Chip
	Marked     bool
}

// NamedMap is a map with a name and a sentence.
type NamedMap struct {
	Name, Say string
	Map       components.Map
	Marked    bool
}

// hues is the number of colours for classes before they repeat.
const hues = 8

// classes returns the CSS classes of a chip's element.
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

// current returns aria-current of a frame. Without scripts the first frame is current, and all are
// shown.
func (v pageView) current(i int) string {
	if i == 0 {
		return "step"
	}
	return "false"
}
