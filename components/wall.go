package components

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"attnatlas/engine/messages"
)

// Classes returns the CSS classes of a token's chip.
func (t TokenChip) Classes() string {
	class := "token"
	if t.Tint != "" {
		class += " tinted"
	}
	if t.Bright {
		class += " bright"
	}
	if t.Special {
		class += " special"
	}
	if t.Byte {
		class += " byte"
	}
	if t.Joined {
		class += " joined"
	}
	if t.Cut {
		class += " cut"
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

// Tooltip describes a token and its position.
func (t TokenChip) Tooltip(ctx context.Context, i int) string {
	id := "token.plain"
	switch {
	case t.Piece == "[MASK]" && t.Hides != "":
		id = "token.hides"
	case t.Piece == "[MASK]":
		id = "token.mask"
	case t.Special:
		id = "token.special"
	case t.Byte:
		id = "token.byte"
	}
	return messages.From(ctx).T(id, "piece", t.Piece, "position", i+1, "start", t.Start, "end", t.End, "hides", t.Hides)
}

// Or returns a text, or a default if it is empty.
func Or(text, usual string) string {
	if text == "" {
		return usual
	}
	return text
}

// rowsOf returns the height of the text field, for browsers that do not fit it themselves.
func rowsOf(text string) string {
	rows := 1 + utf8.RuneCountInString(text)/90 + strings.Count(text, "\n")
	return strconv.Itoa(min(rows, 5))
}

// chosen returns how many options of a menu are selected: "4 of 7".
func (m Menu) chosen(ctx context.Context) string {
	n, all := 0, 0
	for _, g := range m.Groups {
		all += len(g.Options)
		for _, o := range g.Options {
			if o.Selected {
				n++
			}
		}
	}
	return T(ctx, "menu.chosen", "chosen", n, "all", all)
}

// mark returns the symbol before a badge, which does not rely on its colour.
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

// Boolean returns "true" or "false", as in attributes such as aria-current.
func Boolean(b bool) string { return strconv.FormatBool(b) }

// key is an entry of the help dialog: keys, and the id of their description.
type key struct {
	names []string
	does  string
}

var keys = []key{
	{[]string{"←", "→", "↑", "↓"}, "move"},
	{[]string{"Home", "End"}, "ends"},
	{[]string{"Ctrl Home", "Ctrl End"}, "corners"},
	{[]string{"Page ↑", "Page ↓"}, "pages"},
	{[]string{"Space"}, "pin"},
	{[]string{"Enter", "f"}, "enlarge"},
	{[]string{"z", "Shift z", "0"}, "zoom"},
	{[]string{"Esc"}, "unpin"},
	{[]string{"Shift ←", "Shift →"}, "sweep"},
	{[]string{",", "."}, "layer"},
	{[]string{"-", "="}, "head"},
	{[]string{"n"}, "norm"},
	{[]string{"[", "]"}, "plane"},
	{[]string{"c"}, "compare"},
	{[]string{"v"}, "compact"},
	{[]string{"M"}, "hide"},
	{[]string{"r"}, "race"},
	{[]string{"←", "→"}, "race-move"},
	{[]string{"w"}, "explain"},
	{[]string{"s"}, "steps"},
	{[]string{"x"}, "cut-cell"},
	{[]string{"X"}, "cut-word"},
	{[]string{"Alt ←", "Alt →"}, "order"},
	{[]string{"/"}, "text"},
	{[]string{"?"}, "keys"},
	{[]string{"1", "…", "9"}, "nth"},
	{[]string{"←", "→"}, "present-head"},
	{[]string{"↑", "↓"}, "present-layer"},
	{[]string{"Page ↑", "Page ↓"}, "present-example"},
}
