package web

import (
	"fmt"
	"slices"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/figure"
	"attnatlas/engine/trace"
)

// picked is the map that a figure shows, and where it comes from.
type picked struct {
	res     *engine.Result
	layer   engine.Layer
	whole   bool      // it is of no layer, but of the stack around them
	t       trace.Map // of one or two axes
	head    string    // which head, in words
	stack   figure.Layout
	plane   int      // from 1, where the map was a stack
	planes  []string // labels of all planes
	largest float64  // of all planes
}

// file is the name of a picture of it.
func (p picked) file(head int, extension string) string {
	name := p.res.ID
	if p.t.Name != mainMap(p.res.Entry) {
		name += "-" + strings.ReplaceAll(p.t.Name, " ", "-")
	}
	if p.stack.Planes > 0 {
		name += fmt.Sprintf("-%s%d", p.stack.Stack, p.plane)
	}
	if p.whole {
		return name + "." + extension
	}
	return fmt.Sprintf("%s-%s-%s.%s", name, strings.ReplaceAll(p.layer.Name, " ", ""), headPart(p.t, head), extension)
}

// where says of which layer, head and plane the map is.
func (p picked) where(sep string) string {
	if p.whole {
		return wholeModel
	}
	return p.layer.Name + sep + p.which()
}

// part is the layer of the map in words.
func (p picked) part() string {
	if p.whole {
		return wholeModel
	}
	return p.layer.Name
}

// wholeModel is where the maps of a stack itself are.
const wholeModel = "the whole model"

// which says which head and plane the map is.
func (p picked) which() string {
	if p.stack.Planes > 0 {
		return p.head + " · " + p.planes[p.plane-1]
	}
	return p.head
}

func (f Figure) pick(r *engine.Report) (picked, error) {
	p := picked{res: find(r, f.Mechanism)}
	if p.res == nil {
		return p, engine.Errorf(engine.NotFound, "there is no mechanism %s", shown(f.Mechanism))
	}
	name := f.Map
	if name == "" {
		name = f.mainMap(p.res.Entry)
	}
	var err error
	if p.t, p.whole = wholeMap(p.res, name); p.whole {
		p.head = noHeads
		return p, p.choosePlane(f.Plane)
	}
	if p.layer, err = pickLayer(p.res, f.Layer); err != nil {
		return p, err
	}
	if p.t, err = pickMap(p.res, f.State, name); err != nil {
		return p, err
	}
	p.head = headOf(p.layer, name, f.Head, p.res.Heads)
	return p, p.choosePlane(f.Plane)
}

// choosePlane takes one plane of a stack.
func (p *picked) choosePlane(plane int) error {
	layout, err := figure.LayoutOf(p.t)
	if err != nil {
		return err
	}
	p.stack, p.plane = layout, max(plane, 1)
	switch {
	case layout.Planes == 0 && plane > 0:
		return engine.Errorf(engine.NotFound, "the map %s has no planes to choose from", shown(p.t.Name))
	case layout.Planes == 0:
		return nil
	case plane > layout.Planes:
		return engine.Errorf(engine.NotFound, "the map %s has %s; there is no plane %d",
			shown(p.t.Name), components.Count(layout.Planes, "plane"), plane)
	}
	for i := range layout.Planes {
		p.planes = append(p.planes, figure.Label(p.t.Axes[0], i))
	}
	p.largest = largest(p.t)
	if p.largest == 0 {
		p.largest = 1 // nothing but zeros: any end will do
	}
	p.t = p.t.Plane(p.plane - 1)
	return nil
}

// noHeads is what headOf says where a mechanism has none.
const noHeads = "without heads"

// headOf says whose a layer's map is that is shown for a head or the mean.
func headOf(layer engine.Layer, name string, head, heads int) string {
	t, _ := layer.Find(name)
	_, apart := t.Has(trace.Head)
	_, pairs := t.Has(trace.Query)
	_, isDerived := derived(name)
	hasHead := func(m trace.Map) bool { _, ok := m.Has(trace.Head); return ok }
	switch {
	case isDerived:
		return headsOf(t, head, heads)
	case !slices.ContainsFunc(layer.Maps, hasHead):
		return noHeads
	case !apart:
		return "the same for all heads"
	case head == MeanHead && t.Kind == trace.Category && pairs:
		return "any of " + components.Count(heads, "head")
	case head == MeanHead && t.Kind == trace.Category:
		return "head 1, since classes have no mean"
	case head == MeanHead && t.Features():
		return "head 1, since features of heads have no mean"
	}
	return headPhrase(head, heads)
}
