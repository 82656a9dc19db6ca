package components

import (
	"path"
	"slices"

	"attnatlas/static"
)

// Product is the name of the program.
const Product = "Attention Atlas"

// sheets are the style sheets of all pages in the order of the cascade. A page's own style sheets
// come before late.
var (
	sheets = join("first.css", "tokens", "base", "form", "wall", "second", "map", "heads", "views", "math",
		"background", "learned", "writing", "readout", "cross", "arcs", "method", "cut", "large", "sliders", "plot", "influence", "wait")
	late = join("late.css", "palettes", "scripts", "look", "race", "gallery", "order", "compact", "present",
		"embedded", "print")
)

// With returns a page with its own scripts and style sheets, as named by static.Add.
func (p Page) With(files ...string) Page {
	p.Files = append(slices.Clone(p.Files), files...)
	return p
}

// join joins style sheets of css/ to one.
func join(name string, of ...string) string {
	for i := range of {
		of[i] = "css/" + of[i] + ".css"
	}
	return static.Join(name, of...)
}

// sheets returns the names of the style sheets that a page loads.
func (p Page) sheets() []string {
	return slices.Concat([]string{sheets}, p.files(".css"), []string{late})
}

// scripts returns the names of the modules that a page runs.
func (p Page) scripts() []string { return append([]string{static.Main}, p.files(".js")...) }

// files returns the names of a page's own files of a kind.
func (p Page) files(extension string) (all []string) {
	for _, name := range p.Files {
		if path.Ext(name) == extension {
			all = append(all, static.Bundled(name))
		}
	}
	return all
}

func (p Page) title() string {
	if p.Title == "" {
		return Product
	}
	return p.Title + " · " + Product
}

func (p Page) theme() string {
	switch p.Theme {
	case "light", "dark":
		return p.Theme
	}
	return "auto"
}

// size returns a class for the number of cards, for style sheets. Counting with :has was slow:
// every text that a script wrote made the browser recompute the styles of the whole page.
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

// to returns the URL of another page.
func (p Page) to(path string) string {
	if p.To == nil {
		return path
	}
	return p.To(path)
}

// elsewhere returns aria-current for the link to all pages. It is "page" on a page without its own
// link in the masthead.
func elsewhere(p Page) string {
	switch p.Section {
	case "", "wall", "gallery", "compare", "mechanisms", "mechanism":
		return "false"
	}
	return "true"
}

// currentMechanisms returns aria-current for the masthead's link to the list of mechanisms.
func currentMechanisms(p Page) string {
	if p.Section == "mechanism" {
		return "true"
	}
	return current(p, "mechanisms")
}

// current returns aria-current for a link of the masthead.
func current(p Page, section string) string {
	if p.Section == section {
		return "page"
	}
	return "false"
}

// mapID returns the id of a card's map, which gets the keyboard focus.
func mapID(c Card) string { return "map-" + c.ID }
