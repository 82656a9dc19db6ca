package site

import (
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/messages"
	"attnatlas/static"
	"attnatlas/web/admission"
)

// Access says who is answered. The zero value is that of a server for its own machine: asked by
// a loopback name, from its own pages, as often as one likes.
type Access struct {
	// Hosts are names that are served beside localhost, 127.0.0.1 and [::1]; "*": every name.
	Hosts []string
	// Network says that other machines ask, too: every IP address and this machine's name are
	// served. No name that somebody else could bind to our address is among them.
	Network bool
	// Frames are origins whose pages may frame ours; none by default. Framed says that pages of our own
	// origin may, which other programs share behind a proxy.
	Frames []string
	Framed bool
	// Private says that only whom the machine lets in asks, and no browser by itself: a socket that is a file.
	// What stands in front of it has checked the name, and says who asks.
	Private bool
	// Readers are origins whose scripts may read numbers, beside pages of this machine; "*": all.
	Readers []string
	// PerSecond is how many requests one client may make in a second, and Burst how many at
	// once; 0: as many as it likes.
	PerSecond float64
	Burst     int
	// Proxies are those whose X-Forwarded-For says who asks.
	Proxies []netip.Prefix
}

// embeddable says whether other sites may show what is at a path: figures, in teaching material, the wall for
// frames, and what it loads. Everything else, and every route that is added, is for our own pages and for links that
// somebody follows.
func embeddable(path string) bool {
	return strings.HasPrefix(path, "/export/") || loaded(path) || Framed(path)
}

// loaded says whether pages load what is at a path: scripts, style sheets and fonts, the same for all. A frame in a
// sandbox has an origin of its own, so that every origin may load them.
func loaded(path string) bool { return strings.HasPrefix(path, static.Root) }

// securityHeaders sets the headers that every answer has, also the errors.
func (s *Server) securityHeaders(next http.Handler) http.Handler {
	policy := s.access.policy()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer") // a URL holds the visitor's text
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if Framed(r.URL.Path) { // also by a file, which no frame-ancestors names
			h.Set("Content-Security-Policy", strings.TrimSuffix(bare, "; "))
		}
		if readable(r.URL.Path) {
			h.Add("Vary", "Origin")
		}
		if origin := r.Header.Get("Origin"); s.access.reads(r) {
			h.Set("Access-Control-Allow-Origin", origin)
			h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		}
		if loaded(r.URL.Path) {
			h.Set("Access-Control-Allow-Origin", "*")
		}
		if embeddable(r.URL.Path) {
			h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		}
		next.ServeHTTP(w, r)
	})
}

// policy is the Content-Security-Policy of pages that may be framed by some origins.
func (a Access) policy() string {
	if len(a.Frames) == 0 && !a.Framed {
		return Policy
	}
	return bare + "frame-ancestors " + strings.Join(append([]string{"'self'"}, a.Frames...), " ")
}

// checkOrigin refuses who may not ask: by a name that is not ours, which is how a page elsewhere reads
// what only this machine should (DNS rebinding), or from another site.
func (s *Server) checkOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case healthy(r.URL.Path): // who watches over a server asks by its address, and learns nothing else
			next.ServeHTTP(w, r)
		case !s.access.Serves(r.Host):
			s.fail(w, r, &StatusError{Status: http.StatusMisdirectedRequest, Msg: messages.New("error.host")})
		case !s.access.fromHere(r):
			s.fail(w, r, &StatusError{Status: http.StatusForbidden, Msg: messages.New("error.site")})
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// hostForm is a name or an IPv4 address, or an IPv6 address in brackets, with a port of digits or none.
var hostForm = regexp.MustCompile(`^(?:\[([0-9A-Fa-f:.]+)\]|([\w.-]+))(?::([0-9]{1,5}))?$`)

