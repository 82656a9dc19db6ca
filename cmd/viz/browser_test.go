package main

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"attnatlas/web/browsertest"
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

func violations(t *testing.T, ctx context.Context) []string {
	t.Helper()
	return browsertest.In(ctx, t).Violations()
}

func fetch(t *testing.T, address string) (status int, body string) {
	t.Helper()
	return browsertest.Fetch(t, address)
}

// nasty is a text that a page must escape.
const nasty = `<script>alert(1)</script> "quoted" & 'x' <img src=x onerror=alert(1)> القط 小猫 😀 </textarea>`
