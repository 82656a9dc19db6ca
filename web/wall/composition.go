package wall

import (
	"strconv"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/web/site"
)

// Composition describes the parts of a stack: its layers, its mixer, and what its model learned. The link to the
// mixer keeps the state of the page.
func (p *View) Composition(e *site.Mechanism) components.Composition {
	if e.Stack == nil || engine.FindGuest(e.ID) != nil {
		return components.Composition{}
	}
	mixer := e.Mixer()
	c := components.Composition{Mixer: components.Link{Label: p.Say(mixer.Name), URL: p.URLOf(p.State, mixer.ID)}}
	model := p.Site.Model(e.ID)
	if model == nil || e.Generates() {
		return c
	}
	f := e.Facts(model)
	c.Depth = p.T("count.layer", "count", f.Runs)
	if f.Shared {
		c.Depth = p.T("composition.same", "count", model.Layers)
		if f.Halts {
			c.Depth = p.T("composition.up-to", "count", model.Layers)
		}
	}
	learned := []messages.Message{site.Objective(string(e.Stack.Objective))}
	for _, task := range pairTasks {
		if _, ok := model.Score[task]; ok {
			learned = append(learned, site.Objective(task))
		}
	}
	c.Learned = p.T("list.all", "items", learned)
	return c
}

// wholeHelp explains which parameters of the whole model are counted.
func (p *View) wholeHelp(e *site.Mechanism, model *engine.ModelInfo) string {
	f := e.Facts(model)
	if g := engine.FindGuest(e.ID); g != nil {
		if _, ok := g.Layer(); ok {
			return p.T("count.whole-layer")
		}
	}
	switch {
	case f.Shared:
		return p.T("count.whole-shared")
	case f.Own < f.Runs:
		return p.T("count.whole-groups", "own", messages.New("count.layer", "count", f.Own), "runs", strconv.Itoa(f.Runs))
	}
	return p.T("count.whole", "layers", messages.New("count.layer", "count", f.Runs))
}

// pairTasks are the objectives about pairs of texts.
var pairTasks = []string{encoder.NextSentence.Name, encoder.SentenceOrder.Name}
