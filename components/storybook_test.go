package components

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"attnatlas/engine/figure"
	"attnatlas/engine/trace"
	"attnatlas/static"
)

// csp is what the real server sends; see package web.
const csp = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// TestStorybook serves the fixtures for looking at them:
//
//	STORYBOOK=localhost:8090 go test ./components -run Storybook -timeout 0
func TestStorybook(t *testing.T) {
	addr := os.Getenv("STORYBOOK")
	if addr == "" {
		t.Skip("set STORYBOOK to an address to serve the fixtures")
	}
	t.Fatal(http.ListenAndServe(addr, storybook()))
}

func storybook() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET "+static.Root, static.Handler())
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		policy := csp
		if r.URL.Query().Has("nojs") {
			policy = strings.Replace(csp, "script-src 'self'", "script-src 'none'", 1)
		}
		page(w, 200, policy)
		WallPage(newFixture(r.URL.Query()).wall()).Render(r.Context(), w)
	})
	mux.HandleFunc("GET /about", func(w http.ResponseWriter, r *http.Request) {
		page(w, 200, csp)
		AboutPage(aboutFixture()).Render(r.Context(), w)
	})
	mux.HandleFunc("GET /api/v1/attend", attendFixture)
	mux.HandleFunc("GET /export/{file}", func(w http.ResponseWriter, r *http.Request) {
		f := newFixture(r.URL.Query())
		m := f.weights(strings.TrimSuffix(r.PathValue("file"), ".png"))
		switch f.query.Get("map") {
		case "alpha":
			m = f.strip(3)
		case "beta":
			m = f.strip(5)
		}
		theme, _ := figure.ParseTheme(f.query.Get("theme"))
		figure.Bare(w, figure.Spec{Map: m, Norm: f.norm(), SharedMax: 1, Palette: f.palette(), Theme: theme})
	})
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		page(w, 404, csp)
		FailurePage(failureFixture()).Render(r.Context(), w)
	})
	return mux
}

func page(w http.ResponseWriter, status int, policy string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", policy)
	w.WriteHeader(status)
}

func attendFixture(w http.ResponseWriter, r *http.Request) {
	f := newFixture(r.URL.Query())
	type object = map[string]any
	var mechanisms []object
	for _, id := range f.mechanisms {
		c := f.card(id)
		if c.Error != "" {
			mechanisms = append(mechanisms, object{"id": id, "error": c.Error})
			continue
		}
		maps := []object{asJSON(f.weights(id))}
		if id == "fastformer" {
			maps = append(maps, asJSON(f.strip(3)), asJSON(f.strip(5)))
		}
		mechanisms = append(mechanisms, object{"id": id, "layers": []object{{"layer": 2, "maps": maps}}})
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(object{"version": 1, "mechanisms": mechanisms})
}

func asJSON(m trace.Map) map[string]any {
	out := map[string]any{"name": m.Name, "kind": m.Kind.String(), "axes": m.Roles(), "shape": m.Value.Shape, "values": m.Value.Data}
	if m.Reach != nil {
		var reach strings.Builder
		for q := range m.Value.Dim(0) {
			for k := range m.Value.Dim(1) {
				reach.WriteByte("01"[map[bool]int{true: 1}[m.Reach(q, k)]])
			}
		}
		out["reach"] = reach.String()
	}
	return out
}

func aboutFixture() About {
	return About{Page: Page{Title: "About", Section: "about"},
		Models: []ModelRow{{ID: "dense", Name: "Dense", Layers: 2, Heads: 4, Width: 128, Length: 64, Params: 1204816, Steps: 4000,
			Tokens: 12_000_000, Loss: 3.21, Scores: []Fact{{Label: "topic", Value: "0.91"}, {Label: "feeling", Value: "0.74"}}, Minutes: 21, Commit: "abc", Source: "Tay et al. 2021"}},
		Data: []DataRow{{"Children’s stories", "public domain", "https://example.org/"}}}
}

func failureFixture() Failure {
	return Failure{Page: Page{Title: "Not found"}, Status: 404, Title: "There is no such page", Detail: "The address may have been shortened on its way to you."}
}
