package components

// Slider is a number to set, or a choice among a few values.
type Slider struct {
	ID, Key, Label, Help string
	Value                string
	From, To, Step       int      // of a number
	Values               []string // of a choice
	Text                 bool     // any text is permitted
}
