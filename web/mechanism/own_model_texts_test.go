package mechanism_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/web/api"
	"attnatlas/web/mechanism"
	"attnatlas/web/site"
	"attnatlas/web/webtest"
)

// ownServer returns a server with a visitor's own models, whose information change modifies.
func ownServer(t *testing.T, change func(*engine.ModelInfo)) *site.Server {
	t.Helper()
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	s.Own = true
	s.Info = func(id string) (*engine.ModelInfo, error) {
		m := webtest.FakeInfo(id)
		if _, stack, _ := engine.Find(id); stack != nil {
			m.Mechanism, m.Stack = "dot-product", stack.ID
		}
		change(m)
		return m, nil
	}
	return s
}

// TestOwnModelsAreNotTheShippedOnes: pages and cards state the differences of the visitor's model,
// name the model of other statements, and show the formula of its norm.
func TestOwnModelsAreNotTheShippedOnes(t *testing.T) {
	s := ownServer(t, func(m *engine.ModelInfo) { m.Norm, m.Positions = "post", "learned" })
	const encoderHas = "norm = post"
	for path, want := range map[string][]string{
		"/m/encoder": {"Your model has " + encoderHas +
			". The differences and the explanation below describe the bundled model.",
			"This list describes the bundled model; your model has " + encoderHas,
			"x←LN(x+Mix(x))", "(for your model, with"},
		"/m/gpt2":            {"softmax(Ex)", "norm = post. The differences"},
		"/m/encoder-decoder": {"your model has width = 128, norm = post", "y←LN(y+AVWOT)", "Your model uses the defaults"},
		"/m/dense":           {"Your model has norm = post. The differences"},
		"/?m=dense,encoder":  {"Your model has norm = post.", "Your model has " + encoderHas + ".", "x←LN(x+Mix(x))"},
		"/about":             {"the models are your own", "These are your own models"},
	} {
		page := strings.ReplaceAll(webtest.PlainText(webtest.Parse(t, webtest.Get(s, path))), "\u2061",
			"") // functions are applied
		for _, w := range want {
			if !strings.Contains(page, webtest.Spelled(w)) {
				t.Errorf("%s does not say %q", path, w)
			}
		}
		if strings.Contains(page, webtest.Spelled("for the bundled model, with")) ||
			strings.Contains(page, webtest.Spelled("for a model like the bundled")) ||
			strings.Contains(page, webtest.Spelled("with the same budget")) {
			t.Errorf("%s takes the model for a shipped one", path)
		}
	}
	var list mechanism.Mechanisms
	if err := json.Unmarshal(webtest.Get(s, "/api/v1/mechanisms").Body.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	for _, m := range list.Mechanisms {
		if m.Model.Norm != "post" || m.Model.Positions != "learned" || m.ID == "encoder" &&
			!strings.Contains(m.Formula, "LN(x + Mix(x))") {
			t.Errorf("%s: %+v, %s", m.ID, m.Model, m.Formula)
		}
	}
	shipped := webtest.NewServer(t, &webtest.FakeEngine{})
	shipped.Info = s.Info
	for _, path := range []string{"/m/encoder", "/?m=dense", "/about", "/m/encoder-decoder"} {
		if page := webtest.PlainText(webtest.Parse(t, webtest.Get(shipped, path))); strings.Contains(page,
			webtest.Spelled("our model")) || strings.Contains(page, webtest.Spelled("your own mod")) {
			t.Errorf("%s calls a shipped model the visitor's", path)
		}
	}
}

// TestFixedDepth: if no token halts, every step is taken.
func TestFixedDepth(t *testing.T) {
	for halting, want := range map[string]string{"none": "the same layer, 2 times",
		"accumulated": "the same layer, up to 2 times"} {
		s := ownServer(t, func(m *engine.ModelInfo) { m.Options = map[string]string{"halting": halting} })
		page := webtest.PlainText(webtest.Parse(t, webtest.Get(s, "/m/universal")))
		if !strings.Contains(page, webtest.Spelled(want)) ||
			strings.Contains(page, webtest.Spelled("each word decides how many times")) != (halting != "none") {
			t.Errorf("halting = %s: %q is not on the page", halting, want)
		}
	}
}

// TestOwnModelOfTheUsualForm: a model with the default options still has other weights.
func TestOwnModelOfTheUsualForm(t *testing.T) {
	page := webtest.PlainText(webtest.Parse(t, webtest.Get(ownServer(t, func(*engine.ModelInfo) {}), "/m/dense")))
	for _, w := range []string{"your own model. The differences and the explanation below",
		"describes the bundled model; your model has the same structure"} {
		if !strings.Contains(page, webtest.Spelled(w)) {
			t.Errorf("no %q", w)
		}
	}
}

// TestUnreadableModelSaysWhy: an unreadable model counts neither as missing nor as an internal
// error.
func TestUnreadableModelSaysWhy(t *testing.T) {
	wrong := webtest.Refused(fault.Unsupported, "Your model dense.safetensors cannot be opened: a cause.")
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: func(r *engine.Report) {
		for i := range r.Mechanisms {
			if m := &r.Mechanisms[i]; m.ID == "dense" {
				m.Model, m.Layers, m.Err = nil, nil, wrong
			}
		}
	}})
	s.Own = true
	s.Info = func(id string) (*engine.ModelInfo, error) {
		if id == "dense" {
			return nil, wrong
		}
		return webtest.FakeInfo(id), nil
	}
	for path, status := range map[string]int{"/m/dense": 200, "/?m=dense,random": 200, "/?m=dense": 422} {
		w := webtest.Get(s, path)
		if body := w.Body.String(); w.Code != status || !strings.Contains(body, wrong.Msg.String()) ||
			strings.Contains(body, "no trained model") {
			t.Errorf("%s: status %d", path, w.Code)
		}
	}
}

