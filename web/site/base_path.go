package site

import (
	"net/http"
	"net/url"
	"strings"

	"attnatlas/components"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
)

// CheckBase says whether a path may be that under which pages are shown: "/atlas", "/user/ada/atlas".
func CheckBase(base string) error {
	u, err := url.Parse(base)
	if err != nil || base != "" && (u.Path != base || u.Host != "" || !strings.HasPrefix(base, "/") ||
		strings.Contains(base+"/", "//") || strings.Contains(base+"/", "/../")) {
		return fault.Errorf(fault.Invalid, "error.base", "base", messages.Quote(base))
	}
	return nil
}

// stripBase takes the prefix from paths that have it still: some proxies leave it, others take it away. Pages have
// relative addresses, so that both work, and the page under the prefix itself has to end in a slash.
func (s *Server) stripBase(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.base != "" && r.URL.Path == s.base {
			to := s.base[strings.LastIndexByte(s.base, '/')+1:] + "/"
			if r.URL.RawQuery != "" {
				to += "?" + r.URL.RawQuery
			}
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusPermanentRedirect)
			return
		}
		if u, under := s.unprefixed(r.URL); under {
			r = r.Clone(r.Context())
			r.URL = u
		}
		next.ServeHTTP(w, r.WithContext(components.Standing(r.Context(), r.URL.EscapedPath())))
	})
}

// unprefixed is an address without the prefix; false: it does not have it.
func (s *Server) unprefixed(u *url.URL) (*url.URL, bool) {
	path, under := strings.CutPrefix(u.Path, s.base+"/")
	if !under {
		return nil, false
	}
	short := *u
	short.Path, short.RawPath = "/"+path, strings.TrimPrefix(u.RawPath, s.base)
	return &short, true
}
