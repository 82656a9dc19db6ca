package components

// MethodNote explains how a page's maps are computed from a model's maps or layers.
type MethodNote struct {
	Name    string // "value zeroing"
	Formula string
	Text    string
	Paper   Link // labelled with a citation; the zero Link: none
	Show    Link // page that shows it
}
