package site

import (
	"net/http"

	"attnatlas/static"
)

// serveElement answers GET /attention-map.js.
func (s *Server) serveElement(w http.ResponseWriter, r *http.Request) error {
	module := static.Content(static.Element)
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	_, err := w.Write(module)
	return err
}
