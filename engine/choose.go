package engine

import (
	"attnatlas/engine/fault"
	"attnatlas/engine/headstats"
	"attnatlas/engine/messages"
	"attnatlas/engine/trace"
)

// LayerOf returns the layer with the given number, counted from 1. For 0 it returns the first layer, whose maps are
// easiest to read.
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

// HeadOf returns the map of one head, from 1, without the head axis. For 0 it returns the mean over the heads that
// are not ablated. A map without a head axis is the same for every head.
func HeadOf(res *Result, t trace.Map, head int, cut []bool) (trace.Map, error) {
	if head == 0 {
		return t.Without(cut).HeadMean(), nil
	}
	has := res.Heads
	if axis, ok := t.Has(trace.Head); ok { // a decoder may have another number of heads than the encoder
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

// DistinctiveHead returns the most distinctive head of a layer, from 1. If that is not known for the model, it
// returns the sharpest head for this text, or 0 if there is none.
func (res *Result) DistinctiveHead(layer Layer) int {
	if layer.Distinctive > 0 || len(layer.Maps) == 0 {
		return layer.Distinctive
	}
	return headstats.Distinctive(nil, headstats.Sharpness(res.Entry, layer.Maps, res.Tokens))
}

// Name returns the name of a mechanism for use in a sentence.
func (res *Result) Name() messages.Message {
	if res.Entry == nil {
		return messages.Text(messages.Quote(res.ID))
	}
	return res.Entry.Name
}
