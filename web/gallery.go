package web

import (
	"context"
	"net/http"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/scene"
)

// serveGallery answers GET /gallery: every example with a picture and its sentence, whose
// numbers are measured now.
func (s *Server) serveGallery(w http.ResponseWriter, r *http.Request) error {
	l, st := language(r), s.stateOf(r)
	p := &page{s: s, r: r, l: l, state: st}
	g := components.Gallery{Page: s.head(l, "gallery", l.T("gallery.title"), l.T("gallery.summary"), st), Lead: l.T("gallery.lead", "count", len(scene.Examples()))}
	for _, group := range scene.Gallery {
		shown := components.GalleryGroup{ID: group.ID, Title: l.T("gallery.group." + group.ID)}
		for _, sc := range group.Scenes {
			shown.Items = append(shown.Items, p.galleryItem(r.Context(), sc))
		}
		g.Groups = append(g.Groups, shown)
	}
	if err := r.Context().Err(); err != nil {
		return err
	}
	return s.render(w, r, http.StatusOK, components.GalleryPage(g))
}

// galleryItem is an example with what it says and the map that it speaks of first.
func (p *page) galleryItem(ctx context.Context, sc scene.Scene) components.GalleryItem {
	there := p.exampleState(sc)
	item := components.GalleryItem{ID: sc.ID, Title: p.t("example." + sc.ID + ".title"), Text: sc.Text, URL: address.Wall(there)}
	said, err := p.s.tell(ctx, p.l, "example", sc)
	switch {
	case err != nil:
		item.Note = p.t("look.missing")
	case !said.holds:
		item.Sentence, item.Note = said.sentence, p.t("look.not-here")
	default:
		item.Sentence = said.sentence
	}
	first := sc.Claims[0]
	item.Mechanism = first.Mechanism
	there.Mechanisms, there.Layer, there.Head, there.Show = []string{first.Mechanism}, first.Layer, first.Head, exhibit.ShowOf(first.Map)
	item.Image = p.smallPicture(ctx, there.Untold(), first.Mechanism, first.Map)
	return item
}

// serveExamples answers GET /api/v1/examples and /gallery.json.
func (s *Server) serveExamples(w http.ResponseWriter, r *http.Request) error {
	if _, bad := address.ParseQuery(r.URL.RawQuery); len(bad) > 0 {
		return address.Join(bad)
	}
	p := &page{s: s, r: r, l: language(r), state: address.Default()}
	answer := api.Examples{Version: 1}
	for _, group := range scene.Gallery {
		for _, sc := range group.Scenes {
			one := api.Example{ID: sc.ID, Group: group.ID, Title: p.t("example." + sc.ID + ".title"), Text: sc.Text, Other: sc.Other, URL: s.rooted(r, address.Wall(p.exampleState(sc)))}
			said, err := s.tell(r.Context(), p.l, "example", sc)
			if err == nil {
				one.Sentence, one.Holds = said.sentence, said.holds
			}
			for _, c := range sc.Claims {
				claimed := api.ExampleClaim{Name: c.Name, Mechanism: c.Mechanism, Map: c.Map, Layer: c.Layer, Head: c.Head, Measure: c.What.String(), Row: c.Row, Col: c.Col, Least: c.Least, Most: c.Most}
				if value, ok := said.values[c.Name]; ok {
					claimed.Value = &value
				}
				one.Claims = append(one.Claims, claimed)
			}
			answer.Examples = append(answer.Examples, one)
		}
	}
	if err := r.Context().Err(); err != nil {
		return err
	}
	return sendJSON(w, answer)
}

// smallPicture is a small picture of a map of two axes of a mechanism, alone in the state: of the
// map of a name, or of the main one; the zero Image where there is none.
func (p *page) smallPicture(ctx context.Context, st address.State, id, name string) components.Image {
	report, err := p.s.report(ctx, st.Request(), p.s.inspector.Inspect)
	if err != nil {
		return components.Image{}
	}
	sel := exhibit.Select(report, st.Choice)
	x, err := sel.Exhibit(id, name, 0)
	if err != nil || len(x.Map.Axes) != 2 {
		if x, err = sel.Exhibit(id, "", 0); err != nil {
			return components.Image{}
		}
	}
	img := p.picture(st, x, thumbWidth)
	img.Alt = p.say(x.Alt())
	return img
}
