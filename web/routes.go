package web

import (
	"net/http"
	"time"

	"attnatlas/engine"
	"attnatlas/static"
	"attnatlas/web/address"

	"github.com/go-chi/chi/v5"
)

// maxBody is enough for nothing: no route reads a body.
const maxBody = 4 << 10

// routes is everything that the server answers.
func (s *Server) routes(timeout time.Duration) http.Handler {
	r := chi.NewRouter()
	r.Use(
		s.placed,
		s.named,
		numbering(),
		s.secure,
		s.answered,
		s.recovered,
		s.bounded,
		s.readOnly,
		s.asked,
		s.limited,
		s.crowded,
		small(maxBody),
		deadline(timeout),
		patient,
		headed,
	)
	r.NotFound(s.h(func(http.ResponseWriter, *http.Request) error {
		return engine.Errorf(engine.NotFound, "error.nothing-here")
	}))
	r.Mount(static.Root, static.Handler())
	r.Get("/healthz", s.h(s.serveHealth))
	r.Get("/readyz", s.h(s.serveReady))
	r.Get("/", s.h(s.serveWall))
	r.Get("/embedding", s.h(s.serveEmbedding))
	r.Get(embedPath, s.h(s.serveEmbed))
	r.Get(elementPath, s.h(s.serveElement))
	r.Get(oEmbedPath, s.h(s.serveOEmbed))
	r.Get("/gallery", s.h(s.serveGallery))
	r.Get("/m", s.h(s.serveIndex))
	r.Get("/m/{mechanism}", s.h(s.serveMechanism))
	r.Get("/m/{mechanism}/source", s.h(s.serveSource))
	r.Get("/compare", s.h(s.serveCompare))
	r.Get(address.ExplainPath, s.h(s.serveExplain))
	r.Get(address.CostPath, s.h(s.serveCost))
	r.Get(address.ReachPath, s.h(s.serveReach))
	r.Get(address.DeskPath, s.h(s.serveDesk))
	r.Get(address.StepsPath, s.h(s.serveSteps))
	r.Get(address.PonderingPath, s.h(s.servePondering))
	r.Get(address.ReversingPath, s.h(s.serveReversing))
	r.Get(address.HashingPath, s.h(s.serveHashing))
	r.Get("/results", s.h(s.serveResults))
	r.Get("/about", s.h(s.serveAbout))
	r.Get("/take/{id}", s.h(s.serveTake))
	r.Get("/export/{file}", s.h(s.serveExport)) // the name may have points before that of its extension
	s.jsonPages(r)
	s.apiRoutes(r)
	return r
}

// handler answers a request or says why it cannot; then what it has written is forgotten.
type handler func(w http.ResponseWriter, r *http.Request) error

// h makes an http handler of one that returns an error.
func (s *Server) h(serve handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := serve(w, r); err != nil {
			s.fail(w, r, err)
		}
	}
}

// serveHealth answers "ok" when the server answers at all.
func (s *Server) serveHealth(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, err := w.Write([]byte("ok\n"))
	return err
}

// serveReady answers "ready" while the server takes requests: not when it is about to end.
func (s *Server) serveReady(w http.ResponseWriter, r *http.Request) error {
	if s.stopping.Load() {
		return errStopping
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, err := w.Write([]byte("ready\n"))
	return err
}
