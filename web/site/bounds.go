package site

import (
	"net/http"
	"strings"

	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/static"
	"attnatlas/web/address"
)

// mostRequests limits the number of requests in progress.
const mostRequests = 256

// maxPathBytes is longer than any path. maxHeaderLines and maxHeader limit the header after the request line, in
// which browsers send about twenty lines.
const (
	maxPathBytes   = 1 << 10
	maxHeaderLines = 200
	maxHeader      = 64 << 10 // bytes
)

// boundHeader rejects requests whose header has too many lines or bytes.
func (s *Server) boundHeader(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lines, bytes := 0, 0
		for name, values := range r.Header {
			for _, value := range values {
				lines, bytes = lines+1, bytes+len(name)+len(value)
			}
		}
		if lines > maxHeaderLines || bytes > maxHeader {
			r.Header = http.Header{}
			s.fail(w, r, &StatusError{Status: http.StatusRequestHeaderFieldsTooLarge,
				Msg: messages.New("error.header", "lines", maxHeaderLines, "kilobytes", maxHeader>>10)})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// boundQuery rejects a query that is too long or has too many parameters, before any handler parses it. Every route
// therefore sees only queries that are cheap to parse.
func (s *Server) boundQuery(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw := r.URL.RawQuery
		params := strings.Count(raw, "&") + 1
		switch {
		case len(r.URL.Path) > maxPathBytes:
			r.URL.Path, r.URL.RawPath = "/", ""
			s.fail(w, r, &StatusError{Status: http.StatusRequestURITooLong, Msg: messages.New("error.path-bytes")})
		case len(raw) > address.MaxQueryBytes:
			r.URL.RawQuery = ""
			s.fail(w, r, &StatusError{Status: http.StatusRequestURITooLong,
				Msg: messages.New("error.query-bytes", "bytes", len(raw), "most", address.MaxQueryBytes)})
		case params > address.MaxParams:
			r.URL.RawQuery = ""
			s.fail(w, r, fault.Errorf(fault.Invalid, "error.query-params", "count", params, "most", address.MaxParams))
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// refuseCrowd rejects requests while too many others are in progress. Health checks are always answered.
func (s *Server) refuseCrowd(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !free(r.URL.Path) && s.meter.running.Load() > mostRequests {
			s.fail(w, r, fault.Errorf(fault.Busy, "error.crowded"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// free reports whether a path costs nothing to answer.
func free(path string) bool {
	return strings.HasPrefix(path, static.Root) || healthy(path)
}

// healthy reports whether a path is a health check.
func healthy(path string) bool { return path == "/healthz" || path == "/readyz" }
