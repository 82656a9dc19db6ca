package exhibit

import (
	"attnatlas/engine"
	"attnatlas/engine/ablation"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// mostCutNamed is the largest number of ablations that a sentence names.
const mostCutNamed = 4

// CutName describes what an ablation removes, with the words of the text.
func CutName(c ablation.Cut, tokens []tokenizer.Token) messages.Message {
	word := func(i int) string {
		if i > len(tokens) {
			return "?"
		}
		return tokens[i-1].Label()
	}
	switch c.Kind {
	case ablation.CutWord:
		return messages.New("cut.word", "word", word(c.Col), "place", c.Col)
	case ablation.CutHead:
		return messages.New("cut.head", "head", c.Head, "layer", c.Layer)
	}
	pair := messages.New("cut.cell", "row", word(c.Row), "rowPlace", c.Row, "column", word(c.Col), "columnPlace", c.Col)
	switch {
	case c.Layer == 0:
		return pair
	case c.Head == 0:
		return messages.New("cut.in-layer", "cell", pair, "layer", c.Layer)
	}
	return messages.New("cut.in-head", "cell", pair, "head", c.Head, "layer", c.Layer)
}

// CutNames describes what a list of ablations removes. It is zero if the list is empty.
func CutNames(list []ablation.Cut, tokens []tokenizer.Token) messages.Message {
	var all []messages.Message
	for _, c := range list[:min(len(list), mostCutNamed)] {
		all = append(all, CutName(c, tokens))
	}
	if more := len(list) - mostCutNamed; more > 0 {
		all = append(all, messages.New("cut.more", "count", more))
	}
	return messages.Join(", ", all...)
}

// CutNote describes what was ablated in the pass that computed the map. It is zero if nothing was.
func (x *Exhibit) CutNote() messages.Message {
	if len(x.Result.Cut) == 0 {
		return messages.Message{}
	}
	return messages.New("cut.note", "what", CutNames(x.Result.Cut, x.tokens()))
}

// headCut reports whether the map belongs to an ablated head.
func (x *Exhibit) headCut() bool {
	cut := x.Layer.CutHeads
	return x.Number > 0 && x.Number <= len(cut) && cut[x.Number-1] && x.PerHead()
}

// cutCells returns a function that reports which cells of the map were ablated, or nil if none can be. A cell with
// a value is never hidden, unless its head is ablated.
func (x *Exhibit) cutCells() func(row, col int) bool {
	axes := x.Map.Axes
	if len(x.Result.Cut) == 0 || !axes[len(axes)-1].Text || len(axes) > 2 || x.Map.Kind == trace.Category {
		return nil
	}
	made, _ := method.Of(x.Map.Name)
	if len(axes) == 1 {
		return func(_, col int) bool { return x.Map.Value.Data[col] == 0 && x.cuts(0, col) }
	}
	if axes[0].Role != trace.Query || x.Map.Kind == trace.Activation {
		return nil
	}
	gone := made == nil && x.headCut()
	return func(row, col int) bool {
		return gone || x.cuts(row+1, col) && (x.Map.Kind == trace.Count || x.Map.Value.At(row, col) == 0)
	}
}

// cuts reports whether a column, from 0, of a row, from 1, was blocked in the layer and head of the map. Row 0
// stands for a strip.
func (x *Exhibit) cuts(row, col int) bool {
	for _, c := range x.Result.Cut {
		switch {
		case c.Col != col+1 || x.Part == engine.DecoderPart || c.Kind == ablation.CutCell &&
			x.Part == engine.CrossPart: // these axes have other words
		case c.Kind == ablation.CutWord:
			return true
		case c.Kind == ablation.CutCell && c.Row == row && (c.Layer == 0 || c.Layer == x.Layer.Number) &&
			(c.Head == 0 || c.Head == x.Number):
			return true
		}
	}
	return false
}

// rest returns the map with every row that is ablated completely replaced by one that sums to 1.
func (x *Exhibit) rest() trace.Map {
	t, g := x.Map, x.Grid()
	if len(x.Result.Cut) == 0 || x.headCut() {
		return t
	}
	none := func(row int) bool {
		cut := false
		for _, class := range g.Class[row*g.Cols:][:g.Cols] {
			if class != figure.Cut && class != figure.Forbidden {
				return false
			}
			cut = cut || class == figure.Cut
		}
		return cut
	}
	t.Value = t.Value.Clone()
	for row := range g.Rows {
		if none(row) {
			t.Value.Data[row*g.Cols] = 1 // so that the empty row does not count as wrong
		}
	}
	return t
}
