package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"

	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/site"
)

// stream prints the attention weights of each mechanism as lines of JSON, layer by layer.
func (c *attendCmd) stream(ctx context.Context, s streams, q url.Values) error {
	asked := api.AttentionQuestion{Text: q.Get(address.Text), Rows: c.Rows, Top: c.Top, Stream: true}
	if c.Layer != 0 {
		asked.Layers = []int{c.Layer}
	}
	if c.Head != "" {
		head, err := strconv.Atoi(c.Head)
		if err != nil {
			return wrong("stream-head", "head", messages.Quote(c.Head))
		}
		asked.Heads = []int{head}
	}
	for key := range q {
		switch key {
		case address.Text, address.Layer, address.Head, address.Top, address.Mechanisms:
		default:
			return wrong("stream-flag", "flag", key)
		}
	}
	srv, err := c.server(slog.New(slog.NewTextHandler(s.err, nil)))
	if err != nil {
		return err
	}
	for _, asked.Model = range c.Mechanism {
		if err := post(ctx, srv, site.APIPath("attention"), asked, s.out); err != nil {
			return err
		}
	}
	return nil
}

// post sends a JSON object to a handler, in this process, and passes the lines of the answer on.
func post(ctx context.Context, srv http.Handler, path string, asked any, to io.Writer) error {
	body, err := json.Marshal(asked)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://localhost"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	a := lines{to: to}
	srv.ServeHTTP(&a, r)
	if a.status >= http.StatusBadRequest {
		return a.problem()
	}
	return a.failed
}

// lines is an answer in lines, which are passed on. The line of an error is kept.
type lines struct {
	answer
	to     io.Writer
	failed error // why nothing more is passed on
}

// Write passes a line on, unless it is an error.
func (l *lines) Write(line []byte) (int, error) {
	l.WriteHeader(http.StatusOK)
	var p struct{ Status int }
	const longest = 4 << 10 // of an error
	if len(line) < longest && json.Unmarshal(line, &p) == nil {
		l.status = max(l.status, p.Status)
	}
	if l.status >= http.StatusBadRequest {
		return l.answer.Write(line)
	}
	n, err := l.to.Write(line)
	l.failed = err
	return n, err
}
