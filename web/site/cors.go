package site

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// ElementPath is that of <attention-map>, which stays the same while its content changes.
const ElementPath = "/attention-map.js"

// readable says whether scripts of other origins may read what is at a path, where their origin may read at all: the
// numbers of maps, and what draws them. No answer depends on who asks, and nobody sends cookies.
func readable(path string) bool {
	switch path {
	case ElementPath, APIPath("attend"), APIPath("mechanisms"):
		return true
	}
	return strings.HasPrefix(path, "/export/") && strings.HasSuffix(path, ".json")
}

// reads says whether scripts of the origin that asks may read the answer.
func (a Access) reads(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || !readable(r.URL.Path) {
		return false
	}
	if r.URL.Path == ElementPath || slices.Contains(a.Readers, "*") || slices.Contains(a.Readers, origin) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && Loopback(u.Host)
}

// Loopback reports whether a host is this machine, whatever the port.
func Loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && addr.IsLoopback()
}
