package components

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// classes are the CSS classes of a token's chip.
func (t Token) classes() string {
	class := "token"
	if t.Special {
		class += " special"
	}
	if t.Byte {
		class += " byte"
	}
	if t.Joined {
		class += " joined"
	}
	if t.Segment != "" {
		class += " text-" + strings.ToLower(t.Segment)
	}
	if t.Begins {
		class += " begins"
	}
	if t.Hide.Name != "" {
		class += " can-hide"
	}
	return class
}

// tooltip says what a token is and where it stands.
func (t Token) tooltip(i int) string {
	if t.Piece == "[MASK]" {
		says := fmt.Sprintf("[MASK], position %d: a hidden word", i+1)
		if t.Hides != "" {
			says += ", “" + t.Hides + "”"
		}
		return says
	}
	if t.Special {
		return fmt.Sprintf("%s, position %d: a special token that is not in the text", t.Piece, i+1)
	}
	if t.Byte {
		return fmt.Sprintf("%s, position %d: a byte piece, bytes %d to %d of the text", t.Piece, i+1, t.Start, t.End)
	}
	return fmt.Sprintf("%s, position %d, bytes %d to %d of the text", t.Piece, i+1, t.Start, t.End)
}

// readings are those of the pin, or empty ones, so that the read-out has the
// same shape with and without a pin.
func (w Wall) readings() []Reading {
	if w.Pin != nil {
		return w.Pin.Readings
	}
	empty := make([]Reading, 0, len(w.Cards))
	for _, c := range w.Cards {
		empty = append(empty, Reading{Mechanism: c.ID, Name: c.Name, Value: "–"})
	}
	return empty
}

// verb is what a row does with a column.
func (w Wall) verb() string { return or(w.Verb, "reads") }

func or(text, usual string) string {
	if text == "" {
		return usual
	}
	return text
}

// rows and columns say what the two axes of a map do.
func (m MapView) rows() string { return or(m.RowsDo, "reads") }

func (m MapView) columns() string { return or(m.ColumnsDo, "is read") }

// rowsOf is the height of the text box where the browser does not fit it itself.
func rowsOf(text string) string {
	rows := 1 + utf8.RuneCountInString(text)/90 + strings.Count(text, "\n")
	return strconv.Itoa(min(rows, 5))
}

// chosen says how many options of a menu are chosen: "4 of 7".
func (m Menu) chosen() string {
	n, all := 0, 0
	for _, g := range m.Groups {
		all += len(g.Options)
		for _, o := range g.Options {
			if o.Selected {
				n++
			}
		}
	}
	return fmt.Sprintf("%d of %d", n, all)
}

// mark is the sign before a badge, for those who do not see its colour.
func (b Badge) mark() string {
	switch b.State {
	case Holds:
		return "✓"
	case Fails:
		return "✕"
	}
	return "○"
}

func (t tick) class() string {
	if t.ruler {
		return "label ruler"
	}
	return "label"
}

func (f Failure) home() string {
	if f.Home == "" {
		return "/"
	}
	return f.Home
}

func boolean(b bool) string { return strconv.FormatBool(b) }

// key is an entry of the help dialog.
type key struct {
	names []string
	does  string
}

var keys = []key{
	{[]string{"←", "→", "↑", "↓"}, "move to a neighbouring cell"},
	{[]string{"Home", "End"}, "first and last column"},
	{[]string{"Ctrl Home", "Ctrl End"}, "first and last corner"},
	{[]string{"Page ↑", "Page ↓"}, "ten rows up and down"},
	{[]string{"Enter"}, "pin the cell, or take the pin away"},
	{[]string{"Esc"}, "take the pin away"},
	{[]string{",", "."}, "previous and next layer"},
	{[]string{"-", "="}, "previous and next head"},
	{[]string{"n"}, "next normalisation"},
	{[]string{"[", "]"}, "previous and next plane of a map in “More maps”"},
	{[]string{"M"}, "on the bar beside a word: hide it behind [MASK], or show it again; ← → to other words"},
	{[]string{"/"}, "to the text"},
	{[]string{"?"}, "this list"},
}
