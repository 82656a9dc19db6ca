package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// printed collects the output of a command.
type printed struct{ tail }

func (s *printed) String() string {
	s.Lock()
	defer s.Unlock()
	return string(s.said)
}

// runServe runs viz serve until the test ends, and returns its output so far when it has begun.
func runServe(t *testing.T, args ...string) (out, errs string, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var stdout, stderr printed
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, append([]string{"serve"}, args...), &stdout, &stderr) }()
	begun := false
	comes(func() bool { begun = strings.Contains(stdout.String(), "Ctrl-C"); return begun || len(ended) > 0 })
	if !begun {
		cancel()
		t.Fatalf("viz serve %v does not begin: %s", args, stderr.String())
	}
	return stdout.String(), stderr.String(), func() int { cancel(); return <-ended }
}

// TestWhereItListens: an empty address means the default, and an address for all interfaces is described in words.
func TestWhereItListens(t *testing.T) {
	asked := func(args ...string) string {
		var c struct {
			Serve serveCmd `cmd:""`
		}
		parser, err := kong.New(&c, helpTexts())
		must(t, err)
		_, err = parser.Parse(append([]string{"serve"}, args...))
		must(t, err)
		return c.Serve.Addr
	}
	t.Setenv("VIZ_ADDR", "localhost:81")
	for want, args := range map[string][]string{defaultAddr: {"--addr", ""}, "localhost:81": nil,
		"localhost:82": {"--addr", "localhost:82"}} {
		if got := asked(args...); got != want {
			t.Errorf("%q: it listens at %s, not at %s", args, got, want)
		}
	}
	t.Setenv("VIZ_ADDR", "")
	if got := asked(); got != defaultAddr {
		t.Errorf("VIZ_ADDR=: it listens at %s", got)
	}
	for addr, others := range map[string]bool{"localhost:0": false, ":0": true} {
		out, errs, stop := runServe(t, "--addr", addr)
		if !strings.Contains(out, "http://localhost:") ||
			strings.Contains(errs, "every machine that can reach this one") != others {
			t.Errorf("--addr %s says %q, %q", addr, out, errs)
		}
		if status := stop(); status != 0 {
			t.Errorf("--addr %s ends with %d", addr, status)
		}
	}
}

func TestServeMistakes(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"--public", "--host atlas.example.org"},
		{"--public --host a.example --rate 0", "--rate"},
		{"--proxy nonsense", "must be an IP address or a range"},
		{"--frame example.org", "must be a site"},
		{"--frame https://example.org/path", "must be a site"},
		{"--frame *", "must be a site"},
		{"--cors example.org", "--cors example.org must be a site"},
		{"--metrics 0.0.0.0:0", "must be a loopback address"},
		{"--base-path atlas", "must be a path such as /atlas"},
		{"--socket /nowhere/at/all", "a folder where you can write"},
		{"--allow-framing everybody", "same-origin"},
	} {
		status, _, errs := viz(t, append([]string{"serve", "--addr", "localhost:0"}, strings.Fields(c.args)...)...)
		if status == 0 || !strings.Contains(errs, c.says) {
			t.Errorf("%s: %d, %q", c.args, status, errs)
		}
	}
}

// TestServeAtASocket: the socket is a file for its owner. The next server replaces it, but not while another one
// answers.
func TestServeAtASocket(t *testing.T) {
	file := filepath.Join(t.TempDir(), "atlas.sock")
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: file, Net: "unix"})
	must(t, err)
	left.SetUnlinkOnClose(false)
	left.Close()
	out, _, stop := runServe(t, "--socket", file, "--base-path", "/atlas/")
	if !strings.Contains(out, "unix:"+file) {
		t.Errorf("it says %q", out)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _,
		_ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", file)
	}}}
	r, err := client.Get("http://hub.example.org/atlas/about")
	must(t, err)
	r.Body.Close()
	if r.StatusCode != http.StatusOK {
		t.Errorf("through the socket: %d", r.StatusCode)
	}
	if status, _, errs := viz(t, "serve", "--socket", file); status == 0 ||
		!strings.Contains(errs, "no other program uses") {
		t.Errorf("a second server: %d, %q", status, errs)
	}
	if status := stop(); status != 0 {
		t.Errorf("it ends with %d", status)
	}
}

// TestMeasurements: metrics are served at the requested address, for a host name of this machine, and nowhere else.
func TestMeasurements(t *testing.T) {
	out, errs, stop := runServe(t, "--addr", "localhost:0", "--metrics", "localhost:0")
	defer stop()
	address := func(line string) string {
		_, rest, _ := strings.Cut(line, "http://")
		return rest[:strings.IndexAny(rest, "/ ")]
	}
	page, measured := address(out), address(errs)
	for url, want := range map[string]int{
		"http://" + page + "/":                       200,
		"http://" + page + "/metrics":                404,
		"http://" + page + "/debug/pprof/":           404,
		"http://" + measured + "/metrics":            200,
		"http://" + measured + "/debug/pprof/":       200,
		"http://" + measured + "/debug/pprof/symbol": 404,
	} {
		r, err := http.Get(url)
		must(t, err)
		body, err := io.ReadAll(r.Body)
		must(t, err)
		r.Body.Close()
		if r.StatusCode != want || strings.HasSuffix(url, measured+"/metrics") &&
			!strings.Contains(string(body), "viz_budget_bytes 1") {
			t.Errorf("%s: %d %.200s", url, r.StatusCode, body)
		}
	}
	r, err := http.NewRequest(http.MethodGet, "http://"+measured+"/metrics", nil)
	must(t, err)
	r.Host = "evil.example"
	answer, err := http.DefaultClient.Do(r)
	must(t, err)
	answer.Body.Close()
	if answer.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("another name: %d", answer.StatusCode)
	}
	for site, want := range map[string]int{"cross-site": 403, "same-site": 403, "same-origin": 200, "none": 200} {
		for _, path := range []string{"/metrics", "/debug/pprof/"} {
			r, err := http.NewRequest(http.MethodGet, "http://"+measured+path, nil)
			must(t, err)
			r.Header.Set("Sec-Fetch-Site", site)
			answer, err := http.DefaultClient.Do(r)
			must(t, err)
			answer.Body.Close()
			if answer.StatusCode != want {
				t.Errorf("%s by a page: %s: %d, not %d", path, site, answer.StatusCode, want)
			}
		}
	}
}

func TestPublicAccess(t *testing.T) {
	l, err := net.Listen("tcp", "0.0.0.0:0")
	must(t, err)
	defer l.Close()
	c := serveCmd{Public: true, Host: []string{"atlas.example.org"}, Proxy: []string{"10.0.0.1", "192.0.2.0/24"}, Rate: 2}
	a, err := c.access(l)
	if err != nil || a.Network || a.PerSecond != 2 || a.Burst != 12 || len(a.Proxies) != 2 ||
		a.Proxies[0] != netip.MustParsePrefix("10.0.0.1/32") {
		t.Errorf("%+v, %v", a, err)
	}
	if a.Serves("192.0.2.1") || !a.Serves("atlas.example.org:443") {
		t.Error("strangers ask by another name than that of --host")
	}
	c.Public = false
	if a, err = c.access(l); err != nil || !a.Network || a.PerSecond != 0 {
		t.Errorf("%+v, %v", a, err)
	}
}
