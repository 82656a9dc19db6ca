package components

import "encoding/json"

// OwnTokens are the tokens of a card if they differ from the tokens of the page, or have another order.
type OwnTokens struct {
	Chips []TokenChip `json:"-"`
	Words []string    `json:"words"` // labels of Chips
	// Numbers holds the position in the text, from 1, of each of Words; nil: they are in the order of the text.
	Numbers []int `json:"numbers,omitempty"`
	// Places holds, for each token of the page, the indices of the Words that share characters with it.
	Places [][]int `json:"places"`
}

// JSON returns the tokens for the page's script.
func (o OwnTokens) JSON() string {
	raw, _ := json.Marshal(o) // strings and numbers never fail
	return string(raw)
}

// or returns the own tokens, or the page's if there are none.
func (o OwnTokens) or(page []TokenChip) []TokenChip {
	if o.Words == nil {
		return page
	}
	return o.Chips
}