// nameOf is the name in a Host header; false: it has not the form of one, and belongs into no link.
func nameOf(host string) (name string, ok bool) {
	parts := hostForm.FindStringSubmatch(host)
	if parts == nil {
		return "", false
	}
	if port, _ := strconv.Atoi(parts[3]); port > math.MaxUint16 {
		return "", false
	}
	if parts[1] != "" {
		addr, err := netip.ParseAddr(parts[1])
		return parts[1], err == nil && addr.Is6()
	}
	return strings.ToLower(strings.TrimSuffix(parts[2], ".")), true
}

// Serves says whether a Host header names this server.
func (a Access) Serves(host string) bool {
	host, ok := nameOf(host)
	if !ok {
		return false
	}
	if slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, host) || slices.Contains(a.Hosts, "*") || a.Private {
		return true
	}
	if slices.ContainsFunc(a.Hosts, func(known string) bool { return strings.EqualFold(known, host) }) {
		return true
	}
	if !a.Network {
		return false
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	own, err := os.Hostname()
	return err == nil && own != "" && strings.EqualFold(own, host)
}

// fromHere says whether a request comes from our own pages, or is one that any site may make: somebody
// follows a link, or shows a figure. Programs do not say where they come from.
func (a Access) fromHere(r *http.Request) bool {
	if r.Method == http.MethodPost {
		return fromOwnPage(r)
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return true
	}
	switch r.Header.Get("Sec-Fetch-Dest") {
	case "document":
		return r.Header.Get("Sec-Fetch-Mode") == "navigate"
	case "iframe", "frame", "embed", "object":
		return Framed(r.URL.Path) || len(a.Frames) > 0 // the browser holds the framing page against the policy
	}
	return embeddable(r.URL.Path) && !Framed(r.URL.Path) || a.reads(r) && r.Header.Get("Sec-Fetch-Mode") == "cors"
}

// fromOwnPage reports whether a page of this server sent a request, or a program that is no browser. Browsers that do
// not say Sec-Fetch-Site say with every POST of which origin it is.
func fromOwnPage(r *http.Request) bool {
	if from := r.Header.Get("Sec-Fetch-Site"); from != "" {
		return from == "same-origin"
	}
	origin := r.Header.Get("Origin")
	u, err := url.Parse(origin)
	return origin == "" || err == nil && u.Host == r.Host
}

// rateLimited lets one client ask only so often. Style sheets, scripts and fonts, which cost nothing, are free.
func (s *Server) rateLimited(next http.Handler) http.Handler {
	if s.clients == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if free(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		if wait := s.clients.Allow(s.access.client(r)); wait > 0 {
			seconds := admission.Seconds(wait)
			s.fail(w, r, &StatusError{http.StatusTooManyRequests, messages.New("error.rate", "seconds", seconds), wait})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// client is the address of who asks: of the connection, or, where that is a trusted proxy, the last
// address that no trusted proxy has.
func (a Access) client(r *http.Request) netip.Addr {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	client := from.Addr().Unmap()
	if err != nil && !a.Private || err == nil && !a.trusts(client) {
		return client
	}
	steps := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, step := range slices.Backward(steps) {
		addr, ok := forwarded(strings.TrimSpace(step))
		if !ok {
			break
		}
		if client = addr.Unmap(); !a.trusts(client) {
			break
		}
	}
	return client
}

// forwarded is the address in a step of X-Forwarded-For, with which some proxies write a port.
func forwarded(step string) (netip.Addr, bool) {
	if at, err := netip.ParseAddrPort(step); err == nil {
		return at.Addr(), true
	}
	addr, err := netip.ParseAddr(strings.Trim(step, "[]"))
	return addr, err == nil
}

func (a Access) trusts(addr netip.Addr) bool {
	return slices.ContainsFunc(a.Proxies, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// EmbedPath is that of the wall for frames of other sites.
const EmbedPath = "/embed"

// Framed says whether any site may frame what is at a path: the maps of a text that its own address says, without
// a field to write in.
func Framed(path string) bool { return path == EmbedPath }

// OEmbedPath is where a program asks how to show one of our pages in its own (https://oembed.com, 2.3).
const OEmbedPath = "/oembed"
