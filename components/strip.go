package components

// HideButton is a button of a token that hides its word behind [MASK], or shows it again.
type HideButton struct {
	Name, Value string // what the form sends; an empty Name is no button
	Label       string // "Hide “cat” behind [MASK]"
	Back        bool   // it shows again
}
