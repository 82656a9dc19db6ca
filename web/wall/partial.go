package wall

import (
	"net/http"
	"slices"
	"strings"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// Folds are what a page is asked for beside its state. The zero value is that of a page as such.
type Folds struct {
	scripted bool // by a script, which draws and labels the maps
	open     []string
	Only     []string // ids of cards, or raceBoard; nil: all
	has      []string // shapes of cards, as components.Had has them
}

// raceBoard is asked for as if it were a card, when more of its rows are wanted.
const raceBoard = "race"

// FoldsOf reads the headers of a request.
func FoldsOf(r *http.Request) Folds {
	list := func(key string) []string {
		return strings.FieldsFunc(r.Header.Get(key), func(c rune) bool { return c == ',' })
	}
	_, scripted := r.Header[site.OpenHeader]
	return Folds{scripted: scripted, open: list(site.OpenHeader), Only: list(site.OnlyHeader), has: list(site.HasHeader)}
}

// Wants says whether a card, or the board of guesses, is asked for.
func (f Folds) Wants(id string) bool { return len(f.Only) == 0 || slices.Contains(f.Only, id) }

// opened says whether a part of a card is asked for: on the mechanism's own page all are.
func (p *View) opened(fold components.Fold) bool {
	return p.At != nil || slices.Contains(p.Folds.open, string(fold))
}

// more are the maps beside those of a card: by their names, and drawn where they are open.
func (p *View) more(c *components.Card, card *exhibit.Card) {
	alone := p.State
	if alone.Norm != figure.Shared { // which depends on the others
		alone.Mechanisms = []string{c.ID}
	}
	for _, x := range card.More {
		c.MoreNames = append(c.MoreNames, x.Name)
	}
	if len(c.MoreNames) == 0 {
		return
	}
	c.MoreURL = address.Drawing(p.State, c.ID, c.MoreNames)
	if p.opened(components.MoreOf(c.ID)) {
		for _, x := range card.More {
			c.More = append(c.More, p.MapView(x, alone))
		}
	}
}
