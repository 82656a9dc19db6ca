package mechanism

import (
	"attnatlas/components"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// unrolled are the links of a mechanism's page to those that take it apart.
func (p *page) unrolled(e *site.Mechanism) (links []components.Link) {
	if e.Mixer().ID == attention.Reformer.ID && !e.Generates() {
		links = append(links, components.Link{Label: p.T("hashing.link"), Hint: p.T("hashing.summary"), URL: address.HashingOf(address.HashingPath, p.State, address.Hashing{ID: e.ID})})
	}
	if e.Stack != nil && e.Stack.ID == encoder.Universal.ID {
		links = append(links, components.Link{Label: p.T("pondering.link"), Hint: p.T("pondering.summary"), URL: address.AboutOne(address.PonderingPath, p.State, e.ID)})
	}
	if e.Stack != nil && e.Stack.ID == encoder.Reversible.ID {
		links = append(links, components.Link{Label: p.T("reversing.link"), Hint: p.T("reversing.summary"), URL: address.AboutOne(address.ReversingPath, p.State, e.ID)})
	}
	if _, ok := attention.Find(e.ID); ok && e.Stack == nil && site.AtDesk(e.Entry) && p.Site.Trained(e.ID) {
		links = append(links, components.Link{Label: p.T("desk.beside-" + site.DeskKind(e.Entry)), Hint: p.T("desk.summary"), URL: address.DeskOf(address.DeskPath, p.State, address.Desk{ID: e.ID})})
	}
	return links
}
