package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"attnatlas/engine/messages"
)

// policy is the Content-Security-Policy. Nothing inline, nothing from elsewhere:
// a text that slipped through unescaped could not run, and no page can call home.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
	"font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// secure sets the headers that every answer has, also the errors.
func secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer") // a URL holds the visitor's text
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		next.ServeHTTP(w, r)
	})
}

// recovered turns a panic into the same answer as any unforeseen error.
func (s *Server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) { // net/http's own signal
				panic(p)
			}
			s.fail(w, r, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}()
		next.ServeHTTP(w, r)
	})
}

// readOnly refuses every method but GET and HEAD: all pages only show.
func (s *Server) readOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			s.fail(w, r, &statusError{http.StatusMethodNotAllowed, messages.New("error.method")})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// deadline bounds the work for one request.
func deadline(d time.Duration) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), d)
			defer cancel()
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}
}

// conditional holds an answer back until it is complete, names it by its
// content and leaves it out when the client has it already. Holding it back
// also means that a panic half way through cannot leave half an answer.
func conditional(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		held := &heldResponse{header: w.Header(), status: http.StatusOK}
		next.ServeHTTP(held, r)
		if held.status != http.StatusOK {
			w.WriteHeader(held.status)
			w.Write(held.body.Bytes())
			return
		}
		sum := sha256.Sum256(held.body.Bytes())
		// Weak, because the same content may be sent compressed or not.
		tag := `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
		h := w.Header()
		h.Set("ETag", tag)
		if h.Get("Cache-Control") == "" {
			h.Set("Cache-Control", "no-cache") // keep, but ask: a new binary may answer otherwise
		}
		if matches(r.Header.Get("If-None-Match"), tag) {
			h.Del("Content-Type")
			w.WriteHeader(http.StatusNotModified)
			return
		}
		h.Set("Content-Length", strconv.Itoa(held.body.Len()))
		w.WriteHeader(http.StatusOK)
		w.Write(held.body.Bytes())
	})
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

// heldResponse keeps an answer in memory.
type heldResponse struct {
	header http.Header
	status int
	wrote  bool
	body   bytes.Buffer
}

func (h *heldResponse) Header() http.Header { return h.header }

func (h *heldResponse) WriteHeader(status int) {
	if !h.wrote {
		h.status, h.wrote = status, true
	}
}

func (h *heldResponse) Write(p []byte) (int, error) {
	h.wrote = true
	h.body.Grow(len(p)) // exactly, for the usual answer that is written at once
	return h.body.Write(p)
}
