package site

import (
	"net/http"
	"time"

	"attnatlas/engine/fault"
	"attnatlas/static"

	"github.com/go-chi/chi/v5"
)

// maxBody is the size of a request body, of which routes read hardly any. MostAsked has room for a text in JSON, or
// for ids.
const (
	maxBody   = 4 << 10
	MostAsked = 1 << 20
)

// routes returns the router with everything that the server answers.
func (s *Server) routes(timeout time.Duration) http.Handler {
	r := chi.NewRouter()
	r.Use(
		s.stripBase,
		s.readBuildName,
		numberRequests(),
		s.securityHeaders,
		s.buffered,
		s.recovered,
		s.boundQuery,
		s.boundHeader,
		s.readOnly,
		s.checkOrigin,
		s.rateLimited,
		s.refuseCrowd,
		s.boundBody,
		deadline(timeout),
		readPatience,
		headAsGet,
	)
	r.NotFound(s.Handle(func(http.ResponseWriter, *http.Request) error {
		return fault.Errorf(fault.NotFound, "error.nothing-here")
	}))
	r.Mount(static.Root, static.Handler())
	r.Get("/healthz", s.Handle(s.serveHealth))
	r.Get("/readyz", s.Handle(s.serveReady))
	r.Get(ElementPath, s.Handle(s.serveElement))
	r.Get(siteMapPath, s.Handle(s.serveSiteMap))
	r.Get(robotsPath, s.Handle(s.serveRobots))
	s.routePages(r)
	return r
}

// Handler answers a request, or returns an error. After an error, what it has written is discarded.
type Handler func(w http.ResponseWriter, r *http.Request) error

// Handle turns a Handler into an http.HandlerFunc.
func (s *Server) Handle(serve Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := serve(w, r); err != nil {
			s.fail(w, r, err)
		}
	}
}
