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

// Folds are the parts that a request asks for, besides the state. The zero value asks for a whole page.
type Folds struct {
	scripted bool // a script asks, which draws and labels the maps itself
	open     []string
	Only     []string // ids of cards, or raceBoard; nil: all
	has      []string // shapes of the script's cards, as in components.Had
}

// raceBoard is the id by which a script asks for more rows of the board, as if it were a card.
const raceBoard = "race"

// FoldsOf reads the headers of a request.
func FoldsOf(r *http.Request) Folds {
	list := func(key string) []string {
		return strings.FieldsFunc(r.Header.Get(key), func(c rune) bool { return c == ',' })
	}
	_, scripted := r.Header[site.OpenHeader]
	return Folds{scripted: scripted, open: list(site.OpenHeader), Only: list(site.OnlyHeader), has: list(site.HasHeader)}
}

// Wants reports whether the request asks for a card or for the board of predictions.
func (f Folds) Wants(id string) bool { return len(f.Only) == 0 || slices.Contains(f.Only, id) }

// opened reports whether the request asks for a part of a card. A mechanism's own page has all parts.
func (p *View) opened(fold components.Fold) bool {
	return p.At != nil || slices.Contains(p.Folds.open, string(fold))
}

// more returns the other maps of a card: their names, and the maps themselves if the part is open.
func (p *View) more(c *components.Card, card *exhibit.Card) {
	alone := p.State
	if alone.Norm != figure.Shared { // shared colours depend on the other cards
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
