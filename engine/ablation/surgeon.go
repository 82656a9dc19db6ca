package ablation

import (
	"attnatlas/engine/attention"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
)

// Surgeon turns the cuts of a request into those of one model's layers.
type Surgeon struct {
	Entry         *attention.Entry
	Layers, Heads int
	Tokens        int // of the text
}

// Refuse returns an error if the model does not define a list of cuts.
func (s Surgeon) Refuse(list []Cut) error {
	words := 0
	for _, c := range list {
		if err := s.refuseOne(c); err != nil {
			return err
		}
		if c.Kind == CutWord {
			words++
		}
	}
	if words > 0 && words == s.Tokens {
		return fault.Errorf(fault.Unsupported, "error.cut.all-words")
	}
	return nil
}

func (s Surgeon) refuseOne(c Cut) error {
	missing := func(what string, number, has int) error {
		return fault.Errorf(fault.NotFound, "error.cut.no-"+what, "cut", c.String(), "number", number, "name", s.Entry.Name,
			"has", messages.New("count."+what, "count", has))
	}
	undefined := func(why messages.Message) error {
		return fault.Errorf(fault.Unsupported, "error.cut."+c.Kind.String(), "name", s.Entry.Name, "why", why)
	}
	switch e := s.Entry; {
	case c.Kind == CutWord && !e.Masks.NoPadding.IsZero():
		return undefined(e.Masks.NoPadding)
	case c.Kind == CutHead && !e.NoHeads.IsZero():
		return undefined(e.NoHeads)
	case c.Kind == CutCell && !e.Masks.NoPairs.IsZero():
		return undefined(e.Masks.NoPairs)
	case !c.Within(s.Tokens):
		return missing("token", max(c.Row, c.Col), s.Tokens)
	case c.Layer > s.Layers:
		return missing("layer", c.Layer, s.Layers)
	case c.Head > s.Heads:
		return missing("head", c.Head, s.Heads)
	}
	return nil
}

// Cutter returns the cuts by layer from 1, and for 0 the cut outside of the layers; nil: nothing is cut.
func (s Surgeon) Cutter(list []Cut) func(layer int) *nn.Cut {
	if len(list) == 0 {
		return nil
	}
	of := make([]*nn.Cut, s.Layers+1)
	for layer := range of {
		cut := &nn.Cut{}
		for _, c := range list {
			s.add(cut, c, layer)
		}
		of[layer] = cut
	}
	return func(layer int) *nn.Cut { return of[min(layer, s.Layers)] }
}

// add adds c to the cut of a layer if it concerns that layer.
func (s Surgeon) add(to *nn.Cut, c Cut, layer int) {
	switch {
	case c.Kind == CutWord:
		to.Words = append(to.Words, c.Col-1)
	case layer == 0 || c.Layer > 0 && c.Layer != layer:
	case c.Kind == CutCell:
		to.Cells = append(to.Cells, nn.CutCell{Head: c.Head - 1, Query: c.Row - 1, Key: c.Col - 1})
	default:
		if to.Heads == nil {
			to.Heads = make([]bool, s.Heads)
		}
		to.Heads[c.Head-1] = true
	}
}
