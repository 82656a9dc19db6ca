package site

import (
	"net/http"
)

// serveHealth answers "ok". An answer shows that the server runs.
func (s *Server) serveHealth(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, err := w.Write([]byte("ok\n"))
	return err
}

// serveReady answers "ready" while the server takes requests, and fails when it is stopping.
func (s *Server) serveReady(w http.ResponseWriter, r *http.Request) error {
	if s.stopping.Load() {
		return errStopping
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, err := w.Write([]byte("ready\n"))
	return err
}
