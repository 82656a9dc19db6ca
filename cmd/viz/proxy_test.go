package main

import (
	"bytes"
	"errors"
	"html"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"text/template"

	"github.com/alecthomas/kong"
)

// described returns the nginx configuration of deploy/README.md, for a server at a socket, at a path.
func described(t *testing.T, path, to string) string {
	t.Helper()
	readme, err := os.ReadFile("../../deploy/README.md")
	must(t, err)
	found := regexp.MustCompile("(?s)```nginx\n(.*?)```").FindSubmatch(readme)
	if found == nil {
		t.Fatal("deploy/README.md has no configuration of nginx")
	}
	return strings.NewReplacer("location / {", "location "+path+" {", "http://127.0.0.1:8080",
		to).Replace(string(found[1]))
}

// TestBehindNginx: pages, the files that they load, and addresses for copying are right behind nginx as
// deploy/README.md describes it: at a socket, at the root, and under a path that nginx keeps or removes.
func TestBehindNginx(t *testing.T) {
	for _, c := range []struct{ path, uri, base string }{
		{"/", ":/", ""}, {"/atlas/", ":/", "/atlas"}, {"/atlas/", ":", "/atlas"}, {"/a/b/", ":", "/a/b"},
	} {
		folder := t.TempDir()
		socket := filepath.Join(folder, "viz")
		p := start(t, "viz", "serve", "--socket", socket, "--base-path", c.base)
		p.waits(t, "Ctrl-C")
		front := nginx(t, folder, `pid `+folder+`/pid;
error_log stderr warn;
events {}
http {
	access_log off;
	client_body_temp_path `+folder+`/body;
	proxy_temp_path `+folder+`/proxy;
	server {
		listen unix:`+folder+`/front;
		`+described(t, c.path, "http://unix:"+socket+c.uri)+`
	}
}`)
		at, err := url.Parse("http://localhost" + c.path + "?text=the+old+cat")
		must(t, err)
		answer, page := asking(t, front, at.RequestURI())
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%+v: %d: %.300s", c, answer.StatusCode, page)
			continue
		}
		loaded := 0
		for _, found := range regexp.MustCompile(`(?:src|href|data-src|data-permalink)="([^"#][^"]*)"`).FindAllSubmatch(page, -1) {
			to, err := at.Parse(html.UnescapeString(string(found[1])))
			must(t, err)
			if to.Host != "localhost" {
				continue
			}
			if !strings.HasPrefix(to.Path, c.path) {
				t.Errorf("%+v: the page leads to %s", c, to)
			}
			if !bytes.Contains(found[0], []byte("src=")) && !strings.Contains(to.Path, ".") && loaded > 40 {
				continue // pages are enough
			}
			loaded++
			if answer, _ := asking(t, front, to.RequestURI()); answer.StatusCode >= 400 {
				t.Errorf("%+v: %s: %d", c, to, answer.StatusCode)
			}
		}
		if loaded < 20 {
			t.Errorf("%+v: the page leads to %d addresses", c, loaded)
		}
		_, embed := asking(t, front, c.path+"oembed?url="+url.QueryEscape("http://localhost"+c.path+"?text=cat"))
		if !bytes.Contains(embed, []byte("http://localhost"+c.path+"embed?")) {
			t.Errorf("%+v: oEmbed says %s", c, embed)
		}
		if c.path != "/" {
			if answer, _ := asking(t, front, strings.TrimSuffix(c.path, "/")+"?text=cat"); answer.StatusCode/100 != 3 {
				t.Errorf("%+v: without its slash: %d", c, answer.StatusCode)
			}
		}
		if answer, _ := asking(t, front, c.path+"?text="+
			strings.Repeat("%E6%BC%A2", 20_000)); answer.StatusCode != http.StatusRequestEntityTooLarge &&
			answer.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%+v: a long text: %d", c, answer.StatusCode)
		}
	}
}

