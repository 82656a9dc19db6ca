package atlas_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"log/slog"
	"math"
	"net/http/httptest"
	"strings"
	"testing"

	"attnatlas/web/atlas"
	"attnatlas/web/site"
	"attnatlas/web/wall"
)

// TestAttention: programs get all weights, or the largest with the sum of the others, as JSON or as arrays.
func TestAttention(t *testing.T) {
	s, err := atlas.New(nil, site.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(body string) *httptest.ResponseRecorder {
		r, w := httptest.NewRequest("POST", "http://localhost"+site.APIPath("attention"),
			strings.NewReader(body)), httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	read := func(body string) (a wall.Attention) {
		w := ask(body)
		if err := json.Unmarshal(w.Body.Bytes(), &a); w.Code != 200 || err != nil {
			t.Fatalf("%s: %d, %v: %.300s", body, w.Code, err, w.Body)
		}
		return a
	}
	all := read(`{"model": "dot-product", "text": "the old cat sat on the mat"}`)
	top := read(`{"model": "dot-product", "text": "the old cat sat on the mat", "layers": [2], "heads": [3, 1], "rows": [4], "top": 2}`)
	n := len(all.Tokens)
	if len(all.Layers) < 2 || len(top.Layers) != 1 || len(top.Layers[0].Weights) != 4 {
		t.Fatalf("%d layers, and %+v", len(all.Layers), top)
	}
	for i, head := range []int{3, 1} {
		row, of := all.Layers[1].Weights[((head-1)*n+3)*n:][:n], top.Layers[0]
		sum := float64(of.Rest[i])
		for k := range 2 {
			if weight := of.Weights[2*i+k]; weight != row[of.Keys[2*i+k]-1] {
				t.Errorf("head %d: weight %d is %g", head, k, weight)
			}
			sum += float64(of.Weights[2*i+k])
		}
		for j, x := range row {
			if x > of.Weights[2*i+1] && j+1 != of.Keys[2*i] {
				t.Errorf("head %d: weight %g of token %d is not among the largest", head, x, j+1)
			}
		}
		if math.Abs(sum-1) > 1e-5 {
			t.Errorf("head %d: the row has the sum %g", head, sum)
		}
	}
	file := ask(`{"model": "dot-product", "text": "the old cat", "layers": [1], "format": "npz", "half": true}`).Body.Bytes()
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil || len(z.File) != 1 || z.File[0].Name != "layer1.npy" ||
		z.File[0].UncompressedSize64 != uint64(128+2*len(all.Layers[0].Weights)*25/n/n) {
		t.Errorf("the file has %+v, %v", z, err)
	}
	for body, status := range map[string]int{
		``: 400, `{}`: 400, `{"model": "dot-product"}`: 400, `{"model": "nonsense", "text": "a"}`: 404,
		`{"model": "dot-product", "text": "a", "layers": [9]}`: 400,
		`{"model": "dot-product", "text": "a", "heads": [0]}`:  400, `{"model": "dot-product", "text": "a", "top": -1}`: 400,
		`{"model": "linformer", "text": "a"}`:                                    422,
		`{"model": "dot-product", "text": "` + strings.Repeat("a", 1<<17) + `"}`: 413, `{"model": "dot-product", "text": "` +
			strings.Repeat("a", 1<<21) + `"}`: 413,
		`{"model": "dot-product", "text": "a", "wrong": 1}`:        400,
		`{"model": "dot-product", "text": "a", "rows": [1,1,1,1]}`: 400,
	} {
		if w := ask(body); w.Code != status {
			t.Errorf("%.80s: %d, wanted %d: %.200s", body, w.Code, status, w.Body)
		}
	}
}
