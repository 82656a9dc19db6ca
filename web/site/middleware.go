package site

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/web/admission"

	"github.com/go-chi/chi/v5"
)

// Policy is the Content-Security-Policy. It allows nothing inline and nothing from other sites, so that a text that
// was not escaped could not run, and no page can send data elsewhere.
const Policy = bare + "frame-ancestors 'none'"

// bare is the part of the policy that holds in frames, too.
const bare = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
	"font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; "

// recovered answers a panic like any unforeseen error.
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
			s.fail(w, r, Panicked(p))
		}()
		next.ServeHTTP(w, r)
	})
}

// Panicked returns the error of a panic, with its location in the code. An error for the user, such as a font that
// could not be fetched, is returned unchanged.
func Panicked(cause any) error {
	if err, ok := cause.(*fault.Error); ok {
		return err
	}
	return fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
}

// readOnly allows GET and HEAD for all pages, and POST only for pages that change something.
func (s *Server) readOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead && !acts(r) {
			s.fail(w, r, &StatusError{Status: http.StatusMethodNotAllowed, Msg: messages.New("error.method")})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// acts reports whether a request asks a page to change something.
func acts(r *http.Request) bool {
	return r.Method == http.MethodPost && chi.RouteContext(r.Context()).Routes.Match(chi.NewRouteContext(),
		http.MethodPost, pathOf(r))
}

// deadline limits the time of a request, counted from now.
func deadline(d time.Duration) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(admission.Arriving(r.Context()), d)
			defer cancel()
			if held := ResponseOf(ctx); held != nil {
				held.ctx = ctx
			}
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}
}

// readPatience reads how long the client is willing to wait for its turn in the queue of long computations, in whole
// seconds: Prefer: wait=2 (RFC 7240).
func readPatience(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wait, found := strings.CutPrefix(r.Header.Get("Prefer"), "wait=")
		if n, err := strconv.ParseUint(wait, 10, 16); found && err == nil {
			r = r.WithContext(admission.WithPatience(r.Context(), time.Duration(n)*time.Second))
		}
		next.ServeHTTP(w, r)
	})
}

// numberKey is the context key of a request's number.
type numberKey struct{}

// numberRequests gives each request a number of our own, whatever id the client sends. The log uses it to tell
// requests apart, also those of other processes.
func numberRequests() func(http.Handler) http.Handler {
	process, count := rand.Uint32(), new(atomic.Uint64)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			number := fmt.Sprintf("%08x-%06d", process, count.Add(1))
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), numberKey{}, number)))
		})
	}
}

// numberOf returns the number of a request.
func numberOf(ctx context.Context) string {
	number, _ := ctx.Value(numberKey{}).(string)
	return number
}

// boundBody limits the body of a request.
func (s *Server) boundBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		most := int64(maxBody)
		if slices.ContainsFunc(s.pages, func(p Page) bool {
			return p.Data != nil && p.Data.Asks != nil &&
				APIPath(p.Data.ID) == pathOf(r)
		}) {
			most = MostAsked
		}
		r.Body = arriving{http.MaxBytesReader(w, r.Body, most), ResponseOf(r.Context())}
		next.ServeHTTP(w, r)
	})
}

// headAsGet sends HEAD to the route of GET if there is no route for HEAD.
func headAsGet(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if at := chi.RouteContext(r.Context()); r.Method == http.MethodHead &&
			!at.Routes.Match(chi.NewRouteContext(), http.MethodHead, pathOf(r)) {
			at.RouteMethod = http.MethodGet
		}
		next.ServeHTTP(w, r)
	})
}

// pathOf returns the path that routes a request.
func pathOf(r *http.Request) string {
	return cmp.Or(chi.RouteContext(r.Context()).RoutePath, r.URL.RawPath, r.URL.Path)
}
