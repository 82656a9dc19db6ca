package site

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// ElementPath is the path of the script of <attention-map>. The path stays the same when the script changes.
const ElementPath = "/attention-map.js"

// readable reports whether scripts of other origins may read the answer at a path, if the server lets their origin
// read at all: the numbers of maps, and the scripts that draw them. Answers do not depend on the client, and there
// are no cookies.
func readable(path string) bool {
	switch path {
	case ElementPath, APIPath("attend"), APIPath("mechanisms"):
		return true
	}
	return strings.HasPrefix(path, "/export/") && strings.HasSuffix(path, ".json")
}

// reads reports whether scripts of the origin of a request may read the answer.
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

// Loopback reports whether a host is this machine, with any port.
func Loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && addr.IsLoopback()
}
