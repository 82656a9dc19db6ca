package webtest

import (
	"encoding/json"
	"net/http"
	"testing"

	"attnatlas/web/api"
)

// Drawing requests and decodes the maps that a page draws.
func Drawing(t *testing.T, s http.Handler, query string) api.Drawing {
	t.Helper()
	w := Get(s, "/api/v1/drawing?"+query)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", query, w.Code, w.Body)
	}
	var d api.Drawing
	if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return d
}
