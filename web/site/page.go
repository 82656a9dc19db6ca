package site

import (
	"net/http"
	"net/url"
	"strings"

	"attnatlas/web/address"

	"github.com/go-chi/chi/v5"
)

// Page is a page of the site with its numbers, or numbers alone. Whatever is made for all pages follows from a list
// of them: routes, the JSON beside a page, the API and its description, the addresses of published folders and of
// the site map, and the tests that visit every page.
type Page struct {
	// Path is how chi writes the route, such as "/m/{mechanism}"; empty: there are numbers alone.
	Path string
	// Serve answers with the page.
	Serve Handler
	// Names are the values of the parameter of Path; nil: it has none.
	Names func() []string
	// Data are its numbers; nil: it has none.
	Data *Data
}

// Data are numbers that are answered as JSON.
type Data struct {
	// ID names the operation of the API. It is answered at /api/v1/ID where API says so, and beside the page.
	ID  string
	API bool
	// Beside is the path beside the page; empty: there is none.
	Beside string
	// Serve answers with the numbers.
	Serve Handler
	// Usual fills in what an address of the page means where it says nothing; nil: nothing.
	Usual Usual
	// Takes are the parameters, and Out is a value of the type of the answer; nil: a file, of which nothing can be said
	// in JSON.
	Takes []address.Parameter
	Out   any
}

// Usual fills in the parameters that an address of a page leaves out.
type Usual func(s *Server, r *http.Request, v url.Values) error

// UsualText is the text of a page that is about several mechanisms.
func UsualText(s *Server, _ *http.Request, v url.Values) error { return s.usualText(v, "") }

// UsualTextOfModel is the text of a page about the model that the address names.
func UsualTextOfModel(s *Server, _ *http.Request, v url.Values) error {
	return s.usualText(v, v.Get(address.Mechanisms))
}

// UsualOfMechanism is the mechanism of the path, and the text of its page.
func UsualOfMechanism(s *Server, r *http.Request, v url.Values) error {
	e, err := s.MechanismOf(r)
	if err != nil {
		return err
	}
	if err := s.usualText(v, e.ID); err != nil {
		return err
	}
	v.Set(address.Mechanisms, e.ID)
	return nil
}

// usualText sets the text where there is none. The id is that of the mechanism that the page is about; empty: it is
// about several.
func (s *Server) usualText(v url.Values, id string) error {
	if !v.Has(address.Text) {
		st, _ := address.Decode(v, s.Vocab, id)
		v.Set(address.Text, st.Text)
	}
	return nil
}

// Register adds pages. The server answers them from then on.
func (s *Server) Register(pages ...Page) {
	s.pages = append(s.pages, pages...)
	s.handler = s.routes(s.timeout)
}

// Pages are all that were registered.
func (s *Server) Pages() []Page { return s.pages }

// Paths are those of the page, one for each name of its parameter.
func (p Page) Paths() []string {
	if p.Path == "" || p.Names == nil {
		return []string{p.Path}
	}
	var all []string
	from, to := strings.IndexByte(p.Path, '{'), strings.IndexByte(p.Path, '}')
	for _, name := range p.Names() {
		all = append(all, p.Path[:from]+name+p.Path[to+1:])
	}
	return all
}

// Paths lists those of all pages that somebody may have a link to.
func (s *Server) Paths() (all []string) {
	for _, p := range s.pages {
		if p.Path != "" {
			all = append(all, p.Paths()...)
		}
	}
	return all
}

// routePages adds the routes of all pages, of their numbers and of the API's description.
func (s *Server) routePages(r chi.Router) {
	for _, p := range s.pages {
		if p.Path != "" {
			r.Get(p.Path, s.Handle(p.Serve))
		}
		if p.Data == nil {
			continue
		}
		if p.Data.API {
			r.Get(APIPath(p.Data.ID), s.Handle(p.Data.Serve))
		}
		if p.Data.Beside != "" {
			r.Get(p.Data.Beside, s.Handle(s.beside(p.Data)))
		}
	}
	s.routeDescription(r)
}

// beside answers with the numbers of a page for the query of the page.
func (s *Server) beside(d *Data) Handler {
	if d.Usual == nil {
		return d.Serve
	}
	return func(w http.ResponseWriter, r *http.Request) error {
		v, bad := address.ParseQuery(r.URL.RawQuery)
		if err := address.Join(bad); err != nil {
			return err
		}
		if err := d.Usual(s, r, v); err != nil {
			return err
		}
		asked := r.Clone(r.Context())
		asked.URL = &url.URL{Path: r.URL.Path, RawQuery: v.Encode()}
		return d.Serve(w, asked)
	}
}

// MechanismIDs are the ids of all mechanisms and stacks, which is what paths of their pages name.
func (s *Server) MechanismIDs() (all []string) {
	for _, m := range s.Mechanisms {
		all = append(all, m.ID)
	}
	return all
}
