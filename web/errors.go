package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/figure"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5/middleware"
)

// httpError is an error that is HTTP's business rather than the engine's: a
// path that does not exist, a text that is too long to read.
type httpError struct {
	status int
	msg    string
}

func (e *httpError) Error() string { return e.msg }

// retryAfter is how many seconds a client should wait when the server is busy.
const retryAfter = 2

// statusOf says how an error is answered.
func statusOf(err error) int {
	var h *httpError
	switch {
	case errors.As(err, &h):
		return h.status
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return http.StatusServiceUnavailable
	case errors.Is(err, figure.ErrInvalid):
		return http.StatusBadRequest
	}
	switch engine.KindOf(err) {
	case engine.Invalid:
		return http.StatusBadRequest
	case engine.NotFound:
		return http.StatusNotFound
	case engine.Unsupported:
		return http.StatusUnprocessableEntity
	case engine.Busy:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// sentence is what a visitor may read of an error: the sentence written for
// that purpose, and nothing of an error that nobody foresaw.
func sentence(err error) string {
	var h *httpError
	var e *engine.Error
	switch {
	case errors.As(err, &h):
		return h.msg
	case statusOf(err) == http.StatusInternalServerError:
		return "Internal error. It is not your fault; the server's log says more."
	case errors.As(err, &e):
		return e.Msg
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return "This took too long and was stopped. Try a shorter text, fewer mechanisms, or again later."
	}
	return err.Error()
}

// problem is the error in the form of RFC 9457, which huma also documents.
func problem(err error) *huma.ErrorModel {
	status := statusOf(err)
	return &huma.ErrorModel{Status: status, Title: http.StatusText(status), Detail: sentence(err)}
}

// fail answers a request with an error: a page for people, application/problem+json
// for programs. Every error of the server passes through here.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	status := statusOf(err)
	if status >= http.StatusInternalServerError {
		s.log.ErrorContext(r.Context(), "request failed", "status", status, "path", r.URL.Path,
			"request", middleware.GetReqID(r.Context()), "error", err)
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Add("Vary", "Accept")
	if status == http.StatusServiceUnavailable {
		h.Set("Retry-After", strconv.Itoa(retryAfter))
	}
	if !wantsPage(r) {
		writeProblem(w, problem(err))
		return
	}
	var page bytes.Buffer
	if renderErr := components.FailurePage(s.failure(r, err)).Render(r.Context(), &page); renderErr != nil {
		s.log.ErrorContext(r.Context(), "error page failed", "error", renderErr)
		writeProblem(w, problem(err))
		return
	}
	writeHTML(w, status, page.Bytes())
}

func (s *Server) failure(r *http.Request, err error) components.Failure {
	status := statusOf(err)
	return components.Failure{
		Page:   components.Page{Title: http.StatusText(status), Theme: themeOf(r), Version: s.version},
		Status: status,
		Title:  http.StatusText(status),
		Detail: sentence(err),
		Home:   "/",
		Links:  suggested(err),
	}
}

// wantsPage says whether an error should be a page. The API never answers with
// one; elsewhere the client's Accept header decides.
func wantsPage(r *http.Request) bool {
	if strings.HasPrefix(r.URL.Path, "/api/") {
		return false
	}
	accept := r.Header.Get("Accept")
	if strings.Contains(accept, "text/html") {
		return true
	}
	return !strings.HasPrefix(r.URL.Path, "/export/") && !strings.Contains(accept, "json")
}

func writeProblem(w http.ResponseWriter, p *huma.ErrorModel) {
	body, err := json.Marshal(p)
	if err != nil { // a struct of strings and numbers cannot fail
		panic(err)
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	w.Write(append(body, '\n'))
}

func writeHTML(w http.ResponseWriter, status int, page []byte) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	w.Write(page)
}
