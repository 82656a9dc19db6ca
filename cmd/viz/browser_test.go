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

func settled(t *testing.T, ctx context.Context) {
	t.Helper()
	browsertest.In(ctx, t).Settled()
}

func fetch(t *testing.T, address string) (status int, body string) {
	t.Helper()
	return browsertest.Fetch(t, address)
}
