package components

// MethodNote tells how what a page shows is made of a model's maps or layers.
type MethodNote struct {
	Name    string // "value zeroing"
	Formula string
	Text    string
	Paper   Link // its label is a citation; the zero Link: there is none
	Show    Link // the page that shows it
}
