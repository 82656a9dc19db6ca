package gallery

import (
	"context"
	"net/http"

	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
	"attnatlas/web/scene"
	"attnatlas/web/site"
	"attnatlas/web/wall"
)

// serveGallery answers GET /gallery: every example with a picture and its sentence. The numbers in the sentences
// are measured for the request.
func (s *pages) serveGallery(w http.ResponseWriter, r *http.Request) error {
	l, st := site.Language(r), s.StateOf(r)
	p := &page{&wall.View{Site: s.Views, Request: r, Language: l, State: st}}
	g := pageView{Page: s.Head(l, "gallery", l.T("gallery.title"), l.T("gallery.summary"), st),
		Lead: l.T("gallery.lead", "count", len(scene.Examples()))}
	if err := s.ReserveScenes(r.Context(), scene.Examples()); err != nil {
		return err
	}
	for _, group := range scene.Gallery {
		shown := sceneGroup{ID: group.ID, Title: l.T("gallery.group." + group.ID)}
		for _, sc := range group.Scenes {
			item, err := p.galleryItem(r.Context(), sc)
			if err != nil {
				return err
			}
			shown.Items = append(shown.Items, item)
		}
		g.Groups = append(g.Groups, shown)
	}
	if err := r.Context().Err(); err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, Gallery(g))
}

// galleryItem returns an example with its sentence and the first map that the sentence describes.
func (p *page) galleryItem(ctx context.Context, sc scene.Scene) (item Item, err error) {
	there := p.ExampleState(sc)
	item = Item{ID: sc.ID, Title: p.T("example." + sc.ID + ".title"), Text: sc.Text, URL: address.Wall(there)}
	said, err := p.Site.Tell(ctx, p.Language, "example", sc)
	switch {
	case site.Passing(err) != nil:
		return item, err
	case err != nil:
		item.Note = p.T("look.missing")
	case !said.Holds:
		item.Sentence, item.Note = said.Sentence, p.T("look.not-here")
	default:
		item.Sentence = said.Sentence
	}
	first := sc.Claims[0]
	item.Mechanism = first.Mechanism
	there.Mechanisms, there.Layer, there.Head, there.Show = []string{first.Mechanism}, first.Layer, first.Head,
		exhibit.ShowOf(first.Map)
	item.Image, err = p.SmallPicture(ctx, there.Untold(), first.Mechanism, first.Map)
	return item, err
}

// serveExamples answers GET /api/v1/examples and /gallery.json.
func (s *pages) serveExamples(w http.ResponseWriter, r *http.Request, _ address.Query) error {
	p := &page{&wall.View{Site: s.Views, Request: r, Language: site.Language(r), State: address.Default()}}
	if err := s.ReserveScenes(r.Context(), scene.Examples()); err != nil {
		return err
	}
	answer := Examples{Version: 1}
	for _, group := range scene.Gallery {
		for _, sc := range group.Scenes {
			one := Example{ID: sc.ID, Group: group.ID, Title: p.T("example." + sc.ID + ".title"), Text: sc.Text,
				Other: sc.Other, URL: s.Rooted(r, address.Wall(p.ExampleState(sc)))}
			said, err := s.Tell(r.Context(), p.Language, "example", sc)
			if site.Passing(err) != nil {
				return err
			}
			if err == nil {
				one.Sentence, one.Holds = said.Sentence, said.Holds
			}
			for _, c := range sc.Claims {
				claimed := ExampleClaim{Name: c.Name, Mechanism: c.Mechanism, Map: c.Map, Layer: c.Layer, Head: c.Head,
					Measure: c.What.String(), Text: c.Text, Row: c.Row, Col: c.Col, Least: c.Least, Most: c.Most}
				if value, ok := said.Values[c.Name]; ok {
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
	return site.SendJSON(w, answer)
}
