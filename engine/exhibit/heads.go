package exhibit

import (
	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
)

// ModelSheet is the name of the figure that has a map for every head of every layer, as the model view of BertViz has;
// that of HeadSheet has those of one layer.
const ModelSheet = "layers"

// IsSheet reports whether figures of a map of this name have a map for each head.
func IsSheet(name string) bool { return name == HeadSheet || name == ModelSheet }

// EveryHead is the main map of a mechanism in every head: a row of the chosen layer for HeadSheet, and one for each
// layer for ModelSheet. It is an error where heads have no maps of their own.
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
			x, err := Select(s.Report, c).Exhibit(id, "", 0)
			if err != nil {
				return nil, err
			}
			rows[i] = append(rows[i], x)
		}
	}
	return rows, nil
}

// EveryHeadSays says what the figure of a sheet has.
func (x *Exhibit) EveryHeadSays(sheet string) messages.Message {
	if sheet == ModelSheet {
		return messages.New("head.layers")
	}
	return messages.New("head.every", "layer", x.LayerName())
}
