package web

import (
	"net/http"
	"net/url"

	"attnatlas/web/address"

	"github.com/go-chi/chi/v5"
)

// jsonPages registers, beside each page, the numbers of what it shows: as the API answers, for the page's own
// query. /m/dense.json is what dense does with the text of /m/dense.
func (s *Server) jsonPages(r chi.Router) {
	r.Get("/wall.json", s.h(s.likePage("", s.serveAttend)))
	r.Get("/m.json", s.h(s.serveMechanisms))
	r.Get("/m/{mechanism}.json", s.h(s.serveMechanismJSON))
	r.Get(embedPath+".json", s.h(s.likePage("", s.serveAttend)))
	r.Get("/about.json", s.h(s.serveAboutJSON))
	r.Get("/m/{mechanism}/source.json", s.h(s.serveSourceJSON))
	r.Get("/take/{id}.json", s.h(s.serveTakeJSON))
	r.Get("/compare.json", s.h(s.likePage("", s.serveCompareJSON)))
	r.Get("/explain.json", s.h(s.likePage("", s.serveExplainJSON)))
	r.Get("/gallery.json", s.h(s.serveExamples))
	r.Get("/cost.json", s.h(s.serveCostJSON))
	r.Get("/reach.json", s.h(s.serveReachJSON))
	r.Get("/desk.json", s.h(s.likePage("", s.serveDeskJSON)))
	r.Get("/steps.json", s.h(s.likePage("", s.serveStepsJSON)))
	r.Get("/pondering.json", s.h(s.likePage("", s.servePonderingJSON)))
	r.Get("/reversing.json", s.h(s.likePage("", s.serveReversingJSON)))
	r.Get("/hashing.json", s.h(s.likePage("", s.serveHashingJSON)))
	r.Get("/results.json", s.h(s.serveResultsJSON))
}

// mechanismOf is the mechanism that an address names.
func (s *Server) mechanismOf(r *http.Request) (*mechanism, error) {
	id, err := idOf(chi.URLParam(r, "mechanism"))
	if err != nil {
		return nil, err
	}
	if e := s.find(id); e != nil {
		return e, nil
	}
	return nil, s.noMechanism(id)
}

// serveMechanismJSON answers GET /m/{mechanism}.json.
func (s *Server) serveMechanismJSON(w http.ResponseWriter, r *http.Request) error {
	e, err := s.mechanismOf(r)
	if err != nil {
		return err
	}
	serve := s.serveAttend
	if e.generates() {
		serve = s.serveWrite
	}
	return s.likePage(e.ID, serve)(w, r)
}

// likePage answers a query of a page: its usual text, where there is none, and the mechanism whose page it is.
func (s *Server) likePage(id string, serve handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		v, bad := address.ParseQuery(r.URL.RawQuery)
		if err := address.Join(bad); err != nil {
			return err
		}
		if st, _ := address.Decode(v, s.vocab, id); !v.Has(address.Text) {
			v.Set(address.Text, st.Text)
		}
		if id != "" {
			v.Set(address.Mechanisms, id)
		}
		asked := r.Clone(r.Context())
		asked.URL = &url.URL{Path: r.URL.Path, RawQuery: v.Encode()}
		return serve(w, asked)
	}
}
