package main

import (
	"context"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

func TestMain(m *testing.M) { browsertest.Main(m) }

const patience = time.Minute

func pages(t *testing.T) *httptest.Server {
	t.Helper()
	return browsertest.Server(t)
}

func browse(t *testing.T, path string) context.Context {
	t.Helper()
	return browsertest.Browse(t, path).Context
}

func visit(t *testing.T, ctx context.Context, address string) {
	t.Helper()
	browsertest.In(ctx, t).Visit(address)
}

func tab(t *testing.T) context.Context {
	t.Helper()
	return browsertest.Open(t).Context
}

func tabFor(t *testing.T, long time.Duration) context.Context {
	t.Helper()
	return browsertest.OpenFor(t, long).Context
}

func must(t testing.TB, err error) {
	t.Helper()
	browsertest.Must(t, err)
}

func ask[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	return browsertest.Ask[T](browsertest.In(ctx, t), expression)
}

func eventually(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	browsertest.In(ctx, t).Eventually(expression)
}

func becomes[T any](t *testing.T, ctx context.Context, expression string, want T) {
	t.Helper()
	browsertest.Becomes(browsertest.In(ctx, t), expression, want)
}

func comes(holds func() bool) bool { return browsertest.Comes(holds) }

func centre(t *testing.T, ctx context.Context, id string, row, col int) (x, y float64) {
	t.Helper()
	return browsertest.In(ctx, t).Cell(id, row, col)
}

func settled(t *testing.T, ctx context.Context) {
	t.Helper()
	browsertest.In(ctx, t).Settled()
}

func fits(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	browsertest.In(ctx, t).Fits(name)
}

func valuesOf(t *testing.T, server, id, name string) (values []float64, cols int) {
	t.Helper()
	return browsertest.Values(t, server, id, name)
}

func violations(t *testing.T, ctx context.Context, axe string) []string {
	t.Helper()
	return browsertest.In(ctx, t).Violations(axe)
}

func fetch(t *testing.T, address string) (status int, body string) {
	t.Helper()
	return browsertest.Fetch(t, address)
}

// TestPagesFit: no page is wider than its window.
func TestPagesFit(t *testing.T) {
	long := url.QueryEscape(strings.Repeat("the old man and the sea ", 10))
	ctx := tab(t)
	for name, path := range map[string]string{
		"light": "/?theme=light", "dark": "/?theme=dark&pin=9.4", "causal": "/?theme=dark&mask=causal",
		"long":    "/?theme=light&text=" + long,
		"refused": "/?theme=light&text=" + long + long, "hostile": "/?theme=light&text=" + url.QueryEscape(nasty),
		"about":   "/about?theme=light",
		"results": "/results?theme=light", "results-dark": "/results?theme=dark",
		"mechanism": "/m/fastformer?theme=light", "mechanism-dark": "/m/dot-product?theme=dark&layer=2&head=3",
		"mechanism-untrained": "/m/mixture-rdv?theme=light",
		"mechanism-hostile":   "/m/random?theme=dark&text=" + url.QueryEscape(nasty),
		"mechanism-refused":   "/m/fastformer?theme=light&mask=causal", "mechanisms": "/m?theme=dark",
		"masked": "/?theme=light&text=" + url.QueryEscape("The cat sat on the [MASK] and looked at the [MASK].") +
			"&was=mat&was=moon",
		"pair":    "/?theme=dark&text=" + url.QueryEscape("The cat sat on the mat. ||| It was tired."),
		"writing": "/m/encoder-decoder?theme=light&step=3",
	} {
		for _, width := range []int64{1440, 390} {
			must(t, chromedp.Do(ctx, chromedp.EmulateViewport(width, 900)))
			if width == 1440 {
				visit(t, ctx, pages(t).URL+path)
			}
			fits(t, ctx, name)
		}
	}
}

// nasty is a text that a page must escape.
const nasty = `<script>alert(1)</script> "quoted" & 'x' <img src=x onerror=alert(1)> القط 小猫 😀 </textarea>`
