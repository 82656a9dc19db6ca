package web

import (
	"slices"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine/figure"
	"attnatlas/engine/nn"
)

// words names a choice for people.
type words struct{ label, hint string }

var normWords = map[figure.Norm]words{
	figure.Absolute: {"absolute", "0 … 1 as it is"},
	figure.Shared:   {"shared", "0 … the largest value of all cards"},
	figure.PerMap:   {"per map", "0 … the largest value of the map"},
	figure.PerRow:   {"per row", "0 … the largest value of the row"},
	figure.Log:      {"logarithmic", "log₁₀, from a thousandth of the uniform weight to 1"},
	figure.Uniform:  {"× uniform", "how many times as much as if all were read alike"},
}

var cmapWords = map[figure.Palette]words{
	figure.Cividis: {"cividis", "made for colour-vision deficiency"},
	figure.Viridis: {"viridis", ""},
	figure.Magma:   {"magma", ""},
	figure.Greys:   {"greys", "for print"},
	figure.Ink:     {"ink", "paper to dark blue, for print and projectors"},
}

// controls are the form's controls with the choices of the page.
func (s *Server) controls(p *wallPage) components.Controls {
	st := p.state
	c := components.Controls{
		Action: "/",
		Text:   components.Field{Name: keyText, Value: clean(st.Text)},
		Layer:  components.Select{Name: keyLayer, Label: "Layer", Help: "Layers count from 1, the first above the words; of models that repeat one layer, its steps"},
		Head:   components.Select{Name: keyHead, Label: "Head", Help: "The mean over all heads, or one of them"},
		Norm:   components.Select{Name: keyNorm, Label: "Colour", Help: "What counts as full colour"},
		Scale:  components.Select{Name: keyCmap, Label: "Scale", Help: "The colour scale"},
		Show:   components.Select{Name: keyShow, Label: "Show", Help: "What each mechanism computes, the yardstick that all of them have, ‖∂yᵢ/∂xⱼ‖, or its weights multiplied through the layers"},
		Mask:   components.Select{Name: keyMask, Label: "Mask", Help: "What a word is forbidden to read"},
		Theme:  components.Select{Name: keyTheme, Label: "Theme"},
	}
	layers, heads := s.depth(p)
	for i := range layers {
		c.Layer.Options = append(c.Layer.Options, numbered(i+1, st.Layer))
	}
	c.Head.Options = []components.Option{{Value: headName(MeanHead), Label: "mean", Selected: st.Head == MeanHead}}
	for i := range heads {
		c.Head.Options = append(c.Head.Options, numbered(i+1, st.Head))
	}
	for _, n := range figure.Norms() {
		c.Norm.Options = append(c.Norm.Options, named(n.String(), normWords[n], n == st.Norm))
	}
	for _, cmap := range figure.Palettes() {
		c.Scale.Options = append(c.Scale.Options, named(cmap.String(), cmapWords[cmap], cmap == st.Cmap))
	}
	c.Mask.Options = []components.Option{
		named(nn.NoMask.String(), words{"none", "every word may read every word"}, st.Mask == nn.NoMask),
		named(nn.Causal.String(), words{"causal", "a word may read itself and what stands before it"}, st.Mask == nn.Causal),
	}
	c.Show.Options = showOptions(st)
	for _, theme := range themes {
		c.Theme.Options = append(c.Theme.Options, named(theme, words{theme, ""}, theme == st.Theme))
	}
	c.Mechanisms = s.menu(st)
	for _, was := range st.Was {
		c.Hidden = append(c.Hidden, components.Field{Name: keyWas, Value: clean(was)})
	}
	if st.Pin != (Pin{}) {
		c.Hidden = append(c.Hidden, components.Field{Name: keyPin, Value: st.Pin.String()})
	}
	return c
}

// showOptions are what cards can show.
func showOptions(st State) []components.Option {
	return []components.Option{
		named(ShowMaps.String(), words{"maps", "what each mechanism computes"}, st.Show == ShowMaps),
		named(ShowInfluence.String(), words{"influence", "how much each output moves when an input moves, measured alike for all"}, st.Show == ShowInfluence),
		named(ShowRollout.String(), words{"rollout", "how much of each word comes from which after the chosen layer: weights and residual connections, multiplied through the layers"}, st.Show == ShowRollout),
	}
}

func numbered(n, chosen int) components.Option {
	return components.Option{Value: strconv.Itoa(n), Label: strconv.Itoa(n), Selected: n == chosen}
}

func named(value string, w words, chosen bool) components.Option {
	return components.Option{Value: value, Label: w.label, Hint: w.hint, Selected: chosen}
}

// menu lists the mechanisms and the stacks that have a trained model, and those
// that the address asks for.
func (s *Server) menu(st State) components.Menu {
	mechanisms := components.MenuGroup{Label: "Mechanisms, in the same two layers"}
	if s.own {
		mechanisms.Label = "Mechanisms"
	}
	stacks := components.MenuGroup{Label: "Stacks: whole models"}
	for _, known := range s.listed(st.Mechanisms) {
		e := s.as(&known)
		o := components.Option{Value: e.ID, Label: e.Name, Hint: e.Summary, Selected: slices.Contains(st.Mechanisms, e.ID)}
		switch {
		case !o.Selected && !s.trained(e.ID):
		case e.Stack != nil:
			stacks.Options = append(stacks.Options, o)
		default:
			mechanisms.Options = append(mechanisms.Options, o)
		}
	}
	m := components.Menu{Name: keyMech, Label: "Mechanisms"}
	for _, g := range []components.MenuGroup{mechanisms, stacks} {
		if len(g.Options) > 0 {
			m.Groups = append(m.Groups, g)
		}
	}
	return m
}

// depth is how many layers and heads there are to choose from: those of the
// report, or of all models when there is none.
func (s *Server) depth(p *wallPage) (layers, heads int) {
	layers, heads = p.layers, p.heads
	if layers == 0 {
		for _, e := range s.subjects {
			if m := s.model(e.ID); m != nil {
				layers, heads = max(layers, e.depth(m)), max(heads, m.Heads)
			}
		}
	}
	return layers, heads
}
