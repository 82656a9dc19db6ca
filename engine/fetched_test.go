package engine_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/fetched"
)

// unreachable is a folder whose files are known, but cannot be fetched while down is true.
type unreachable struct {
	files fstest.MapFS
	down  *bool
}

// Open opens a file.
func (u unreachable) Open(name string) (fs.File, error) {
	f, err := u.files.Open(name)
	if err == nil && *u.down {
		f = silent{f}
	}
	return f, err
}

// silent is a file that cannot be read.
type silent struct{ fs.File }

// Read returns the error of package fetched.
func (silent) Read([]byte) (int, error) {
	return 0, fmt.Errorf("%w: %w", fetched.ErrUnreachable, errors.New("offline"))
}

// TestUnreachableModel: a model that cannot be fetched is not reported as missing, and is read later.
func TestUnreachableModel(t *testing.T) {
	down := true
	e := engine.NewIn(unreachable{fstest.MapFS{"dense.safetensors": {Data: file(t, stackConfig(t, "dense"))}}, &down})
	ask := func() error {
		report, err := e.Inspect(t.Context(), engine.Request{Text: "a cat", Mechanisms: []string{"dense"}})
		if err != nil {
			t.Fatal(err)
		}
		return report.Mechanisms[0].Err
	}
	if err := ask(); fault.KindOf(err) != fault.Busy || !strings.Contains(err.Error(), "network") {
		t.Errorf("the error of a model that cannot be fetched is %v, of kind %v", err, fault.KindOf(err))
	}
	down = false
	if err := ask(); err != nil {
		t.Errorf("when the model can be fetched again, the error is %v", err)
	}
}
