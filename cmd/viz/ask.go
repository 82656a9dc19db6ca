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
	"reflect"
	"strconv"
	"strings"

	"attnatlas/engine"
	"attnatlas/web/address"
)

// view holds the flags of commands that show maps. The commands ask the server's own handler, so that a file from the
// command line and one from a page have the same bytes. A flag with the name of an address parameter is that
// parameter.
type view struct {
	weights
	Text  string `short:"t" help:"text" placeholder:"TEXT"`
	Layer int    `help:"layer"`
	Head  string `help:"head" placeholder:"HEAD"`
	Mask  string `help:"mask" placeholder:"MASK"`
	Sinks string `help:"sinks" placeholder:"SINKS"`
	Mass  string `help:"mass" placeholder:"SHARE"`
	Top   int    `help:"top" placeholder:"NUMBER"`
	Cut   string `help:"cut" placeholder:"CUTS"`
}

// query returns the parameters from the flags of a command. If the flags contain no text, it reads one from standard
// input.
func query(ctx context.Context, command any) (url.Values, error) {
	q, flags := url.Values{}, reflect.ValueOf(command).Elem()
	for _, f := range reflect.VisibleFields(flags.Type()) {
		key := strings.ToLower(f.Name)
		if !address.Known(key) {
			continue
		}
		if value := written(flags.FieldByIndex(f.Index).Interface()); value != "" {
			q.Set(key, value)
		}
	}
	if !q.Has(address.Text) {
		raw, err := unless(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(os.Stdin, engine.MaxTextBytes+2)) })
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, wrong("stdin", "cause", err.Error())
		}
		q.Set(address.Text, string(bytes.TrimRight(raw, "\r\n")))
	}
	return q, nil
}

// written returns the value of a flag as addresses write it, or "" if the flag was not given.
func written(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []string:
		return strings.Join(v, ",")
	case int:
		if v != 0 {
			return strconv.Itoa(v)
		}
	case bool:
		if v {
			return "1"
		}
	}
	return ""
}

// ask sends a GET request to the server's handler, in this process.
func (w weights) ask(ctx context.Context, s streams, path string, q url.Values) ([]byte, error) {
	srv, err := w.server(slog.New(slog.NewTextHandler(s.err, nil)))
	if err != nil {
		return nil, err
	}
	return askServer(ctx, srv, path, q)
}

// request is a request of a command to the server. Its answer is printed as JSON or told in sentences.
type request struct {
	path   string
	query  url.Values
	asJSON bool
}

// printAnswer asks the server, and prints the JSON of its answer or what tell says of it.
func printAnswer[T any](ctx context.Context, w weights, s streams, r request, tell func(io.Writer, T) error) error {
	body, err := w.ask(ctx, s, r.path, r.query)
	if err != nil {
		return err
	}
	if r.asJSON {
		_, err = s.out.Write(body)
		return err
	}
	var answer T
	if err := json.Unmarshal(body, &answer); err != nil {
		return err
	}
	return tell(s.out, answer)
}

// askServer sends a GET request to a handler, in this process.
func askServer(ctx context.Context, srv http.Handler, path string, q url.Values) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost"+path+"?"+q.Encode(), nil)
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

// Header returns the header of the answer.
func (a *answer) Header() http.Header {
	if a.header == nil {
		a.header = http.Header{}
	}
	return a.header
}

// WriteHeader keeps the status of the answer; only the first call counts.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write appends to the body of the answer.
func (a *answer) Write(p []byte) (int, error) { a.WriteHeader(http.StatusOK); return a.body.Write(p) }

// problem returns the sentence of an error answer.
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
