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

// Access decides which requests the server answers. The zero value is for a server on its own machine: it answers
// requests for a loopback name that come from its own pages, without a rate limit.
type Access struct {
	// Hosts are the names that the server answers to, besides localhost, 127.0.0.1 and [::1]. "*" allows every name.
	Hosts []string
	// Network reports whether other machines may ask. The server then answers to every IP address and to this
	// machine's name. Nobody else can bind one of these names to our address.
	Network bool
	// Frames are the origins whose pages may frame ours; there are none by default. Framed allows pages of our own
	// origin to frame ours; behind a proxy, other programs share that origin.
	Frames []string
	Framed bool
	// Private is for a Unix socket: only programs that the operating system lets in can connect, and browsers cannot.
	// The program in front of the server has checked the host name, and says which client asks.
	Private bool
	// Readers are the origins whose scripts may read numbers, besides pages of this machine. "*" allows all.
	Readers []string
	// PerSecond is the number of requests that one client may make per second; 0 means no limit. Burst is the number
	// that it may make at once.
	PerSecond float64
	Burst     int
	// Proxies are the addresses whose X-Forwarded-For header the server trusts.
	Proxies []netip.Prefix
}

// embeddable reports whether other sites may show the answer at a path. They may show figures, for teaching material,
// the wall for frames, and the files that it loads. All other routes, also new ones, are for our own pages and for
// visitors who follow a link.
func embeddable(path string) bool {
	return strings.HasPrefix(path, "/export/") || loaded(path) || Framed(path)
}

// loaded reports whether pages load the file at a path: scripts, style sheets and fonts, which are the same for all
// visitors. A frame in a sandbox has an origin of its own, so every origin may load them.
func loaded(path string) bool { return strings.HasPrefix(path, static.Root) }

// securityHeaders sets the headers that every answer has, including errors.
func (s *Server) securityHeaders(next http.Handler) http.Handler {
	policy := s.access.policy()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer") // a URL holds the visitor's text
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if Framed(r.URL.Path) { // also for a page that was opened from a file, which frame-ancestors cannot name
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

// policy returns the Content-Security-Policy of pages that some origins may frame.
func (a Access) policy() string {
	if len(a.Frames) == 0 && !a.Framed {
		return Policy
	}
	return bare + "frame-ancestors " + strings.Join(append([]string{"'self'"}, a.Frames...), " ")
}

// checkOrigin rejects requests for a host name that is not ours, which prevents DNS rebinding, and requests from
// other sites.
func (s *Server) checkOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case healthy(r.URL.Path): // a monitoring program asks by IP address; the answer tells it nothing else
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

// hostForm matches a name, an IPv4 address or an IPv6 address in brackets, with or without a port.
var hostForm = regexp.MustCompile(`^(?:\[([0-9A-Fa-f:.]+)\]|([\w.-]+))(?::([0-9]{1,5}))?$`)

// nameOf returns the name in a Host header. It returns false if the header is malformed and must not appear in a
// link.
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

// Serves reports whether a Host header names this server.
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

// fromHere reports whether the server may answer a request from this origin. It may if our own page sent the request,
// or if any site may make it: somebody follows a link, or shows a figure. Programs send no origin.
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
		return Framed(r.URL.Path) || len(a.Frames) > 0 // the browser checks the framing page against the policy
	}
	return embeddable(r.URL.Path) && !Framed(r.URL.Path) || a.reads(r) && r.Header.Get("Sec-Fetch-Mode") == "cors"
}

// fromOwnPage reports whether a page of this server, or a program that is not a browser, sent a request. Browsers
// that do not send Sec-Fetch-Site send Origin with every POST.
func fromOwnPage(r *http.Request) bool {
	if from := r.Header.Get("Sec-Fetch-Site"); from != "" {
		return from == "same-origin"
	}
	origin := r.Header.Get("Origin")
	u, err := url.Parse(origin)
	return origin == "" || err == nil && u.Host == r.Host
}

// rateLimited limits the rate of requests of each client. Style sheets, scripts and fonts cost nothing and are not
// counted.
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

// client returns the address of the client. It is the address of the connection. If that is a trusted proxy, it is
// the last forwarded address that does not belong to a trusted proxy.
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

// forwarded parses one address of X-Forwarded-For. Some proxies add a port to it.
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

// EmbedPath is the path of the wall for frames on other sites.
const EmbedPath = "/embed"

// Framed reports whether any site may frame the page at a path. Such pages show the maps of the text in their
// address, and have no field to type in.
func Framed(path string) bool { return path == EmbedPath }

// OEmbedPath is the path where a program asks how to embed one of our pages (https://oembed.com, 2.3).
const OEmbedPath = "/oembed"
