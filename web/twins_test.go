package web_test

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/explain"
	"attnatlas/engine/fault"
	"attnatlas/engine/unroll"
	"attnatlas/web"
	"attnatlas/web/address"
	"attnatlas/web/site"
	"attnatlas/web/webtest"
)

// asked is an engine that records the text of the first request. It unrolls no model.
type asked struct {
	webtest.FakeEngine
	mu   sync.Mutex
	text string
}

func (a *asked) about(text string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.text = cmp.Or(a.text, text)
	return webtest.Refused(fault.Unsupported, "not here")
}

func (a *asked) Inspect(ctx context.Context, r engine.Request) (*engine.Report, error) {
	_ = a.about(r.Text)
	return a.FakeEngine.Inspect(ctx, r)
}

func (a *asked) Explain(_ context.Context, q explain.Question) (*explain.Explanation, error) {
	return nil, a.about(q.Text)
}

func (a *asked) Steps(_ context.Context, q explain.StepsRequest) (*explain.Steps, error) {
	return nil, a.about(q.Text)
}

func (a *asked) Hashing(_ context.Context, q unroll.HashingRequest) (*unroll.Hashing, error) {
	return nil, a.about(q.Text)
}

func (a *asked) Reversing(_ context.Context, r engine.Request, _ int) (*unroll.Reversing, error) {
	return nil, a.about(r.Text)
}

// textOf returns the text that a new server requests from its engine for an address.
func textOf(t *testing.T, address string) string {
	t.Helper()
	e := &asked{}
	s, err := web.New(site.Options{Inspector: e, Entries: attention.Catalog, Stacks: encoder.Stacks,
		Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	webtest.Get(s, address)
	return e.text
}

// TestNumbersBesideAPageAreOfItsText: a page and the JSON next to it request the same text, also if the address has
// none and the mechanism has its own default text.
func TestNumbersBesideAPageAreOfItsText(t *testing.T) {
	compared := 0
	for _, p := range webtest.NewServer(t, &webtest.FakeEngine{}).Pages() {
		if p.Path == "" || p.Data == nil || !slices.Contains(p.Data.Takes.State, address.Text) {
			continue
		}
		in := strings.NewReplacer("{mechanism}", "encoder-decoder", "{take}", "dense").Replace
		for _, query := range []string{"", "?m=encoder-decoder", "?m=reformer"} {
			page, numbers := textOf(t, in(p.Path)+query), textOf(t, in(p.Data.Beside)+query)
			if page != numbers {
				t.Errorf("%s%s is of %q, and %s of %q", p.Path, query, page, p.Data.Beside, numbers)
			}
			if page != "" {
				compared++
			}
		}
	}
	if compared < 20 {
		t.Errorf("only %d pages were compared", compared)
	}
}
