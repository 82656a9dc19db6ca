package site

import (
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"attnatlas/components"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/web/address"

	"github.com/a-h/templ"
)

// OpenAPIPath is where the description of the API is, before what says its form.
const OpenAPIPath = "/api/v1/openapi"

// APIPath is the path of an operation.
func APIPath(id string) string { return "/api/v1/" + id }

// SendJSON answers with a value.
func SendJSON(w http.ResponseWriter, v any) error {
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(v)
}

// MostDataBytes bounds an answer of numbers.
const MostDataBytes = 64 << 20

// Redirect leads to the page of another state.
func Redirect(w http.ResponseWriter, r *http.Request, to string) error {
	w.Header().Set("Location", components.From(r.Context(), to))
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// Head is what every page has.
func (s *Server) Head(l *messages.Language, section, title, description string, st address.State) components.Page {
	return components.Page{
		Title: title, Description: description, Section: section, Theme: st.Theme, Version: s.Version, Weights: s.weights(l),
		To:        StateLinks(st),
		Directory: s.Directory(l, st), Text: crumb(st.Text),
	}
}

// mostCrumb is how many characters of a text lead back to it.
const mostCrumb = 48

// crumb is the beginning of a text on the way back to it, of whole words where it has some.
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

// GlossaryPath is the page to which terms link.
const GlossaryPath = "/glossary"

// usualPage is more bytes than most pages have, so that their place need not grow.
const usualPage = 160 << 10

// Render answers with a component, in whose prose terms link to the glossary.
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

// IDOf is the last part of a path.
func IDOf(escaped string) (string, error) {
	id, err := url.PathUnescape(escaped)
	if err != nil {
		return "", fault.Errorf(fault.Invalid, "param.path")
	}
	return id, nil
}

// Clean makes a text fit for an HTML document, which can hold neither NUL nor
// bytes that are not UTF-8. Links carry the text as it was.
func Clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// FullStop makes a sentence of a clause.
func FullStop(s string) string {
	if s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// Capital begins a label.
func Capital(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:]
}

// Number writes what was measured: counts without a point.
func Number(v float64) string {
	if v == math.Trunc(v) {
		return messages.Grouped(int(v))
	}
	return messages.Number(v)
}
