package components

// Slider is a number to be set, or a choice among a few.
type Slider struct {
	ID, Key, Label, Help string
	Value                string
	From, To, Step       int      // of a number
	Values               []string // of a choice
	Text                 bool     // anything may be written
}
