package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"attnatlas/web/api"
	"attnatlas/web/browsertest"
)

const crowd = 10 // visitors at once

// TestSoakInfluence: ten visitors at once request the influence of every mechanism on different texts of 64 tokens,
// while one visitor opens walls: make soak. It prints the waiting times. Refused requests get the time of a retry,
// and the retry is answered.
func TestSoakInfluence(t *testing.T) {
	if os.Getenv("VIZ_SOAK") == "" {
		t.Skip("SKIPPED, NOT CHECKED: VIZ_SOAK, such as 10m, says how long visitors use the server (make soak)")
	}
	bin := filepath.Join(t.TempDir(), "viz")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	s := startSoaked(t, bin)
	defer s.stop(t)
	random := rand.New(rand.NewPCG(3, 4))
	t.Logf("walls alone: %s", s.walls(t, random, func(n int) bool { return n < 100 }))
	first := s.influence(t, browsertest.Words(random, 62))
	t.Logf("influence of all, alone: %s", first)

	var all sync.WaitGroup
	for i := range crowd {
		text := browsertest.Words(random, 62)
		all.Go(func() { t.Logf("influence of all, visitor %d of %d: %s", i+1, crowd, s.influence(t, text)) })
	}
	ctx, done := context.WithCancel(t.Context())
	go func() { all.Wait(); done() }()
	t.Logf("walls beside: %s", s.walls(t, random, func(int) bool { return ctx.Err() == nil }))
}

// walls opens walls of new texts one after the other while more returns true, and returns a summary of the times.
func (s *soaked) walls(t *testing.T, random *rand.Rand, more func(n int) bool) string {
	var took []time.Duration
	for more(len(took)) {
		began := time.Now()
		code, _, _ := answered(t, s.page+"/?text="+url.QueryEscape(browsertest.Words(random, 17)))
		if code != http.StatusOK {
			t.Errorf("a wall is answered with %d", code)
		}
		took = append(took, time.Since(began))
		time.Sleep(20 * time.Millisecond)
	}
	slices.Sort(took)
	at := func(p int) time.Duration { return took[(len(took)-1)*p/100].Round(time.Millisecond) }
	return fmt.Sprintf("%d, p50 %v, p95 %v, longest %v", len(took), at(50), at(95), at(100))
}

// influence requests the influence of every mechanism on a text, and retries the deferred mechanisms when told to.
func (s *soaked) influence(t *testing.T, text string) string {
	began := time.Now()
	var said strings.Builder
	for rest := browsertest.Shipped(); len(rest) > 0; {
		code, body, after := answered(t, s.page+"/api/v1/attend?show=influence&m="+strings.Join(rest, ",")+"&text="+
			url.QueryEscape(text))
		all := len(rest)
		switch {
		case code == http.StatusOK:
			rest, after = unanswered(t, body)
		case code != http.StatusServiceUnavailable || after <= 0:
			t.Errorf("influence is answered with %d", code)
			rest = nil
		}
		fmt.Fprintf(&said, "%d of %d after %v; ", all-len(rest), all, time.Since(began).Round(time.Millisecond))
		time.Sleep(after)
	}
	return said.String()
}

// unanswered returns the deferred mechanisms of an answer, and when to retry.
func unanswered(t *testing.T, body []byte) (rest []string, after time.Duration) {
	var report api.Attend
	if err := json.Unmarshal(body, &report); err != nil {
		t.Error(err)
	}
	for _, m := range report.Mechanisms {
		if m.RetryAfter > 0 {
			rest, after = append(rest, m.ID), max(after, time.Duration(m.RetryAfter)*time.Second)
		}
	}
	return rest, after
}

// answered reads an answer, and the time until a retry.
func answered(t *testing.T, target string) (code int, body []byte, after time.Duration) {
	answer, err := http.Get(target)
	if err != nil {
		t.Error(err)
		return 0, nil, 0
	}
	defer answer.Body.Close()
	if body, err = io.ReadAll(answer.Body); err != nil {
		t.Error(err)
	}
	seconds, _ := strconv.Atoi(strings.TrimSpace(answer.Header.Get("Retry-After")))
	return answer.StatusCode, body, time.Duration(seconds) * time.Second
}
