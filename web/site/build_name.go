package site

import (
	"context"
	"net/http"
	"strings"

	"attnatlas/components"
)

// forever is the Cache-Control of what will never be otherwise.
const forever = "public, max-age=31536000, immutable"

// everKey is where a request's context has whether its address names this program and its weights.
type everKey struct{}

// readBuildName takes the name of a program and its weights from addresses of figures and numbers. Where it is ours,
// the answer may be kept for ever; with another one, of a page that was open across an update, the answer is today's,
// and is kept as if it had none.
func (s *Server) readBuildName(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := components.Build(r.Context(), s.build)
		if strings.HasPrefix(r.URL.Path, "/export/") || strings.HasPrefix(r.URL.Path, "/api/") {
			query, name := unnamed(r.URL.RawQuery)
			u := *r.URL
			u.RawQuery = query
			r = r.Clone(context.WithValue(ctx, everKey{}, name != "" && name == s.build))
			r.URL = &u
		} else {
			r = r.WithContext(ctx)
		}
		next.ServeHTTP(w, r)
	})
}

// unnamed is a query without the name that it has. Nobody has bounded the query yet: it takes no more memory than that
// has.
func unnamed(query string) (rest, name string) {
	var kept strings.Builder
	kept.Grow(len(query) + 1)
	for part := range strings.SplitSeq(query, "&") {
		if value, is := strings.CutPrefix(part, components.BuildParam+"="); is {
			name = value
			continue
		}
		kept.WriteByte('&')
		kept.WriteString(part)
	}
	return strings.TrimPrefix(kept.String(), "&"), name
}

// keepingOf is the Cache-Control of an answer that its address alone decides.
func (s *Server) keepingOf(r *http.Request) string {
	if ever, _ := r.Context().Value(everKey{}).(bool); ever {
		return forever
	}
	return s.keeping
}
