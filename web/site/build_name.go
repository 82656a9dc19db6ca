package site

import (
	"context"
	"net/http"
	"strings"

	"attnatlas/components"
)

// forever is the Cache-Control header of answers that never change.
const forever = "public, max-age=31536000, immutable"

// everKey is the context key that says whether the address of a request names this program and its weights.
type everKey struct{}

// readBuildName removes the name of a program and its weights from addresses of figures and numbers. If the name is
// ours, the answer may be cached for ever. Another name comes from a page that stayed open during an update: its
// answer is computed by today's program, and is cached as if the address had no name.
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

// unnamed returns a query without the build name, and the name. The length of the query is not checked yet, so
// unnamed uses no more memory than the query has.
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

// keepingOf returns the Cache-Control header of an answer that depends on its address alone.
func (s *Server) keepingOf(r *http.Request) string {
	if ever, _ := r.Context().Value(everKey{}).(bool); ever {
		return forever
	}
	return s.keeping
}
