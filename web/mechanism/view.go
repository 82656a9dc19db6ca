package mechanism

import "attnatlas/components"

// PageView is the page "/m/{mechanism}": one mechanism on one text, with its background.
// Architectures have the same page.
type PageView struct {
	components.Wall      // text, form, and one card or none
	ID, Name, Summary    string
	Formulas             []string // in the notation of package formula
	Story                []string
	MapsTitle            string                 // heading of the maps, or of the reason why there are none
	Untrained            string                 // why there are no maps for any text; else empty
	Generation           *Generation            // for an encoder–decoder; else nil
	Composition          components.Composition // for an architecture
	Depth                Depth                  // for layers that share their weights
	Layers               []LayerRow
	Training             TrainingView // training snapshots
	Deletion             DeletionTables
	MapText              string            // meaning of its map times the values, or why there is no such map
	Unrolled             []components.Link // links to pages that take it apart, or change it
	Reach                components.Link   // link to its receptive field
	Cost                 components.Link   // link to its costs; no URL for an architecture
	LayersTitle          string            // "Layers × heads"
	Learned              components.Learned
	Background           components.Background
	Setting              string // sizes for the numbers of Background: "d = 128, …"
	EmptyRow             string // output of a token that can attend to nothing
	CutText              string // effect of an ablation on the rest
	Definitions          []Definition
	Options              Options
	Differences          Differences
	Downloads            []components.Link
	Program              ProgramExcerpt
	Previous, Next, Back components.Link // other mechanisms with the same text; the main view with this one
}

// Depth links through layers with shared weights. The zero Depth stands for layers with their own
// weights.
type Depth struct {
	Title, Text string
	Play        string          // label of the button that plays the layers
	Back, Next  components.Link // in a cycle
}

// LayerRow is one layer with small pictures of the main map: first the mean, then every head.
type LayerRow struct {
	Label  string // "Layer 1"
	Thumbs []Thumb
}

// Thumb is a small picture that links to the large map.
type Thumb struct {
	Label   string // "head 1"
	URL     string
	Image   components.Image
	Current bool
}

// Index is the page "/m": all mechanisms and architectures, by families.
type Index struct {
	components.Page
	Lead     string
	Families []IndexFamily
}

// IndexFamily holds the mechanisms of one family.
type IndexFamily struct {
	ID, Title string
	Rows      []IndexRow
}

// IndexRow is a mechanism of the index.
type IndexRow struct {
	ID, Name, Summary, Formula, Source, URL string
	Untrained                               bool
	Image                                   components.Image // picture of its main map; can be empty
}

// walls reports whether the page shows the maps of a text like the main view.
func (m PageView) walls() bool { return m.Untrained == "" && m.Generation == nil }

// sections returns the sections of the page in order: the ends of the ids of their headings and
// titles.
func (m PageView) sections() (all []string) {
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

// Definition is one of several variants of a mechanism.
type Definition struct{ Choice, Source, Formula, Text string }

// Options are the options of a model, with the command that trains one with another option.
type Options struct {
	List    []ModelOption
	Command string
	Whose   string // a sentence that names the model of the table
}

// Differences are the differences from the paper.
type Differences struct {
	Of   string // model to which they refer, if it is not the one on the page; else empty
	List []string
}

// ModelOption is an option of a mechanism.
type ModelOption struct {
	Name, Symbol, Values, Default, Help string
}
