package components

// product is the name of the whole.
const product = "Attention Atlas"

// sheets are the style sheets, in the order of their cascade.
var sheets = []string{"tokens", "base", "form", "wall", "map", "views", "math", "mechanism", "writing", "readout", "results", "palettes", "print"}

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

func (p Page) colourScheme() string {
	switch theme := p.theme(); theme {
	case "light", "dark":
		return theme
	}
	return "light dark"
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
