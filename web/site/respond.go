package site

import (
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"strings"

	"attnatlas/components"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/web/address"

	"github.com/a-h/templ"
)

// OpenAPIPath is the path of the API's description, without the extension.
const OpenAPIPath = "/api/v1/openapi"

// APIPath returns the path of an operation.
func APIPath(id string) string { return "/api/v1/" + id }

// SendJSON answers with a value.
func SendJSON(w http.ResponseWriter, v any) error {
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(v)
}

// MostDataBytes limits the size of an answer of numbers.
const MostDataBytes = 64 << 20

// Redirect sends the client to the page of another state.
func Redirect(w http.ResponseWriter, r *http.Request, to string) error {
	w.Header().Set("Location", components.From(r.Context(), to))
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// Head returns the data that every page has.
func (s *Server) Head(l *messages.Language, section, title, description string, st address.State) components.Page {
	return components.Page{
		Title: title, Description: description, Section: section, Theme: st.Theme, Version: s.Version, Weights: s.weights(l),
		To:        StateLinks(st),
		Directory: s.Directory(l, st), Text: crumb(st.Text),
	}
}

// mostCrumb is the number of characters of a text in the link back to it.
const mostCrumb = 48

// crumb returns the beginning of a text for the link back to it, cut between words where possible.
func crumb(text string) string {
	all := []rune(strings.Join(strings.Fields(Clean(BeginningBytes(text, LongestCarried))), " "))
	if len(all) <= mostCrumb {
		return string(all)
	}
	begins := string(all[:mostCrumb])
	if i := strings.LastIndexByte(begins, ' '); i > mostCrumb/2 {
		begins = begins[:i]
	}
	return begins + "…"
}

// GlossaryPath is the path of the glossary, to which terms link.
const GlossaryPath = "/glossary"

// usualPage is a size that most pages stay below, so that the buffer need not grow.
const usualPage = 160 << 10

// Render answers with a component. Terms in its prose become links to the glossary.
func (s *Server) Render(w http.ResponseWriter, r *http.Request, status int, c templ.Component) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Add("Vary", strings.Join(partHeaders, ", "))
	w.WriteHeader(status)
	l := Language(r)
	held := ResponseOf(r.Context())
	if held != nil {
		if err := held.admit(usualPage); err != nil {
			return err
		}
	}
	err := c.Render(messages.With(r.Context(), l), w)
	if err == nil && held != nil {
		page := held.body.String()
		held.body.Reset()
		err = linkTerms(held, l, page, components.From(r.Context(), GlossaryPath))
	}
	return err
}

// IDOf returns the last part of a path.
func IDOf(escaped string) (string, error) {
	id, err := url.PathUnescape(escaped)
	if err != nil {
		return "", fault.Errorf(fault.Invalid, "param.path")
	}
	return id, nil
}

// Clean removes NUL and invalid UTF-8 from a text, which HTML documents cannot hold. Links carry the original text.
func Clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// FullStop turns a clause into a sentence.
func FullStop(s string) string {
	if s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// Capital makes the first letter of a label a capital.
func Capital(s string) string { return messages.Capital(s) }

// Number formats a measured number; counts have no decimal point.
func Number(v float64) string {
	if v == math.Trunc(v) {
		return messages.Grouped(int(v))
	}
	return messages.Number(v)
}
