package site

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"attnatlas/components"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/admission"

	"github.com/danielgtaylor/huma/v2"
)

// StatusError is a readable error with an HTTP status, for errors that the engine does not know.
type StatusError struct {
	Status int
	Msg    messages.Message
	after  time.Duration // when a retry makes sense; 0 if unknown
}

// Error returns the message.
func (e *StatusError) Error() string { return e.Msg.String() }

// Message returns the text for visitors.
func (e *StatusError) Message() messages.Message { return e.Msg }

// RetryAfter returns the time after which a retry makes sense.
func (e *StatusError) RetryAfter() time.Duration { return e.after }

// suggestions is an error with links to what the visitor may have meant.
type suggestions struct {
	error
	links []components.Link
}

// Suggest returns an error whose page links to what the visitor may have meant.
func Suggest(err error, links []components.Link) error { return suggestions{err, links} }

// Unwrap returns the error without the suggestions.
func (s suggestions) Unwrap() error { return s.error }

// retryAfter is the time that a client should wait when the server is busy and no better estimate is known.
const retryAfter = 2 * time.Second

// afterOf returns the time that a client should wait after an error.
func afterOf(err error) time.Duration {
	var known interface{ RetryAfter() time.Duration }
	if errors.As(err, &known) && known.RetryAfter() > 0 {
		return known.RetryAfter()
	}
	return retryAfter
}

// AgainAfter returns the number of seconds after which to retry if the server is busy, and 0 for other errors.
func AgainAfter(err error) int {
	if StatusOf(err) != http.StatusServiceUnavailable {
		return 0
	}
	return admission.Seconds(afterOf(err))
}

// Passing returns the error if it is temporary and the whole answer fails because of it, although it could be made
// without the failed part. Otherwise it returns nil.
func Passing(err error) error {
	if err != nil && StatusOf(err) == http.StatusServiceUnavailable {
		return err
	}
	return nil
}

// statuses are the HTTP statuses of the kinds of errors.
var statuses = map[fault.Kind]int{
	fault.Invalid:     http.StatusBadRequest,
	fault.NotFound:    http.StatusNotFound,
	fault.Unsupported: http.StatusUnprocessableEntity,
	fault.Busy:        http.StatusServiceUnavailable,
	fault.TooLarge:    http.StatusRequestEntityTooLarge,
	fault.Internal:    http.StatusInternalServerError,
}

// StatusOf returns the HTTP status of an error.
func StatusOf(err error) int {
	var s *StatusError
	switch {
	case errors.As(err, &s):
		return s.Status
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return http.StatusServiceUnavailable
	case errors.Is(err, figure.ErrInvalid):
		return http.StatusBadRequest
	}
	return statuses[fault.KindOf(err)]
}

// MessageOf returns the text of an error for visitors. Details of an unforeseen error are not shown.
func MessageOf(err error) messages.Message {
	var readable messages.Readable
	switch {
	case StatusOf(err) == http.StatusInternalServerError:
		return messages.New("error.internal")
	case errors.As(err, &readable):
		return readable.Message()
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return messages.New("error.late")
	}
	return messages.Of(err)
}

// problem is an error in the form of RFC 9457, which huma documents too.
func problem(l *messages.Language, err error) *huma.ErrorModel {
	status := StatusOf(err)
	return &huma.ErrorModel{Status: status, Title: http.StatusText(status), Detail: l.Say(MessageOf(err))}
}

// LogUnforeseen logs an error of one mechanism that is a bug of ours. The request as a whole may still succeed.
func (s *Server) LogUnforeseen(r *http.Request, err error) {
	if StatusOf(err) == http.StatusInternalServerError && !departed(r) {
		s.log.ErrorContext(r.Context(), "mechanism failed", "route", routeOf(r), "request", numberOf(r.Context()),
			"error", err)
	}
}

// fail answers a request with an error: a page for people, application/problem+json
// for programs. Every error of the server passes through here.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if held := ResponseOf(r.Context()); held != nil {
		held.reset()
	}
	if departed(r) {
		return // the client has left
	}
	if errors.Is(context.Cause(r.Context()), errStopping) {
		err = errStopping
	}
	status, l := StatusOf(err), Language(r)
	s.logFault(r, status, err)
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Add("Vary", "Accept")
	switch status {
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		h.Set("Retry-After", strconv.Itoa(admission.Seconds(afterOf(err))))
	case http.StatusMethodNotAllowed:
		h.Set("Allow", "GET, HEAD")
	}
	if !wantsPage(r) {
		writeProblem(w, problem(l, err))
		return
	}
	view := components.Failure{
		Page: components.Page{Title: l.T("failure.status." + strconv.Itoa(status)), Theme: s.themeOf(r), Version: s.Version,
			To:        StateLinks(s.StateOf(r)),
			Directory: s.Directory(l, s.StateOf(r))},
		Status: status, Detail: l.Say(MessageOf(err)),
	}
	var meant suggestions
	if errors.As(err, &meant) {
		view.Links = meant.links
	}
	var page, linked bytes.Buffer // not the request's context, which may have ended and caused the error
	ctx := context.WithoutCancel(r.Context())
	if components.FailurePage(view).Render(messages.With(ctx, l), &page) != nil {
		writeProblem(w, problem(l, err))
		return
	}
	if status != http.StatusNotFound { // other errors use glossary words, such as “parameters”, in another sense
		writeHTML(w, status, page.Bytes())
		return
	}
	_ = linkTerms(&linked, l, page.String(), components.From(ctx, GlossaryPath)) // to memory
	writeHTML(w, status, linked.Bytes())
}

// logFault logs an error that is a fault of ours, in one line. A busy server is not a fault: the answer and the
// metrics show it.
func (s *Server) logFault(r *http.Request, status int, err error) {
	number := numberOf(r.Context())
	switch {
	case status == http.StatusServiceUnavailable:
		s.log.DebugContext(r.Context(), "request refused", "request", number, "error", err)
	case status >= http.StatusInternalServerError:
		s.log.ErrorContext(r.Context(), "request failed", "status", status, "route", routeOf(r), "request", number,
			"error", err)
	}
}

// themeOf returns the theme in a URL, even if the rest of the URL is invalid.
func (s *Server) themeOf(r *http.Request) string {
	v, _ := address.ParseQuery(r.URL.RawQuery)
	return address.ThemeOf(v)
}

// wantsPage reports whether an error is answered as a page. The API never answers with a page; elsewhere the Accept
// header of the client decides.
func wantsPage(r *http.Request) bool {
	if strings.HasPrefix(r.URL.Path, "/api/") || strings.HasSuffix(r.URL.Path, ".json") &&
		!strings.HasPrefix(r.URL.Path, "/export/") {
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
	if err != nil { // a struct of strings and numbers can always be encoded
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

// NothingAnswered returns the error of a request that no mechanism could answer. It is the error of the first
// mechanism, so that a request for one mechanism has that mechanism's status.
func NothingAnswered(errs []error) error {
	if len(errs) == 0 || slices.Contains(errs, nil) {
		return nil
	}
	return errs[0]
}
