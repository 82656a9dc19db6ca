package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strconv"
)

// view is what the commands share with the pages: the query of the URL. They
// ask the server's own handler, so that a file from the command line and one
// from a page are the same bytes.
type view struct {
	weights
	Text  string `short:"t" help:"The text. Without it, standard input is read." placeholder:"TEXT"`
	Layer int    `help:"Layer, from 1; without it, all layers (attend) or the first (render)."`
	Head  string `help:"Head, from 1, or mean." placeholder:"HEAD"`
	Mask  string `help:"What is forbidden: none or causal." placeholder:"MASK"`
}

func (v view) query(stdin io.Reader) (url.Values, error) {
	text := v.Text
	if text == "" {
		raw, err := io.ReadAll(stdin)
		if err != nil {
			return nil, fmt.Errorf("reading the text from standard input: %w", err)
		}
		text = string(bytes.TrimRight(raw, "\r\n"))
	}
	q := url.Values{"text": {text}}
	if v.Layer != 0 {
		q.Set("layer", strconv.Itoa(v.Layer))
	}
	set(q, "head", v.Head)
	set(q, "mask", v.Mask)
	return q, nil
}

func set(q url.Values, key, value string) {
	if value != "" {
		q.Set(key, value)
	}
}

// ask sends a GET request to the server's handler, in this process.
func (v view) ask(ctx context.Context, s streams, path string, q url.Values) ([]byte, error) {
	srv, err := v.server(slog.New(slog.NewTextHandler(s.err, nil)))
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, path+"?"+q.Encode(), nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/json")
	var a answer
	srv.ServeHTTP(&a, r)
	if a.status >= 400 {
		return nil, a.problem()
	}
	return a.body.Bytes(), nil
}

// answer is a response kept in memory.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header {
	if a.header == nil {
		a.header = http.Header{}
	}
	return a.header
}

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

func (a *answer) Write(p []byte) (int, error) { a.WriteHeader(http.StatusOK); return a.body.Write(p) }

// problem is the sentence of an error answer.
func (a *answer) problem() error {
	var p struct{ Title, Detail string }
	if err := json.Unmarshal(a.body.Bytes(), &p); err != nil || p.Detail == "" && p.Title == "" {
		return fmt.Errorf("%s", http.StatusText(a.status))
	}
	if p.Detail == "" {
		return fmt.Errorf("%s", p.Title)
	}
	return fmt.Errorf("%s", p.Detail)
}

// stdin is where the text comes from when no flag gives it.
func stdin() io.Reader { return os.Stdin }
