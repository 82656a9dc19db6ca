package site

import (
	"net/http"
	"strings"

	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/static"
	"attnatlas/web/address"
)

// mostRequests bounds how many requests are under way at a time.
const mostRequests = 256

// maxPathBytes is more than any path has. maxHeaderLines and maxHeader bound the header behind the address, which
// browsers fill with some twenty lines.
const (
	maxPathBytes   = 1 << 10
	maxHeaderLines = 200
	maxHeader      = 64 << 10 // bytes
)

// boundHeader refuses requests whose header has too many lines or bytes.
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

// boundQuery refuses a query that is too long, or has too many parameters, before anything parses
// it. Whatever is added to the server, it sees only queries of which reading costs little.
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

// refuseCrowd refuses what comes when there are too many requests already. Who asks how the server is
// gets an answer.
func (s *Server) refuseCrowd(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !free(r.URL.Path) && s.meter.running.Load() > mostRequests {
			s.fail(w, r, fault.Errorf(fault.Busy, "error.crowded"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// free says whether a path costs nothing to answer.
func free(path string) bool {
	return strings.HasPrefix(path, static.Root) || healthy(path)
}

// healthy says whether a path tells how the server is, and nothing else.
func healthy(path string) bool { return path == "/healthz" || path == "/readyz" }
