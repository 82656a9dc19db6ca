package site

import (
	"net/http"
	"strings"
	"time"

	"attnatlas/engine/messages"
	"attnatlas/web/admission"
)

// CachedInspector is exported for the tests.
type CachedInspector = cachedInspector

// Kept returns the number of recent reports.
func (c *CachedInspector) Kept() int { return len(c.recent.list) }

const (
	Forever     = forever
	LeastPacked = leastPacked
)

var (
	NewCachedInspector = newCachedInspector
	Weigh              = weigh
	Distance           = distance
)

func (s *Server) SetBudget(b *admission.Budget)           { s.budget = b }
func (s *Server) SetEnd(finish, refuse time.Duration)     { s.finish, s.refuse = finish, refuse }
func (s *Server) Stop()                                   { s.stopping.Store(true) }
func (s *Server) SetBuild(name string)                    { s.build = name }
func (s *Server) Keeping() string                         { return s.keeping }
func (s *Server) Buffered(next http.Handler) http.Handler { return s.buffered(next) }

// LinkTerms returns the output of linkTerms.
func LinkTerms(l *messages.Language, page, to string) string {
	var b strings.Builder
	_ = linkTerms(&b, l, page, to)
	return b.String()
}
