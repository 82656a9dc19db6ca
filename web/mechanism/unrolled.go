package mechanism

import (
	"attnatlas/components"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// unrolled returns links from a mechanism's page to pages that take it apart.
func (p *page) unrolled(e *site.Mechanism) (links []components.Link) {
	for _, other := range p.Site.Server.Pages() {
		if other.Of == nil {
			continue
		}
		if label := other.Of(e); label != "" {
			url := address.One(other.Path, p.State.Word(), e.ID, nil)
			links = append(links, components.Link{Label: p.T(label), Hint: p.T(other.SummaryID()), URL: url})
		}
	}
	return links
}