// nginx runs nginx in a folder with a configuration that listens at the socket front, which it returns.
func nginx(t *testing.T, folder, config string) (front string) {
	t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("nginx is missing, so the configurations in deploy cannot be tested")
		}
		t.Skip("SKIPPED, NOT CHECKED: nginx is not installed, so the configurations in deploy were not tested: apt-get install nginx-light")
	}
	file := filepath.Join(folder, "nginx.conf")
	must(t, os.WriteFile(file, []byte(config), 0o600))
	run := exec.Command(program, "-p", folder, "-e", "stderr", "-c", file, "-g", "daemon off; master_process off;")
	run.Stderr = os.Stderr
	must(t, run.Start())
	t.Cleanup(func() { _ = run.Process.Kill(); _ = run.Wait() })
	front = filepath.Join(folder, "front")
	if !comes(func() bool { c, err := net.Dial("unix", front); return err == nil && c.Close() == nil }) {
		t.Fatal("nginx does not begin")
	}
	return front
}

// TestDeployments: the unit, the chart and the container start viz with existing flags. The chart has a seccomp
// profile, and trusts only the proxies that the operator names.
func TestDeployments(t *testing.T) {
	chart := func(proxies string) (string, error) {
		text, err := os.ReadFile("../../deploy/chart/templates/atlas.yaml")
		must(t, err)
		var out strings.Builder
		err = template.Must(template.New("").Funcs(template.FuncMap{
			"quote": strconv.Quote,
			"required": func(says, value string) (string, error) {
				if value == "" {
					return "", errors.New(says)
				}
				return value, nil
			},
		}).Parse(string(text))).Execute(&out, map[string]any{
			"Release": map[string]string{"Name": "atlas"},
			"Values": map[string]any{"replicas": 2, "image": "viz", "host": "atlas.example.org", "proxies": proxies,
				"sharedCache": "1h", "memory": "768Mi", "ingressClass": "nginx"},
		})
		return out.String(), err
	}
	if _, err := chart(""); err == nil || !strings.Contains(err.Error(), "ingress controller") {
		t.Errorf("without proxies: %v", err)
	}
	rendered, err := chart("10.244.3.0/24")
	must(t, err)
	for _, has := range []string{"seccompProfile: { type: RuntimeDefault }", "runAsNonRoot: true",
		"readOnlyRootFilesystem: true", "allowPrivilegeEscalation: false", "drop: [ALL]",
		"automountServiceAccountToken: false", "ingressClassName: nginx"} {
		if !strings.Contains(rendered, has) {
			t.Errorf("the chart has no %s", has)
		}
	}
	at, err := net.Listen("unix", filepath.Join(t.TempDir(), "at"))
	must(t, err)
	defer at.Close()
	unit, err := os.ReadFile("../../deploy/viz.service")
	must(t, err)
	container, err := os.ReadFile("../../deploy/Containerfile")
	must(t, err)
	for file, found := range map[string][]byte{
		"chart":     regexp.MustCompile(`args: \[(.*)\]`).FindSubmatch([]byte(rendered))[1],
		"unit":      regexp.MustCompile(`ExecStart=\S+ (.*)`).FindSubmatch(unit)[1],
		"container": regexp.MustCompile(`CMD \[(.*)\]`).FindSubmatch(container)[1],
	} {
		args := strings.FieldsFunc(string(found), func(r rune) bool { return strings.ContainsRune(` ,"`, r) })
		var c commands
		parser, err := kong.New(&c, helpTexts())
		must(t, err)
		if _, err := parser.Parse(args); err != nil {
			t.Errorf("%s: viz %v: %v", file, args, err)
		}
		if _, err := c.Serve.access(at); err != nil || c.Serve.Public != (file != "container") || len(c.Serve.Host) != 1 {
			t.Errorf("%s: viz %v: %+v, %v", file, args, c.Serve, err)
		}
	}
}
