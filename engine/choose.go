package engine

import (
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/trace"
)

// LayerOf is the layer of a number, or the first one for 0: there the maps are easiest to
// read.
func LayerOf(res *Result, layers []Layer, number int) (Layer, error) {
	if len(layers) == 0 {
		return Layer{}, fault.Errorf(fault.Internal, "error.no-layers", "id", res.ID)
	}
	if number == 0 {
		return layers[0], nil
	}
	for _, layer := range layers {
		if layer.Number == number {
			return layer, nil
		}
	}
	return Layer{}, fault.Errorf(fault.NotFound, "error.no-"+layers[0].Unit(),
		"name", res.Name(), "has", messages.New("count."+layers[0].Unit(), "count", len(layers)), "number", number)
}

// HeadOf is the map of one head, from 1, or for 0 of the mean over heads that are not cut, without the head axis. A map
// without a head axis is the same for every head that there is.
func HeadOf(res *Result, t trace.Map, head int, cut []bool) (trace.Map, error) {
	if head == 0 {
		return t.Without(cut).HeadMean(), nil
	}
	has := res.Heads
	if axis, ok := t.Has(trace.Head); ok { // a decoder can have others than the encoder
		has = t.Value.Dim(axis)
	}
	if head > has {
		return trace.Map{}, fault.Errorf(fault.NotFound, "error.no-head",
			"name", res.Name(), "has", messages.New("count.head", "count", has), "number", head)
	}
	one, err := t.Head(head - 1)
	if err != nil {
		return trace.Map{}, &fault.Error{Kind: fault.Internal, Msg: messages.New("error.head"), Err: err}
	}
	return one, nil
}

// DistinctiveHead is the most distinctive head, from 1, of a layer: that of its model or, where that is not known, the
// sharpest for this text; 0: there is nothing to choose by.
func (res *Result) DistinctiveHead(layer Layer) int {
	if layer.Distinctive > 0 || len(layer.Maps) == 0 {
		return layer.Distinctive
	}
	return Distinctive(nil, Sharpness(res.Entry, layer, res.Tokens))
}

// Name is what a sentence calls a mechanism.
func (res *Result) Name() messages.Message {
	if res.Entry == nil {
		return messages.Text(messages.Quote(res.ID))
	}
	return res.Entry.Name
}
