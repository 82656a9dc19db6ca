package main

import (
	"bytes"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"attnatlas/web/live"
)

// taking returns the export page of a server with these programs, and whether it offers a live figure; nil: there are
// none.
func taking(t *testing.T, p *programs) (page string, offered bool) {
	t.Helper()
	server, err := weights{programs: p}.server(slog.New(slog.DiscardHandler))
	must(t, err)
	body, err := askServer(t.Context(), server, "/take/dense", url.Values{})
	must(t, err)
	_, asked := askServer(t.Context(), server, "/export/dense.html", url.Values{"live": {"1"}})
	offered = strings.Contains(string(body), `class="take-live"`)
	if p == nil || p.run != nil { // nothing is compiled here
		if offered != (asked == nil) {
			t.Errorf("the page offers what computes: %v, and the answer is %v", offered, asked)
		}
	}
	return string(body), offered
}

// TestReleaseNeedsNoGo: with the program of a release, neither Go nor the source is needed.
func TestReleaseNeedsNoGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	p := &programs{}
	p.keep(&live.Program{WASM: []byte("program"), Exec: []byte("exec"), Kernel: []byte("kernel")})
	if page, offered := taking(t, p); !offered {
		t.Error(page)
	}
	must(t, p.prepare(t.Context(), nil))
}

// TestCheckoutOffersLivePages: with Go and the source, the page is offered before anything is compiled. The first
// visitor waits for the program, which is the same as that of viz publish.
func TestCheckoutOffersLivePages(t *testing.T) {
	p := newPrograms(t.Context(), root, nil)
	if err := p.check(); err != nil {
		t.Error(err)
	}
	want := forBrowsers(t).Live
	if got, err := p.live(t.Context()); err != nil || !bytes.Equal(got.WASM, want.WASM) || !bytes.Equal(got.Exec, want.Exec) {
		t.Errorf("%v, or another program", err)
	}
}

// TestNoProgramIsSaidBeforeTheClick: if nothing can be compiled, the page says so, has no link, and names no folder.
func TestNoProgramIsSaidBeforeTheClick(t *testing.T) {
	const says = "does not contain the program for browsers"
	folder := t.TempDir()
	for name, p := range map[string]*programs{"public": nil, "no source": newPrograms(t.Context(), folder, nil)} {
		if page, offered := taking(t, p); offered || !strings.Contains(page, says) || strings.Contains(page, folder) {
			t.Errorf("%s: %s", name, page)
		}
	}
	for _, c := range []struct {
		flags serveCmd
		has   bool
	}{{serveCmd{}, true}, {serveCmd{Public: true}, false}, {serveCmd{Public: true, Source: root}, true}} {
		if p, err := c.flags.compiler(t.Context(), nil); err != nil || (p != nil) != c.has {
			t.Errorf("%+v: %v, %v", c.flags, p, err)
		}
	}
	t.Setenv("PATH", folder)
	if page, offered := taking(t, newPrograms(t.Context(), root, nil)); offered || !strings.Contains(page, says) {
		t.Errorf("no Go: %s", page)
	}
}

// TestCommandsSayWhatIsMissing: commands name the missing program in one sentence.
func TestCommandsSayWhatIsMissing(t *testing.T) {
	folder := t.TempDir()
	for _, has := range []string{"--source", "go.dev"} {
		for _, args := range [][]string{
			{"render", "--live", "-m", "dense", "--text", "a cat", "-o", filepath.Join(folder, "a.html"), "--source", folder},
			{"publish", filepath.Join(folder, "site"), "--source", folder},
			{"serve", "--addr", "localhost:0", "--source", folder},
		} {
			if status, _, errs := viz(t, args...); status == 0 || strings.Count(errs, "\n") != 1 ||
				!strings.Contains(errs, has) {
				t.Errorf("%v: %d %s", args, status, errs)
			}
		}
		t.Setenv("PATH", folder)
	}
}

// TestFailedCompilation: a failed compilation is not repeated. Visitors see neither folders nor compiler messages;
// the log has them.
func TestFailedCompilation(t *testing.T) {
	folder := t.TempDir()
	must(t, os.WriteFile(filepath.Join(folder, "go.mod"), []byte("module attnatlas\n\ngo 1.26.0\n"), 0o600))
	var log bytes.Buffer
	p := newPrograms(t.Context(), folder, slog.New(slog.NewTextHandler(&log, nil)))
	must(t, p.check())
	for range 3 {
		_, err := p.live(t.Context())
		if err == nil || strings.Contains(err.Error(), folder) || strings.Contains(err.Error(), "web/live") {
			t.Error(err)
		}
	}
	if logged := log.String(); strings.Count(logged, "\n") != 1 || !strings.Contains(logged, "web/live/program") {
		t.Errorf("the log has %s", logged)
	}
	if page, offered := taking(t, p); offered || !strings.Contains(page, "The server log") {
		t.Error(page)
	}
}
