package exhibit

import (
	"strconv"

	"attnatlas/engine"
	"attnatlas/engine/trace"
)

// Heads that a Choice can name besides those with numbers, from 1.
const (
	Mean = 0  // the mean over all heads
	Auto = -1 // of each card its most distinctive head
)

// HeadFor is the head that is asked for of a card: its own where it has one.
func (c Choice) HeadFor(id string) int {
	if own, ok := c.Heads[id]; ok {
		return own
	}
	return c.Head
}

// HeadName is a head in addresses and file names.
func HeadName(head int) string {
	switch head {
	case Mean:
		return "mean"
	case Auto:
		return "auto"
	}
	return strconv.Itoa(head)
}

// HeadIn is the head that is shown of a layer of a mechanism, a number or Mean: the one that
// is asked for, and for Auto the most distinctive of its model, or the sharpest for this text where
// that is not known. Where there is nothing to choose by, it is Mean.
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

// axisOfHeads is the axis of heads of a layer's first map.
func axisOfHeads(layer engine.Layer) (axis int, ok bool) {
	if len(layer.Maps) == 0 {
		return 0, false
	}
	return layer.Maps[0].Has(trace.Head)
}
