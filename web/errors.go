package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/web/address"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5/middleware"
)

// statusError is a readable error that is HTTP's business rather than the engine's.
type statusError struct {
	status int
	msg    messages.Message
}

func (e *statusError) Error() string             { return e.msg.String() }
func (e *statusError) Message() messages.Message { return e.msg }

// suggestions is an error that knows what may have been meant.
type suggestions struct {
	error
	links []components.Link
}

func (s suggestions) Unwrap() error { return s.error }

// retryAfter is how many seconds a client should wait when the server is busy.
const retryAfter = 2

// statuses are those of the kinds of errors.
var statuses = map[engine.Kind]int{
	engine.Invalid:     http.StatusBadRequest,
	engine.NotFound:    http.StatusNotFound,
	engine.Unsupported: http.StatusUnprocessableEntity,
	engine.Busy:        http.StatusServiceUnavailable,
	engine.TooLarge:    http.StatusRequestEntityTooLarge,
	engine.Internal:    http.StatusInternalServerError,
}

// statusOf says how an error is answered.
func statusOf(err error) int {
	var s *statusError
	switch {
	case errors.As(err, &s):
		return s.status
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return http.StatusServiceUnavailable
	case errors.Is(err, figure.ErrInvalid):
		return http.StatusBadRequest
	}
	return statuses[engine.KindOf(err)]
}

// messageOf is what a visitor may read of an error: the message written for that purpose,
// and nothing of an error that nobody foresaw.
func messageOf(err error) messages.Message {
	var readable messages.Readable
	switch {
	case statusOf(err) == http.StatusInternalServerError:
		return messages.New("error.internal")
	case errors.As(err, &readable):
		return readable.Message()
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return messages.New("error.late")
	}
	return messages.Of(err)
}

// problem is the error in the form of RFC 9457, which huma also documents.
func problem(l *messages.Language, err error) *huma.ErrorModel {
	status := statusOf(err)
	return &huma.ErrorModel{Status: status, Title: http.StatusText(status), Detail: l.Say(messageOf(err))}
}

// logUnforeseen logs an error of one mechanism that is our bug; the request as
// a whole may still succeed.
func (s *Server) logUnforeseen(r *http.Request, err error) {
	if statusOf(err) == http.StatusInternalServerError && !errors.Is(err, r.Context().Err()) {
		s.log.ErrorContext(r.Context(), "mechanism failed", "error", err)
	}
}

// fail answers a request with an error: a page for people, application/problem+json
// for programs. Every error of the server passes through here.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	status, l := statusOf(err), language(r)
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
		writeProblem(w, problem(l, err))
		return
	}
	view := components.Failure{
		Page:   components.Page{Title: http.StatusText(status), Theme: s.themeOf(r), Version: s.version},
		Status: status, Detail: l.Say(messageOf(err)),
	}
	var meant suggestions
	if errors.As(err, &meant) {
		view.Links = meant.links
	}
	var page bytes.Buffer
	if renderErr := components.FailurePage(view).Render(messages.With(r.Context(), l), &page); renderErr != nil {
		s.log.ErrorContext(r.Context(), "error page failed", "error", renderErr)
		writeProblem(w, problem(l, err))
		return
	}
	writeHTML(w, status, page.Bytes())
}

// themeOf is the theme that a URL asks for, whatever else is wrong with it.
func (s *Server) themeOf(r *http.Request) string {
	v, _ := address.ParseQuery(r.URL.RawQuery)
	return address.ThemeOf(v)
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

// nothingAnswered is the error of a request that no mechanism could answer: the
// first one's, so that a request for one mechanism has that mechanism's status.
func nothingAnswered(errs []error) error {
	if len(errs) == 0 || slices.Contains(errs, nil) {
		return nil
	}
	return errs[0]
}
