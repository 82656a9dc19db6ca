package site

import (
	"net/http"
	"net/netip"
	"net/url"
)

// Rooted turns a rooted address into an absolute one, with the host under which the client knows this server.
func (s *Server) Rooted(r *http.Request, address string) string {
	return s.SchemeOf(r) + "://" + r.Host + s.base + address
}

// SchemeOf returns the scheme of the requested address; a trusted proxy may report it.
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

// Ours returns an absolute address of this server as a path of ours, and false if the address belongs to another
// server.
func (s *Server) Ours(r *http.Request, absolute string) (*url.URL, bool) {
	u, err := url.Parse(absolute)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host != r.Host || u.User != nil {
		return nil, false
	}
	return s.unprefixed(u)
}
