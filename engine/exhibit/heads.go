package exhibit

import (
	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
)

// ModelSheet is the name of the figure with a map for every head of every layer, like the model view of BertViz.
// HeadSheet has the heads of one layer.
const ModelSheet = "layers"

// IsSheet reports whether the figure with this name has a map for each head.
func IsSheet(name string) bool { return name == HeadSheet || name == ModelSheet }

// EveryHead returns the main map of a mechanism in every head: one row of the chosen layer for HeadSheet, one row
// for each layer for ModelSheet. It returns an error if heads have no maps of their own.
func (s *Selection) EveryHead(id, sheet string) ([][]*Exhibit, error) {
	res := s.Result(id)
	if res == nil {
		return nil, fault.Errorf(fault.NotFound, "error.not-in-report", "id", messages.Quote(id))
	}
	if res.Err != nil {
		return nil, res.Err
	}
	tiles := s.Tiles(res)
	if tiles == 0 {
		return nil, fault.Errorf(fault.NotFound, "error.no-map", "name", res.Name(), "map", messages.Quote(sheet))
	}
	layers := res.Layers
	if sheet == HeadSheet {
		one, err := engine.LayerOf(res, layers, s.Choice.Layer)
		if err != nil {
			return nil, err
		}
		layers = []engine.Layer{one}
	}
	rows := make([][]*Exhibit, len(layers))
	for i, layer := range layers {
		for head := 1; head < tiles; head++ {
			c := s.Choice
			c.Layer, c.Head, c.Heads = layer.Number, head, nil
			c.Order = TextOrder // each head would have one of its own
			x, err := Select(s.Report, c).Exhibit(id, "", 0)
			if err != nil {
				return nil, err
			}
			rows[i] = append(rows[i], x)
		}
	}
	return rows, nil
}

// EveryHeadSays describes the figure of a sheet.
func (x *Exhibit) EveryHeadSays(sheet string) messages.Message {
	if sheet == ModelSheet {
		return messages.New("head.layers")
	}
	return messages.New("head.every", "layer", x.LayerName())
}
