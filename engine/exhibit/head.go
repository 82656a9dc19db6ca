package exhibit

import (
	"strconv"

	"attnatlas/engine"
	"attnatlas/engine/trace"
)

// Values of Choice.Head that are not numbers of heads.
const (
	Mean = 0  // the mean over all heads
	Auto = -1 // the most distinctive head of each card
)

// HeadFor returns the head that is chosen for a card: its own head if it has one.
func (c Choice) HeadFor(id string) int {
	if own, ok := c.Heads[id]; ok {
		return own
	}
	return c.Head
}

// HeadName returns the name of a head in addresses and file names.
func HeadName(head int) string {
	switch head {
	case Mean:
		return "mean"
	case Auto:
		return "auto"
	}
	return strconv.Itoa(head)
}

// HeadIn returns the head that is shown for a layer of a mechanism: a number or Mean. Auto stands for the most
// distinctive head of the model, or, if that is unknown, for the sharpest head for this text. The result is Mean
// if no head can be told from the others.
func (s *Selection) HeadIn(res *engine.Result, layer engine.Layer) int {
	head := s.Choice.HeadFor(res.ID)
	if head != Auto {
		// A decoder can have fewer heads than the encoder.
		if axis, ok := axisOfHeads(layer); ok && len(res.Parts) > 0 && head <= res.Heads {
			head = min(head, layer.Maps[0].Value.Dim(axis))
		}
		return head
	}
	if layer.Distinctive > 0 || len(layer.Maps) == 0 {
		return layer.Distinctive
	}
	key := layer.Maps[0].Value
	if _, done := s.distinctive[key]; !done {
		s.distinctive[key] = res.DistinctiveHead(layer)
	}
	return s.distinctive[key]
}

// axisOfHeads returns the axis of heads of a layer's first map.
func axisOfHeads(layer engine.Layer) (axis int, ok bool) {
	if len(layer.Maps) == 0 {
		return 0, false
	}
	return layer.Maps[0].Has(trace.Head)
}
