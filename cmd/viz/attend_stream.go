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
	"path/filepath"
	"strconv"
	"strings"

	"attnatlas/engine/disk"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/site"
	"attnatlas/web/wall"
)

// question asks for the attention weights that the flags name.
func (c *attendCmd) question(q url.Values) (asked wall.AttentionQuestion, err error) {
	asked = wall.AttentionQuestion{Text: q.Get(address.Text), DecoderText: c.Decoder, Rows: c.Rows, Top: c.Top,
		Half: c.Half}
	if c.Layer != 0 {
		asked.Layers = []int{c.Layer}
	}
	if c.Head != "" {
		head, err := strconv.Atoi(c.Head)
		if err != nil {
			return asked, wrong("stream-head", "head", messages.Quote(c.Head))
		}
		asked.Heads = []int{head}
	}
	for key := range q {
		switch key {
		case address.Text, address.Layer, address.Head, address.Top, address.Mechanisms:
		default:
			return asked, wrong("stream-flag", "flag", key)
		}
	}
	return asked, nil
}

// stdout is the name of standard output as a file.
const stdout = "-"

// attentionWeights prints the attention weights of each mechanism as lines of JSON, layer by layer. With a file, it
// writes the weights of one mechanism in the format of the file's ending.
func (c *attendCmd) attentionWeights(ctx context.Context, s streams, q url.Values) error {
	asked, err := c.question(q)
	if err != nil {
		return err
	}
	if c.Out != "" {
		if asked.Format, err = c.format(); err != nil {
			return err
		}
	}
	srv, err := c.server(slog.New(slog.NewTextHandler(s.err, nil)))
	if err != nil {
		return err
	}
	asked.Stream = asked.Format != "json"
	for _, asked.Model = range c.Mechanism {
		to := func(w io.Writer) error { return post(ctx, srv, site.APIPath("attention"), asked, w) }
		switch c.Out {
		case "", stdout:
			err = to(s.out)
		default:
			if err = disk.Replace(c.Out, to); err == nil {
				_, err = fmt.Fprintln(s.out, c.Out)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// format returns the format that the file's ending names, or JSON for standard output.
func (c *attendCmd) format() (string, error) {
	if len(c.Mechanism) > 1 {
		return "", wrong("out-one", "count", len(c.Mechanism))
	}
	ext := strings.TrimPrefix(filepath.Ext(c.Out), ".")
	switch {
	case c.Out == stdout:
		return "json", nil
	case ext == "json" || ext == "npz" || ext == "npy":
		return ext, nil
	}
	return "", wrong("format", "file", c.Out, "extension", messages.Quote(filepath.Ext(c.Out)), "known",
		messages.List([]string{"json", "npz", "npy"}))
}

// post sends a JSON object to a handler, in this process, and passes the answer on, part by part.
func post(ctx context.Context, srv http.Handler, path string, asked any, to io.Writer) error {
	body, err := json.Marshal(asked)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://localhost"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	a := parts{to: to}
	srv.ServeHTTP(&a, r)
	if a.status >= http.StatusBadRequest {
		return a.problem()
	}
	return a.failed
}

// parts is an answer whose parts are passed on. An error is kept.
type parts struct {
	answer
	to     io.Writer
	failed error // why nothing more is passed on
}

// Write passes a part on, unless it is an error.
func (p *parts) Write(part []byte) (int, error) {
	p.WriteHeader(http.StatusOK)
	if p.status >= http.StatusBadRequest {
		return p.answer.Write(part)
	}
	n, err := p.to.Write(part)
	p.failed = err
	return n, err
}

// Break implements site.Broken.
func (p *parts) Break(problem []byte) {
	p.status = http.StatusInternalServerError
	p.body.Write(problem)
}
