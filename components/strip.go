package components

// HideButton is the button of a token that masks its word, or restores it.
type HideButton struct {
	Name, Value string // what the form sends; without Name there is no button
	Label       string // "Mask “cat”"
	Back        bool   // it restores the word
}
