package components

import "encoding/json"

// OwnTokens are those of a card that shows other tokens than the page, or in another order.
type OwnTokens struct {
	Chips []TokenChip `json:"-"`
	Words []string    `json:"words"` // labels of Chips
	// Numbers has for each of Words its position in the text, from 1; nil: they stand as in the text.
	Numbers []int `json:"numbers,omitempty"`
	// Places has for each token of the page the indices of Words that share characters with it.
	Places [][]int `json:"places"`
}

// JSON is what the page's script reads.
func (o OwnTokens) JSON() string {
	raw, _ := json.Marshal(o) // of strings and numbers
	return string(raw)
}

// or are the own tokens, or where there are none the page's.
func (o OwnTokens) or(page []TokenChip) []TokenChip {
	if o.Words == nil {
		return page
	}
	return o.Chips
}
