package site

import (
	"net/http"
	"net/netip"
	"net/url"
)

// Rooted is the absolute address of a rooted one, as whoever asks knows this server.
func (s *Server) Rooted(r *http.Request, address string) string {
	return s.SchemeOf(r) + "://" + r.Host + s.base + address
}

// SchemeOf is that of the address that was asked for; a proxy that is trusted says what it was.
func (s *Server) SchemeOf(r *http.Request) string {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	believed := err != nil && s.access.Private || err == nil && s.access.trusts(from.Addr().Unmap())
	if said := r.Header.Get("X-Forwarded-Proto"); believed && (said == "https" || said == "http") {
		return said
	}
	if r.TLS != nil {
		return "https"
	}
	return "http"
}

// Ours is an absolute address of this server, as a request for it would have it; false: it is somebody else's.
func (s *Server) Ours(r *http.Request, absolute string) (*url.URL, bool) {
	u, err := url.Parse(absolute)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host != r.Host || u.User != nil {
		return nil, false
	}
	return s.unprefixed(u)
}
