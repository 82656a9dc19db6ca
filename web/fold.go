package web

import (
	"net/http"
	"slices"
	"strings"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/web/address"
)

// Headers with which a script asks for the page of a state: which of the parts that are folded away on cards
// are open, by their ids, and of which cards anything is wanted. What is folded is sent when it is opened.
const (
	openHeader = "Atlas-Open"
	onlyHeader = "Atlas-Only"
	hasHeader  = "Atlas-Has" // the shapes of the cards that the script has
)

// folds are what a page is asked for beside its state. The zero value is that of a page as such.
type folds struct {
	scripted bool // by a script, which draws and labels the maps
	open     []string
	only     []string // ids of cards, or raceBoard; nil: all
	has      []string // shapes of cards, as components.Had has them
}

// raceBoard is asked for as if it were a card, when more of its rows are wanted.
const raceBoard = "race"

// foldsOf reads the headers of a request.
func foldsOf(r *http.Request) folds {
	list := func(key string) []string {
		return strings.FieldsFunc(r.Header.Get(key), func(c rune) bool { return c == ',' })
	}
	_, scripted := r.Header[openHeader]
	return folds{scripted: scripted, open: list(openHeader), only: list(onlyHeader), has: list(hasHeader)}
}

// wants says whether a card, or the board of guesses, is asked for.
func (f folds) wants(id string) bool { return len(f.only) == 0 || slices.Contains(f.only, id) }

// opened says whether a part of a card is asked for: on the mechanism's own page all are.
func (p *page) opened(fold components.Fold) bool {
	return p.at != nil || slices.Contains(p.folds.open, string(fold))
}

// more are the maps beside those of a card: by their names, and drawn where they are open.
func (p *page) more(c *components.Card, card *exhibit.Card) {
	alone := p.state
	if alone.Norm != figure.Shared { // which depends on the others
		alone.Mechanisms = []string{c.ID}
	}
	for _, x := range card.More {
		c.MoreNames = append(c.MoreNames, x.Name)
	}
	if len(c.MoreNames) == 0 {
		return
	}
	c.MoreURL = address.Drawing(p.state, c.ID, c.MoreNames)
	if p.opened(components.MoreOf(c.ID)) {
		for _, x := range card.More {
			c.More = append(c.More, p.mapView(x, alone))
		}
	}
}
