package webtest

import (
	"encoding/json"
	"net/http"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/nn"
)

// AttendAnswer is a client's view of an answer. It does not use our types.
type AttendAnswer struct {
	Version int
	Text    string
	Tokens  []struct {
		Piece, Text, Label string
		Start, End         int
		Special            bool
	}
	Mechanisms []struct {
		ID, Task, Error, Written string
		Heads                    int
		Maps                     []attendedMap
		Charges                  []struct {
			Name  string
			Value float64
		}
		Layers []struct {
			Layer int
			Name  string
			Head  int
			Maps  []attendedMap
		}
	}
}

type attendedMap struct {
	Name, Kind, Reach string
	Axes              []string
	Shape             []int
	Labels            [][]string
	Values            []json.RawMessage
}

// Attend requests and decodes an answer of /api/v1/attend.
func Attend(t *testing.T, s http.Handler, query string) AttendAnswer {
	t.Helper()
	w := Get(s, "/api/v1/attend?"+query)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", query, w.Code, w.Body)
	}
	var a AttendAnswer
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return a
}

// FakeReport returns the report of a FakeEngine.
func FakeReport(t *testing.T, text string, mask nn.MaskKind, ids ...string) *engine.Report {
	t.Helper()
	r, err := (&FakeEngine{}).Inspect(t.Context(), engine.Request{Text: text, Mechanisms: ids, Mask: mask})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
