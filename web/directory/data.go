package directory

// Directory is the response of /api/v1/pages.
type Directory struct {
	Version int              `json:"version" doc:"Version of this format"`
	Query   string           `json:"query,omitempty" doc:"Words of the search"`
	Groups  []DirectoryGroup `json:"groups" doc:"Groups of pages by purpose, then mechanisms, terms, examples and papers"`
}

// DirectoryGroup is a group of the directory.
type DirectoryGroup struct {
	ID      string           `json:"id" doc:"ID of the group"`
	Name    string           `json:"name" doc:"Name of the group"`
	Entries []DirectoryEntry `json:"entries" doc:"Entries that contain all words of the search; all entries without a search"`
}

// DirectoryEntry is a page, or a section of one.
type DirectoryEntry struct {
	Name string `json:"name" doc:"Name of the page or section"`
	Says string `json:"says" doc:"Description in at most one sentence"`
	URL  string `json:"url" doc:"Address of the page or section"`
}
