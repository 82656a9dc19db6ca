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
	// Act answers POST from our own pages: it changes something for all visitors. Nil: there is nothing to change.
	Act Handler
	// Names are the values of the parameter of Path; nil: it has none.
	Names func() []string
	// Of is the label, by its id, of the link of a mechanism's page to this one; empty: it is not for that mechanism. Nil:
	// it is for none.
	Of func(*Mechanism) (label string)
	// Aim is its group in the directory of all pages; the zero value: Understand.
	Aim Aim
	// Title and Summary are the ids of its name and of what it shows; empty: "cost.title" and "cost.summary" of /cost.
	Title, Summary string
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
	// Answer answers with the numbers of what is asked. Serve does where that is read in a way of its own.
	Answer Answer
	Serve  Handler
	// Usual says which model an address is about; nil: several.
	Usual Usual
	// Asks is a value of the type of the JSON object that an operation of the API is asked with, by POST; nil: GET asks
	// it.
	Asks any
	// Takes are the parameters, and Out is a value of the type of the answer; nil: a file, of which nothing can be said
	// in JSON.
	Takes address.Takes
	Out   any
}

// Answer answers what an address asks, or says why it cannot.
type Answer func(w http.ResponseWriter, r *http.Request, q address.Query) error

// Usual is the id of the model that an address is about, whose usual text is that of an address without one. It fills
// in which model that is where the address does not say so.
type Usual func(s *Server, r *http.Request, v url.Values) (id string, err error)

// UsualModel is for pages about one model, of which one is usual; empty: the first of the wall.
func UsualModel(usual string) Usual {
	return func(_ *Server, _ *http.Request, v url.Values) (string, error) {
		if usual != "" && !v.Has(address.Mechanisms) {
			v.Set(address.Mechanisms, usual)
		}
		return v.Get(address.Mechanisms), nil
	}
}

// UsualOfPath is for pages whose path names a mechanism.
func UsualOfPath(s *Server, r *http.Request, v url.Values) (string, error) {
	e, err := s.MechanismOf(r)
	if err != nil {
		return "", err
	}
	v.Set(address.Mechanisms, e.ID)
	return e.ID, nil
}

// Read reads what an address asks of a page, with what the page carries along to others.
func (s *Server) Read(r *http.Request, d *Data) (address.Query, error) {
	return s.read(r, d, d.Takes.Carrying())
}

func (s *Server) read(r *http.Request, d *Data, takes address.Takes) (q address.Query, err error) {
	v, bad := address.ParseQuery(r.URL.RawQuery)
	id := ""
	if d.Usual != nil {
		if id, err = d.Usual(s, r, v); err != nil {
			return q, err
		}
	}
	return takes.Read(v, bad, s.Vocab, id), nil
}

// Asked answers with a page that takes what its numbers take, and refuses an address that is wrong.
func (s *Server) Asked(d *Data, answer Answer) Handler { return s.asked(d, d.Takes.Carrying(), answer) }

// asked answers what an address asks. Whatever is wrong with it is refused here, and below the API that it has no text.
func (s *Server) asked(d *Data, takes address.Takes, answer Answer) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		q, err := s.read(r, d, takes)
		if err == nil {
			err = q.Err()
		}
		if err == nil && strings.HasPrefix(r.URL.Path, "/api/") {
			err = q.Textless()
		}
		if err != nil {
			return err
		}
		return answer(w, r, q)
	}
}

// numbers answers with the numbers.
func (s *Server) numbers(d *Data) Handler {
	if d.Answer == nil {
		return d.Serve
	}
	return s.asked(d, d.Takes, d.Answer)
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
		if p.Act != nil {
			r.Post(p.Path, s.Handle(p.Act))
		}
		if p.Data == nil {
			continue
		}
		switch {
		case p.Data.Asks != nil:
			r.Post(APIPath(p.Data.ID), s.Handle(p.Data.Serve))
		case p.Data.API:
			r.Get(APIPath(p.Data.ID), s.Handle(s.numbers(p.Data)))
		}
		if p.Data.Beside != "" {
			r.Get(p.Data.Beside, s.Handle(s.numbers(p.Data)))
		}
	}
	s.routeDescription(r)
}

// MechanismIDs are the ids of all mechanisms and stacks, which is what paths of their pages name.
func (s *Server) MechanismIDs() (all []string) {
	for _, m := range s.Mechanisms {
		all = append(all, m.ID)
	}
	return all
}
