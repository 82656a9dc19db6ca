package publish

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"attnatlas/web/live/lzma"
)

// TestBuildEnds: when the context ends, nothing waits for the compression, and the error is that of the context.
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

// TestPackedOnAnotherDay: the same bytes are compressed to the same bytes a day later, so that a release does not
// depend on its day.
func TestPackedOnAnotherDay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		data := []byte(strings.Repeat("The old cat sat on the mat. ", 500))
		pack := func() [2][]byte {
			zipped, err := packed(data)
			if err != nil {
				t.Fatal(err)
			}
			return [2][]byte{zipped, lzma.Compress(data)}
		}
		before := pack()
		time.Sleep(25 * time.Hour)
		for i, after := range pack() {
			if len(after) > len(data)/10 || !bytes.Equal(before[i], after) {
				t.Errorf("%d bytes, a day later %d others", len(before[i]), len(after))
			}
		}
	})
}
