package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"attnatlas/engine/fault"
	"attnatlas/web/admission"
)

// mostBytes limits the size of an answer before compression, unless its route sets another limit.
const mostBytes = 8 << 20

// buffered holds every answer back until it is complete, so that no client gets half an answer after a panic or an
// error. Then it compresses the answer, sets its entity tag, and leaves out the body if the client already has it.
// The answer's memory counts in the budget until the client has read it. A client that reads too slowly is
// disconnected.
func (s *Server) buffered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		s.meter.running.Add(1)
		defer s.meter.running.Add(-1)
		share := s.budget.Share()
		defer share.Set(0)
		held := &Response{header: w.Header(), ctx: r.Context(), share: share, most: mostBytes, first: w.Header().Clone(),
			status: http.StatusOK, to: w, meter: &s.meter}
		r = r.WithContext(context.WithValue(r.Context(), heldKey{}, held))
		next.ServeHTTP(held, r)
		if held.err != nil {
			s.fail(held, r, held.err)
		}
		if held.parts != nil {
			status, end := held.finish(r)
			s.meter.observe(r, status, time.Since(began))
			end()
			return
		}
		if compressible(held.header.Get("Content-Type")) {
			held.header.Add("Vary", "Accept-Encoding")
		}
		varyInOneLine(held.header)
		switch {
		case departed(r):
			held.status = statusDeparted
		case held.status == http.StatusOK:
			s.complete(held, r)
		}
		s.meter.observe(r, held.status, time.Since(began))
		if held.status == statusDeparted {
			w.WriteHeader(statusDeparted) // else it would be an empty 200
			return
		}
		s.send(w, r, held)
	})
}

// varyInOneLine joins all names of Vary in one line: some caches read only the last line (nginx before 1.23.0).
func varyInOneLine(h http.Header) {
	if names := h.Values("Vary"); len(names) > 0 {
		h.Set("Vary", strings.Join(names, ", "))
	}
}

// heldKey is the context key of the answer that is held back.
type heldKey struct{}

// ResponseOf returns the answer to a request, which the middleware holds back.
func ResponseOf(ctx context.Context) *Response {
	held, _ := ctx.Value(heldKey{}).(*Response)
	return held
}

