package web

import (
	"net/http"
	"net/netip"
	"net/url"
)

// rooted is the absolute address of a rooted one, as whoever asks knows this server.
func (s *Server) rooted(r *http.Request, address string) string {
	return s.schemeOf(r) + "://" + r.Host + s.base + address
}

// schemeOf is that of the address that was asked for; a proxy that is trusted says what it was.
func (s *Server) schemeOf(r *http.Request) string {
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

// ours is an absolute address of this server, as a request for it would have it; false: it is somebody else's.
func (s *Server) ours(r *http.Request, absolute string) (*url.URL, bool) {
	u, err := url.Parse(absolute)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host != r.Host || u.User != nil {
		return nil, false
	}
	return s.unprefixed(u)
}
