package publish

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestBuildEnds: when the context ends, nothing waits for what is being compressed, and the error says that it ended.
func TestBuildEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithTimeout(t.Context(), time.Second)
		defer end()
		began, never := time.Now(), make(chan struct{})
		_, err := leaving(ctx, func() ([]byte, error) { <-never; return nil, nil })
		close(never)
		if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took != time.Second {
			t.Errorf("%v after %v", err, took)
		}
	})
	ctx, end := context.WithCancel(t.Context())
	end()
	if _, err := BuildLive(ctx, "../.."); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
