package components

import "strings"

// Fold is the id of a collapsible part of a card: a <details>.
type Fold string

// MoreOf returns the fold with a mechanism's other maps.
func MoreOf(id string) Fold { return Fold("more-" + id) }

// BackgroundOf returns the fold with a mechanism's background.
func BackgroundOf(id string) Fold { return Fold("background-" + id) }

// EveryOf returns the fold with a mechanism's predictions for every word.
func EveryOf(id string) Fold { return Fold("every-" + id) }

// open reports whether the content of a fold is in the page.
func (c Card) open(f Fold) bool { return c.Open == nil || c.Open(f) }

// moreNames returns the names of the other maps.
func (c Card) moreNames() string { return strings.Join(c.MoreNames, ", ") }

// labels returns the tokens along the maps of cards, or none for a script, which draws the labels
// itself.
func (w Wall) labels() []TokenChip {
	if w.Scripted {
		return nil
	}
	return w.Tokens
}
