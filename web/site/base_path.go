package site

import (
	"net/http"
	"net/url"
	"strings"

	"attnatlas/components"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
)

// CheckBase reports whether pages can be shown below a path, such as "/atlas" or "/user/ada/atlas".
func CheckBase(base string) error {
	u, err := url.Parse(base)
	if err != nil || base != "" && (u.Path != base || u.Host != "" || !strings.HasPrefix(base, "/") ||
		strings.Contains(base+"/", "//") || strings.Contains(base+"/", "/../")) {
		return fault.Errorf(fault.Invalid, "error.base", "base", messages.Quote(base))
	}
	return nil
}

// stripBase removes the prefix from paths that still have it: some proxies keep it, others remove it. Pages have
// relative addresses, so both kinds work. The page at the prefix itself must end in a slash.
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

// unprefixed returns an address without the prefix, and false if the address does not have the prefix.
func (s *Server) unprefixed(u *url.URL) (*url.URL, bool) {
	path, under := strings.CutPrefix(u.Path, s.base+"/")
	if !under {
		return nil, false
	}
	short := *u
	short.Path, short.RawPath = "/"+path, strings.TrimPrefix(u.RawPath, s.base)
	return &short, true
}
