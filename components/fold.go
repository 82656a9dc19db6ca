package components

import "strings"

// Fold is the id of a part of a card that is folded away: a <details>.
type Fold string

// MoreOf is the fold of a mechanism's other maps.
func MoreOf(id string) Fold { return Fold("more-" + id) }

// BackgroundOf is the fold that tells where a mechanism comes from.
func BackgroundOf(id string) Fold { return Fold("background-" + id) }

// EveryOf is the fold of a mechanism's guesses at every word.
func EveryOf(id string) Fold { return Fold("every-" + id) }

// open says whether the content of a fold is there.
func (c Card) open(f Fold) bool { return c.Open == nil || c.Open(f) }

// moreNames are those of the other maps.
func (c Card) moreNames() string { return strings.Join(c.MoreNames, ", ") }

// labels are the words along the maps of cards; none for a script, which labels them itself.
func (w Wall) labels() []TokenChip {
	if w.Scripted {
		return nil
	}
	return w.Tokens
}
