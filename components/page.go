package components

// product is the name of the whole.
const product = "Attention Atlas"

// sheets are the style sheets, in the order of their cascade.
var sheets = []string{"tokens", "base", "form", "wall", "second", "compare", "map", "heads", "views", "math", "mechanism", "learned", "writing", "readout", "cross", "arcs", "method", "cut", "explain", "through", "desk", "unrolled", "large", "results", "cost", "influence", "palettes", "scripts", "look", "race", "gallery", "take", "many", "compact", "present", "embedded", "print"}

func (p Page) title() string {
	if p.Title == "" {
		return product
	}
	return p.Title + " · " + product
}

func (p Page) theme() string {
	switch p.Theme {
	case "light", "dark":
		return p.Theme
	}
	return "auto"
}

// size is how many cards there are beside each other, as style sheets ask: where it was counted by :has,
// every word that a script wrote anywhere had the styles of the whole page computed anew.
func (p Page) size() string {
	switch {
	case p.Maps > 8:
		return "large"
	case p.Maps > 4:
		return "medium"
	}
	return "small"
}

func (p Page) colourScheme() string {
	switch theme := p.theme(); theme {
	case "light", "dark":
		return theme
	}
	return "light dark"
}

// to is the address of another page.
func (p Page) to(path string) string {
	if p.To == nil {
		return path
	}
	return p.To(path)
}

// current is the value of aria-current for a link of the masthead.
func current(p Page, section string) string {
	if p.Section == section {
		return "page"
	}
	return "false"
}

// mapID is the id of a card's map, which holds the keyboard's focus.
func mapID(c Card) string { return "map-" + c.ID }
