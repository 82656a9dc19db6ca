//go:build js && wasm

package main

import (
	"bytes"
	"crypto/tls"
	"net/http"
	"syscall/js"

	"attnatlas/web/site"
)

// promise answers a request in a goroutine of its own, because a caller from JavaScript must not wait.
func promise(server *site.Server, request js.Value) js.Value {
	work := js.FuncOf(func(_ js.Value, settle []js.Value) any {
		go func() {
			r, err := requestOf(request)
			if err != nil {
				settle[1].Invoke(js.Global().Get("Error").New(err.Error()))
				return
			}
			w := &response{header: http.Header{}}
			server.ServeHTTP(w, r)
			settle[0].Invoke(w.value())
		}()
		return nil
	})
	defer work.Release() // a Promise calls it immediately
	return js.Global().Get("Promise").New(work)
}

// requestOf converts a request from JavaScript.
func requestOf(v js.Value) (*http.Request, error) {
	r, err := http.NewRequest(v.Get("method").String(), v.Get("url").String(), http.NoBody)
	if err != nil {
		return nil, err
	}
	headers := v.Get("headers")
	names := js.Global().Get("Object").Call("keys", headers)
	for i := range names.Length() {
		name := names.Index(i).String()
		r.Header.Set(name, headers.Get(name).String())
	}
	r.RemoteAddr = "127.0.0.1:0"
	if r.URL.Scheme == "https" {
		r.TLS = new(tls.ConnectionState)
	}
	r.URL.Scheme, r.URL.Host = "", "" // as in a server's request; Host stays
	r.RequestURI = r.URL.RequestURI()
	return r, nil
}

// response keeps an answer in memory.
type response struct {
	header http.Header
	sent   http.Header // the header when the status was written
	status int
	body   bytes.Buffer
}

// Header returns the header of the answer.
func (w *response) Header() http.Header { return w.header }

// WriteHeader keeps the status of the answer; only the first call counts.
func (w *response) WriteHeader(status int) {
	if w.status == 0 {
		w.status, w.sent = status, w.header.Clone()
	}
}

// Write appends to the body of the answer.
func (w *response) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}

// Flush does nothing, because JavaScript gets the whole answer at once.
func (w *response) Flush() {}

// value returns the answer for JavaScript.
func (w *response) value() map[string]any {
	w.WriteHeader(http.StatusOK)
	headers := []any{}
	for name, values := range w.sent {
		for _, value := range values {
			headers = append(headers, []any{name, value})
		}
	}
	body := js.Global().Get("Uint8Array").New(w.body.Len())
	js.CopyBytesToJS(body, w.body.Bytes())
	return map[string]any{"status": w.status, "headers": headers, "body": body}
}
