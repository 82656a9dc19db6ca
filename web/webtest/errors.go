package webtest

import (
	"bytes"
	"context"
	"log/slog"
	"testing"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/web"
	"attnatlas/web/site"
)

// Failing returns a server whose engine runs a function first, and the log of the server.
func Failing(t *testing.T, before func(context.Context, engine.Request) error) (*site.Server, *bytes.Buffer) {
	t.Helper()
	return Spoilt(t, &FakeEngine{Before: before}, 0)
}

// Spoilt returns a server with a time limit for requests, and its log.
func Spoilt(t *testing.T, f *FakeEngine, timeout time.Duration) (*site.Server, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	s, err := web.New(site.Options{
		Inspector: f, Entries: attention.Catalog,
		Log: slog.New(slog.NewTextHandler(&log, nil)), Timeout: timeout,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, &log
}
