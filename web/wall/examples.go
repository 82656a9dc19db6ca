package wall

import (
	"attnatlas/components"
	"attnatlas/web/address"
	"attnatlas/web/scene"
)

// examples returns the links of the gallery, each with a complete state.
func (p *View) examples() []components.Example {
	if p.At != nil {
		return p.textExamples()
	}
	var links []components.Example
	for _, sc := range scene.Examples() {
		links = append(links, components.Example{
			Title: p.T("example." + sc.ID + ".title"), Text: sc.Text, URL: address.Wall(p.ExampleState(sc)),
			Current: sc.ID == p.State.Example,
		})
	}
	return links
}

// textExamples returns the texts of the gallery, for the page of one mechanism.
func (p *View) textExamples() []components.Example {
	var links []components.Example
	for _, sc := range scene.Examples() {
		there := p.State
		there.Text, there.Pin, there.Was, there.Step = sc.Text, address.Pin{}, nil, 0
		links = append(links, components.Example{Title: p.T("example." + sc.ID + ".title"), Text: sc.Text, URL: p.URL(there),
			Current: sc.Text == p.Typed})
	}
	return links
}