// TestFormulasOfOwnOptions: if options change the computation without a known formula, the page
// states that the formula is the bundled model's.
func TestFormulasOfOwnOptions(t *testing.T) {
	s := ownServer(t, func(m *engine.ModelInfo) {
		if m.Stack == "" {
			m.MixerOptions = map[string]string{"value": "own", "mix": "outputs"}
		}
	})
	for path, want := range map[string]bool{"/m/fastformer": true, "/?m=fastformer": true, "/m/mixture-rv": false,
		"/?m=mixture-rv": false, "/m/bert": false} {
		page := webtest.PlainText(webtest.Parse(t, webtest.Get(s, path)))
		told := strings.Contains(page, webtest.Spelled("The formula above, and the differences")) ||
			strings.Contains(page, webtest.Spelled("the formula is the one of the bundled model"))
		if told != want {
			t.Errorf("%s says whose formula it is: %v", path, told)
		}
	}
}

// TestModelsOfStacksWithOtherMixers: every model of the server is listed under its architecture, by
// name.
func TestModelsOfStacksWithOtherMixers(t *testing.T) {
	s := ownServer(t, func(*engine.ModelInfo) {})
	s.Mechanisms = site.Catalogue(attention.Catalog, encoder.Stacks, "albert.linformer", "dense", "encoder.random", "bert")
	const after = "albert,albert.linformer,universal"
	ids := func(path, selector, attribute string) string {
		var found []string
		for _, n := range webtest.All(webtest.Parse(t, webtest.Get(s, path)), selector) {
			if id, ok := webtest.Attr(n, attribute); ok {
				found = append(found, id)
			}
		}
		return strings.Join(found, ",")
	}
	if got := ids("/m", "li", "data-mechanism"); !strings.Contains(got, after) ||
		!strings.Contains(got, "encoder,encoder.random,bert,albert") {
		t.Error(got)
	}
	if got := ids("/", "input", "value"); !strings.Contains(got, after) {
		t.Error(got)
	}
	var list mechanism.Mechanisms
	if err := json.Unmarshal(webtest.Get(s, "/api/v1/mechanisms").Body.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	times := 0
	for _, m := range list.Mechanisms {
		if m.ID == "albert.linformer" && m.Name == "ALBERT with Linformer" && m.Kind == "stack" && m.Mixer == "linformer" {
			times++
		}
	}
	if times != 1 {
		t.Errorf("listed %d times", times)
	}
}

// TestFirstWall: without names the main view shows the default mechanisms, or the first four
// existing models if one of them has no model.
func TestFirstWall(t *testing.T) {
	for have, want := range map[string]string{
		"dot-product random dense fastformer linear": "dot-product random dense fastformer",
		"dense linear":                               "dense linear",
		"dot-product encoder":                        "dot-product",
		"albert albert.linformer gpt2":               "albert albert.linformer gpt2",
		"dense bert albert.linformer gpt2 universal": "dense bert albert.linformer universal",
		"": "dot-product random dense fastformer",
	} {
		s := webtest.NewServer(t, &webtest.FakeEngine{})
		s.Mechanisms = site.Catalogue(attention.Catalog, encoder.Stacks, "albert.linformer")
		s.Info = func(id string) (*engine.ModelInfo, error) {
			if !slices.Contains(strings.Fields(have), id) {
				return nil, fault.Errorf(fault.NotFound, "error.no-model", "id", messages.Quote(id))
			}
			return webtest.FakeInfo(id), nil
		}
		cards := func(path string) string {
			var ids []string
			for _, n := range webtest.All(webtest.Parse(t, webtest.Get(s, path)), "article") {
				id, _ := webtest.Attr(n, "data-mechanism")
				ids = append(ids, id)
			}
			return strings.Join(ids, " ")
		}
		for _, path := range []string{"/", "/?m=telepathy"} {
			if got := cards(path); got != want {
				t.Errorf("%s with %s: %s", path, have, got)
			}
		}
		if got := cards("/?m=linear,random"); got != "linear random" {
			t.Error(got)
		}
		var a api.Attend
		if err := json.Unmarshal(webtest.Get(s, "/api/v1/attend?text=hello").Body.Bytes(), &a); err != nil ||
			len(a.Mechanisms) != len(strings.Fields(want)) || a.Mechanisms[0].ID != strings.Fields(want)[0] {
			t.Errorf("with %s: %v %d", have, err, len(a.Mechanisms))
		}
		if page := webtest.Get(s, "/m/linformer"); page.Code != 200 { // it links to the main view
			t.Errorf("with %s: its page has status %d", have, page.Code)
		}
	}
}
