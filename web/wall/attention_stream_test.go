package wall_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/web/site"
	"attnatlas/web/wall"
	"attnatlas/web/webtest"
)

// pausing is an engine whose pass waits behind its first layer, and fails behind its second.
type pausing struct {
	*engine.Engine
	resume chan struct{}
}

// Attend waits behind the first layer.
func (p pausing) Attend(ctx context.Context, in engine.AttendInput, to engine.AttendOutput) error {
	layer := to.Layer
	to.Layer = func(l engine.AttendedLayer) error {
		if err := layer(l); err != nil {
			return err
		}
		if l.Number == 2 {
			return fault.Errorf(fault.Busy, "error.busy")
		}
		select {
		case <-p.resume:
		case <-time.After(10 * time.Second):
			return fault.Errorf(fault.Internal, "error.internal")
		}
		return nil
	}
	return p.Engine.Attend(ctx, in, to)
}

// TestAttentionStreams: a client has a layer before the next one is computed. An error after the first line is the last
// line.
func TestAttentionStreams(t *testing.T) {
	pass := pausing{shippedEngine(), make(chan struct{})}
	s := webtest.ServerWith(t, &webtest.FakeEngine{}, func(o *site.Options) { o.Inspector = pass })
	listening := httptest.NewServer(s)
	defer listening.Close()
	const question = `{"model": "dot-product", "text": "the old cat", "rows": [2], "top": 2`
	r, err := http.Post(listening.URL+site.APIPath("attention"), "application/json",
		strings.NewReader(question+`, "stream": true}`))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	lines := bufio.NewReader(r.Body)
	next := func(to any) {
		t.Helper()
		line, err := lines.ReadBytes('\n')
		if err == nil {
			err = json.Unmarshal(line, to)
		}
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	var whole, streamed wall.Attention
	var problem struct {
		Status int
		Detail string
	}
	next(&streamed)
	streamed.Layers = make([]wall.AttentionLayer, 2)
	next(&streamed.Layers[0]) // the second is computed when this line has arrived
	close(pass.resume)
	next(&streamed.Layers[1])
	next(&problem)
	if rest, err := io.ReadAll(lines); r.Header.Get("Content-Type") != site.Lines || problem.Status != 503 ||
		problem.Detail == "" || len(rest) > 0 || err != nil {
		t.Errorf("%v ends with %+v, then %q, %v", r.Header, problem, rest, err)
	}
	ask := httptest.NewRequest("POST", "http://localhost"+site.APIPath("attention"), strings.NewReader(question+"}"))
	answer := webtest.Record(realServer(t), ask).Body.Bytes()
	if err := json.Unmarshal(answer, &whole); err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(whole)
	b, _ := json.Marshal(streamed)
	if string(a) != string(b) {
		t.Errorf("at once: %s\nin lines: %s", a, b)
	}
}