// complete sets the entity tag of an answer from its content.
func (s *Server) complete(held *Response, r *http.Request) {
	sum := sha256.Sum256(held.body.Bytes())
	// The tag is weak, because the same content may be sent compressed or not.
	tag := `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
	h := held.header
	switch {
	case held.incomplete.Load():
		h.Set("Cache-Control", "no-store")
	case partial(r):
		h.Set("Cache-Control", "private, no-cache")
	case h.Get("Cache-Control") == "":
		h.Set("Cache-Control", s.keepingOf(r)) // a cache may keep it but must ask: a new program may answer differently
	}
	if h.Get("Cache-Control") == "no-store" {
		return
	}
	h.Set("ETag", tag)
	if matches(r.Header.Get("If-None-Match"), tag) {
		h.Del("Content-Type")
		h.Del("Content-Length")
		held.body.Reset()
		held.status = http.StatusNotModified
	}
}

// A client has to read this many bytes per second, after a grace period of some seconds.
const (
	readSpeed = 128 << 10
	readStart = 10 * time.Second
)

// send writes an answer to the client.
func (s *Server) send(w http.ResponseWriter, r *http.Request, held *Response) {
	body := compressed(held, r)
	held.share.Set(int64(len(body)))
	until := time.Now().Add(readStart + time.Duration(len(body))*time.Second/readSpeed)
	held.share.Until(until)
	_ = http.NewResponseController(w).SetWriteDeadline(until) // a test's recorder has no deadline
	if held.status != http.StatusNotModified {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(held.status)
	if r.Method != http.MethodHead {
		n, _ := w.Write(body) // an error means that the client has left
		s.meter.sent.Add(int64(n))
	}
}

// matches compares If-None-Match with an entity tag, weakly.
func matches(header, tag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || strings.TrimPrefix(candidate, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// Response holds an answer in memory, up to a limit and while the client waits.
type Response struct {
	header http.Header
	ctx    context.Context
	share  *admission.Share
	most   int         // bytes
	report int64       // bytes of the report behind the answer, as claimed
	first  http.Header // the header before the handler
	status int
	wrote  bool
	err    error // why nothing more is written
	body   bytes.Buffer
	// incomplete is set if the answer lacks a part that may be there next time. No cache keeps such an answer.
	incomplete atomic.Bool
	// slow is set if the body of the request did not arrive in time. net/http then ends the request as if the client
	// had left.
	slow atomic.Bool
	// parts sends parts of an answer at once; nil: the answer is sent when it is complete. to is the client's writer.
	parts *Parts
	to    http.ResponseWriter
	meter *meter
}

// arriving is the body of a request.
type arriving struct {
	io.ReadCloser
	held *Response
}

// Read records whether the body arrived in time.
func (b arriving) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.held != nil && errors.Is(err, os.ErrDeadlineExceeded) {
		b.held.slow.Store(true)
	}
	return n, err
}

// noticed returns an error, and marks the answer as incomplete if the error is temporary, such as a full queue.
func noticed(ctx context.Context, err error) error {
	if held := ResponseOf(ctx); held != nil && err != nil && StatusOf(err) >= http.StatusInternalServerError {
		held.incomplete.Store(true)
	}
	return err
}

// Header returns the header of the answer.
func (h *Response) Header() http.Header { return h.header }

// WriteHeader sets the status. Only the first call counts.
func (h *Response) WriteHeader(status int) {
	if !h.wrote {
		h.status, h.wrote = status, true
	}
}

// copies is the number of copies of a large answer in memory while it is written: the buffer of a template or
// encoder, and the old and new storage of a growing body. Copies of a small answer are not worth counting.
const (
	copies      = 3
	smallAnswer = 4 << 20
)

// written returns the memory of an answer of this many bytes while it is written.
func written(bytes int64) int64 { return bytes + (copies-1)*max(0, bytes-smallAnswer) }

// Write fails if the answer exceeds its limit, or if the client no longer waits.
func (h *Response) Write(p []byte) (int, error) {
	if err := h.admit(len(p)); err != nil {
		return 0, err
	}
	return h.body.Write(p)
}

// WriteString writes a string without copying it.
func (h *Response) WriteString(text string) (int, error) {
	if err := h.admit(len(text)); err != nil {
		return 0, err
	}
	return h.body.WriteString(text)
}

// admit claims memory for this many more bytes.
func (h *Response) admit(bytes int) error {
	h.WriteHeader(http.StatusOK)
	if h.err == nil && h.body.Len()+bytes > h.most {
		h.err = fault.Errorf(fault.TooLarge, "error.answer-bytes", "most", h.most>>20)
	}
	if h.err == nil && h.ctx.Err() != nil {
		h.err = h.ctx.Err()
	}
	if h.err == nil {
		h.err = h.share.Grow(h.report + written(int64(max(h.body.Cap(), h.body.Len()+bytes))))
	}
	if h.err == nil {
		h.body.Grow(bytes) // exact, because most answers are written at once
	}
	return h.err
}

// claim waits for memory for a report of this many bytes, and for the answer made of it.
func (h *Response) claim(bytes int64) error {
	if more := 2*bytes - h.share.Bytes(); more > 0 {
		if err := noticed(h.ctx, h.share.Claim(h.ctx, more)); err != nil {
			return err
		}
	}
	h.report = max(h.report, bytes) // after a refusal the report is not in memory
	return nil
}

// Room claims memory for an answer of this many bytes with one copy, before the answer is made.
func (h *Response) Room(bytes int) error { return h.share.Grow(h.report + int64(bytes)) }

// Take answers with bytes that are already in memory.
func (h *Response) Take(body []byte) error {
	h.WriteHeader(http.StatusOK)
	h.most = max(h.most, len(body))
	if err := h.Room(cap(body)); err != nil {
		return err
	}
	h.body = *bytes.NewBuffer(body)
	return h.ctx.Err()
}

// Allow raises the size limit of an answer to this many bytes.
func (h *Response) Allow(bytes int) { h.most = bytes }

// reset discards the answer, so that an error can be answered instead, also after a timeout.
func (h *Response) reset() {
	h.ctx = context.WithoutCancel(h.ctx)
	clear(h.header)
	for key, values := range h.first {
		h.header[key] = values
	}
	h.status, h.wrote, h.err = http.StatusOK, false, nil
	h.body, h.report = bytes.Buffer{}, 0
	h.share.Set(0)
}

// statusDeparted is the status in the metrics for a request whose client has left. No answer is sent.
const statusDeparted = 499

// departed reports whether the client has left.
func departed(r *http.Request) bool {
	if held := ResponseOf(r.Context()); held != nil && held.slow.Load() {
		return false
	}
	return errors.Is(r.Context().Err(), context.Canceled) && !errors.Is(context.Cause(r.Context()), errStopping)
}
