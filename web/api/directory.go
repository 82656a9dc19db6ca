package api

// Directory is the response of /api/v1/pages.
type Directory struct {
	Version int              `json:"version"`
	Query   string           `json:"query,omitempty" doc:"What was searched for"`
	Groups  []DirectoryGroup `json:"groups" doc:"Pages by what one wants of them, then mechanisms, terms, examples and papers"`
}

// DirectoryGroup is a group of the directory.
type DirectoryGroup struct {
	ID      string           `json:"id"`
	Name    string           `json:"name"`
	Entries []DirectoryEntry `json:"entries" doc:"Entries that have all words of the search; all entries where it has none"`
}

// DirectoryEntry is a page, or a section of one.
type DirectoryEntry struct {
	Name string `json:"name"`
	Says string `json:"says" doc:"What it is, in a sentence or less"`
	URL  string `json:"url"`
}
