package site

import (
	"net/http"
	"net/url"
	"strings"

	"attnatlas/web/address"

	"github.com/go-chi/chi/v5"
)

// Page is a page of the site with its numbers, or numbers alone. Everything that is made for all pages follows from a
// list of them: routes, the JSON next to a page, the API and its description, the addresses of published folders and
// of the site map, and the tests that visit every page.
type Page struct {
	// Path is the route in the syntax of chi, such as "/m/{mechanism}". It is empty if there are only numbers.
	Path string
	// Serve answers with the page.
	Serve Handler
	// Act answers POST from our own pages and changes something for all visitors. It is nil if there is nothing to
	// change.
	Act Handler
	// Names returns the values of the parameter in Path. It is nil if Path has no parameter.
	Names func() []string
	// Of returns the message id of the link from a mechanism's page to this one. It returns "" for mechanisms that
	// the page does not cover, and is nil if it covers none.
	Of func(*Mechanism) (label string)
	// Aim is its group in the directory of all pages; the zero value means Understand.
	Aim Aim
	// Title and Summary are the message ids of its name and summary; empty: for /cost, "cost.title" and "cost.summary".
	Title, Summary string
	// Data is the page's numbers, or nil.
	Data *Data
}

// Data describes numbers that are answered as JSON.
type Data struct {
	// ID names the operation. It is answered at /api/v1/ID if API is set, and next to the page.
	ID  string
	API bool
	// Beside is the path of the numbers next to the page; it is empty if there is none.
	Beside string
	// Answer returns the numbers of a request. If Serve is set, it reads the request itself and answers instead.
	Answer Answer
	Serve  Handler
	// Usual returns the model that an address is about. It is nil for pages about several models.
	Usual Usual
	// Asks is a value of the type of the JSON object that clients send by POST. It is nil for operations with GET.
	Asks any
	// Takes are the parameters, and Out is a value of the type of the answer. Out is nil if the answer is a file,
	// which JSON cannot describe.
	Takes address.Takes
	Out   any
}

// Answer returns the answer to an address, or an error.
type Answer func(w http.ResponseWriter, r *http.Request, q address.Query) error

// Usual returns the id of the model that an address is about; the default text of this model is used if the address
// has no text. It sets the model in the state if the address names none.
type Usual func(s *Server, r *http.Request, v url.Values) (id string, err error)

// UsualModel is for pages about one model that have a default one; "" is the first model of the wall.
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

// Read reads an address of a page, including the parameters that the page passes on to others.
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

// Asked answers with a page that takes the same parameters as its numbers, and rejects invalid addresses.
func (s *Server) Asked(d *Data, answer Answer) Handler { return s.asked(d, d.Takes.Carrying(), answer) }

// asked answers an address. It rejects invalid addresses, and addresses below the API that have no text.
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

// numbers answers with the numbers as JSON.
func (s *Server) numbers(d *Data) Handler {
	if d.Answer == nil {
		return d.Serve
	}
	return s.asked(d, d.Takes, d.Answer)
}

// Register adds pages to the server.
func (s *Server) Register(pages ...Page) {
	s.pages = append(s.pages, pages...)
	s.handler = s.routes(s.timeout)
}

// Pages returns all registered pages.
func (s *Server) Pages() []Page { return s.pages }

// Paths returns the paths of the page, one for each value of its parameter.
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

// Paths lists the paths of all pages that a visitor may have a link to.
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

// MechanismIDs returns the ids of all mechanisms and stacks, which are the values in the paths of their pages.
func (s *Server) MechanismIDs() (all []string) {
	for _, m := range s.Mechanisms {
		all = append(all, m.ID)
	}
	return all
}
