package components

import "encoding/json"

// OwnTokens are those of a model that cuts the text otherwise than the page does.
type OwnTokens struct {
	Chips []TokenChip `json:"-"`
	Words []string    `json:"words"` // labels of Chips
	// Spans has of each token of the page the first and the last, excluded, of the own ones that share characters with it.
	Spans [][2]int `json:"spans"`
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
