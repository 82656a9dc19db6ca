package exhibit

import (
	"cmp"

	"attnatlas/engine"
	"attnatlas/engine/messages"
	"attnatlas/engine/trace"
)

// Order is the order of the tokens along the axes of maps.
type Order string

// Orders of tokens.
const (
	TextOrder  Order = ""
	Similarity Order = "similarity" // tokens with similar attention stand side by side
)

// Orders lists the orders as a page offers them.
func Orders() []Order { return []Order{TextOrder, Similarity} }

// String returns the name of the order, as in addresses.
func (o Order) String() string { return cmp.Or(string(o), "text") }

// Arrangement returns the tokens that maps show, and their order.
func (c Choice) Arrangement() engine.Arrangement {
	return engine.Arrangement{Words: c.Words, Similar: c.Order == Similarity}
}

// InTextOrder returns the choice with all tokens in the order of the text.
func (c Choice) InTextOrder() Choice {
	c.Order, c.Words = TextOrder, false
	return c
}

// Shown returns the indices of a mechanism's tokens that its maps show, in their order. It returns nil if they show
// all tokens in the order of the text.
func (s *Selection) Shown(res *engine.Result) []int {
	order, known := s.orders[res.ID]
	if !known {
		order = s.Choice.Arrangement().Shown(s.Report, res, func() (trace.Map, error) {
			main, err := s.find(res.ID, "")
			if err != nil {
				return trace.Map{}, err
			}
			return main.Map, nil
		})
		s.orders[res.ID] = order
	}
	return order
}

// OrderNote returns a note if a mechanism shows its tokens in the order of the text, or all of them, although another
// choice was made. It returns the zero Message otherwise.
func (s *Selection) OrderNote(res *engine.Result) messages.Message {
	a := s.Choice.Arrangement()
	if a == (engine.Arrangement{}) {
		return messages.Message{}
	}
	if res.KeepsOrder() {
		return messages.New("arrange.kept")
	}
	if !a.Similar {
		return messages.Message{}
	}
	if n := len(a.Chosen(s.Report, res)); n > engine.MostArranged {
		return messages.New("arrange.long", "tokens", n, "most", engine.MostArranged)
	}
	return messages.Message{}
}
