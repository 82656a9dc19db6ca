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

// mostBytes bounds an answer, before it is compressed: of any route, unless it says that its own are larger.
const mostBytes = 8 << 20

// buffered holds every answer back until it is complete, so that a panic or an error half way leaves none that
// is half; then it compresses it, names it by its content, and leaves it out when the client has it already.
// What an answer takes counts in the budget until the client has read it, which it has to do at a
// certain speed.
func (s *Server) buffered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		s.meter.running.Add(1)
		defer s.meter.running.Add(-1)
		share := s.budget.Share()
		defer share.Set(0)
		held := &Response{header: w.Header(), ctx: r.Context(), share: share, most: mostBytes, first: w.Header().Clone(),
			status: http.StatusOK}
		r = r.WithContext(context.WithValue(r.Context(), heldKey{}, held))
		next.ServeHTTP(held, r)
		if held.err != nil {
			s.fail(held, r, held.err)
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

// varyInOneLine writes all names of Vary into one line: some caches look at the last line only (nginx before 1.23.0).
func varyInOneLine(h http.Header) {
	if names := h.Values("Vary"); len(names) > 0 {
		h.Set("Vary", strings.Join(names, ", "))
	}
}

// heldKey is under what a context has the answer that is being held.
type heldKey struct{}

// ResponseOf is the answer to a request, which the middleware holds.
func ResponseOf(ctx context.Context) *Response {
	held, _ := ctx.Value(heldKey{}).(*Response)
	return held
}

// complete names an answer by its content.
func (s *Server) complete(held *Response, r *http.Request) {
	sum := sha256.Sum256(held.body.Bytes())
	// Weak, because the same content may be sent compressed or not.
	tag := `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
	h := held.header
	switch {
	case held.incomplete.Load():
		h.Set("Cache-Control", "no-store")
	case partial(r):
		h.Set("Cache-Control", "private, no-cache")
	case h.Get("Cache-Control") == "":
		h.Set("Cache-Control", s.keepingOf(r)) // keep, but ask: a new binary may answer otherwise
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

// How fast a client has to read: so many bytes in a second, after some seconds.
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
	_ = http.NewResponseController(w).SetWriteDeadline(until) // of a test's recorder there is none
	if held.status != http.StatusNotModified {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(held.status)
	if r.Method != http.MethodHead {
		n, _ := w.Write(body) // whoever has left does not hear of it
		s.meter.sent.Add(int64(n))
	}
}

// matches implements If-None-Match with weak comparison.
func matches(header, tag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || strings.TrimPrefix(candidate, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// Response keeps an answer in memory, up to a bound and as long as somebody waits for it.
type Response struct {
	header http.Header
	ctx    context.Context
	share  *admission.Share
	most   int         // bytes
	report int64       // bytes of what the answer is made of, as claimed
	first  http.Header // the header before the handler
	status int
	wrote  bool
	err    error // why nothing more is written
	body   bytes.Buffer
	// incomplete says that something was left out which may be there next time. No cache keeps such an answer.
	incomplete atomic.Bool
	// slow says that the body of the request did not come in time. net/http then ends the request as if the client had
	// left.
	slow atomic.Bool
}

// arriving is the body of a request.
type arriving struct {
	io.ReadCloser
	held *Response
}

// Read remembers that a body did not come in time.
func (b arriving) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.held != nil && errors.Is(err, os.ErrDeadlineExceeded) {
		b.held.slow.Store(true)
	}
	return n, err
}

// noticed remembers that an error passes, such as that of a full queue: an answer that is made without what failed
// is incomplete. It returns the error.
func noticed(ctx context.Context, err error) error {
	if held := ResponseOf(ctx); held != nil && err != nil && StatusOf(err) >= http.StatusInternalServerError {
		held.incomplete.Store(true)
	}
	return err
}

// Header is that of the answer.
func (h *Response) Header() http.Header { return h.header }

// WriteHeader decides the status, once.
func (h *Response) WriteHeader(status int) {
	if !h.wrote {
		h.status, h.wrote = status, true
	}
}

// copies are how many of a large answer there are at a time while it is written: what a template or an encoder holds
// back, and the old and the new place of a body that grows. Those of a small one are not worth counting.
const (
	copies      = 3
	smallAnswer = 4 << 20
)

// written is what an answer of so many bytes takes while it is written.
func written(bytes int64) int64 { return bytes + (copies-1)*max(0, bytes-smallAnswer) }

// Write fails when the answer is longer than its bound, or nobody waits for it any more.
func (h *Response) Write(p []byte) (int, error) {
	if err := h.admit(len(p)); err != nil {
		return 0, err
	}
	return h.body.Write(p)
}

// WriteString is Write without a copy of the text.
func (h *Response) WriteString(text string) (int, error) {
	if err := h.admit(len(text)); err != nil {
		return 0, err
	}
	return h.body.WriteString(text)
}

// admit makes room for so many bytes more.
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
		h.body.Grow(bytes) // exactly, for the usual answer that is written at once
	}
	return h.err
}

// claim waits for room for a report of so many bytes, and for the answer that is made of it.
func (h *Response) claim(bytes int64) error {
	if more := 2*bytes - h.share.Bytes(); more > 0 {
		if err := noticed(h.ctx, h.share.Claim(h.ctx, more)); err != nil {
			return err
		}
	}
	h.report = max(h.report, bytes) // what was refused is not there
	return nil
}

// Room makes sure that an answer of so many bytes may be made, of which there is one copy, before it is.
func (h *Response) Room(bytes int) error { return h.share.Grow(h.report + int64(bytes)) }

// Take answers with what is in memory already.
func (h *Response) Take(body []byte) error {
	h.WriteHeader(http.StatusOK)
	h.most = max(h.most, len(body))
	if err := h.Room(cap(body)); err != nil {
		return err
	}
	h.body = *bytes.NewBuffer(body)
	return h.ctx.Err()
}

// Allow lets an answer have so many bytes.
func (h *Response) Allow(bytes int) { h.most = bytes }

// reset forgets what was answered: an error is to be answered instead, also that it took too long.
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

// statusDeparted is what the measurements call a request whose client has left: nothing is answered.
const statusDeparted = 499

// departed says whether the client has left.
func departed(r *http.Request) bool {
	if held := ResponseOf(r.Context()); held != nil && held.slow.Load() {
		return false
	}
	return errors.Is(r.Context().Err(), context.Canceled) && !errors.Is(context.Cause(r.Context()), errStopping)
}
