package mechanism

import "attnatlas/components"

// MechanismView is the page "/m/{mechanism}": one mechanism on one text, and all
// that is known of it. A stack of layers has the same page.
type MechanismView struct {
	components.Wall      // the text, its form, and one card or none
	ID, Name, Summary    string
	Formulas             []string // in the notation of package formula
	Story                []string
	MapsTitle            string                 // heading of the maps, or of why there are none
	Untrained            string                 // why there are no maps for any text; else empty
	Generation           *Generation            // of a model that reads one text and writes another; else nil
	Composition          components.Composition // of a stack
	Depth                Depth                  // of layers that share their weights
	Layers               []LayerRow
	Training             Training // how the maps came to be
	Deletion             DeletionTables
	MapText              string            // what its map times the values is, or why there is no such map
	Unrolled             []components.Link // to pages that take it apart, or set it otherwise
	Reach                components.Link   // to who has heard of whom after how many layers, likewise
	Cost                 components.Link   // to what it costs beside the others; without an address of a stack
	LayersTitle          string            // "Layers × heads"
	Learned              components.Learned
	Background           components.Background
	Setting              string // for which sizes the numbers of Background are: "d = 128, …"
	EmptyRow             string // what a word with nothing to read gets
	CutText              string // what becomes of the rest when something is cut
	Definitions          []Definition
	Options              Options
	Differences          Differences
	Downloads            []components.Link
	Program              ProgramExcerpt
	Previous, Next, Back components.Link // other mechanisms with the same text; the wall with this one
}

// Depth leads through layers with the same weights. The zero Depth is that of layers
// with weights of their own.
type Depth struct {
	Title, Text string
	Play        string          // what the button does that turns the pages
	Back, Next  components.Link // round and round
}

// LayerRow is one layer with small pictures of the main map: its mean, then
// every head.
type LayerRow struct {
	Label  string // "Layer 1"
	Thumbs []Thumb
}

// Thumb is a small picture of a map that leads to the large one.
type Thumb struct {
	Label   string // "head 1"
	URL     string
	Image   components.Image
	Current bool
}

// Index is the page "/m": all mechanisms and stacks, by families.
type Index struct {
	components.Page
	Lead     string
	Families []IndexFamily
}

// IndexFamily are the mechanisms of one family.
type IndexFamily struct {
	ID, Title string
	Rows      []IndexRow
}

// IndexRow is a mechanism of the index.
type IndexRow struct {
	ID, Name, Summary, Formula, Source, URL string
	Untrained                               bool
	Image                                   components.Image // of its main map; may be empty
}

// walls says that the page has the maps of a text as the wall has them.
func (m MechanismView) walls() bool { return m.Untrained == "" && m.Generation == nil }

// sections are those that the page has, in their order: the ends of the ids of their headings and of their titles.
func (m MechanismView) sections() (all []string) {
	for _, one := range []struct {
		id  string
		has bool
	}{
		{"maps", m.Generation == nil},
		{"writes", m.Generation != nil},
		{"learned", m.Learned.Brief != "" && (m.walls() || len(m.Cards) == 0)},
		{"training", len(m.Training.Frames) > 0},
		{"deletion", m.walls() && len(m.Deletion.Tables) > 0},
		{"story", true},
		{"costs", true},
		{"definitions", len(m.Definitions) > 0},
		{"options", len(m.Options.List) > 0},
		{"program", true},
		{"differences", len(m.Differences.List) > 0},
		{"origin", true},
	} {
		if one.has {
			all = append(all, one.id)
		}
	}
	return all
}

// Definition is one of several that go by a mechanism's name.
type Definition struct{ Choice, Source, Formula, Text string }

// Options are what a model can choose, and the command that trains one with another option.
type Options struct {
	List    []ModelOption
	Command string
	Whose   string // a sentence: of which model the table tells
}

// Differences are what is not as in the paper.
type Differences struct {
	Of   string // of which model they are said, where it is not the one shown; else empty
	List []string
}

// ModelOption is a choice that a mechanism leaves open.
type ModelOption struct {
	Name, Symbol, Values, Default, Help string
}
