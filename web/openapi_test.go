package web_test

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/messages"
	"attnatlas/engine/results"
	"attnatlas/engine/tensor"
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/gallery"
	"attnatlas/web/mechanism"
	"attnatlas/web/wall"
	"attnatlas/web/webtest"

	"github.com/danielgtaylor/huma/v2"
)

// TestAnswersFitTheirSchema compares the answers, which huma does not encode, with the schemas that it publishes.
func TestAnswersFitTheirSchema(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	described := webtest.DescriptionOf(t, s)
	for _, schema := range []string{"Attend", "Mechanisms", "Drawing", "Write", "Results", "Race"} {
		path := "/api/v1/" + strings.ToLower(schema)
		ref := described.Paths[path].Get.Responses["200"].Content["application/json"].Schema
		if ref["$ref"] != "#/components/schemas/"+schema || described.Components.Schemas[schema].Properties == nil {
			t.Errorf("%s is described by %v", path, ref)
		}
	}
	for schema, property := range map[string]string{"AttendMechanism": "maps", "AttendLayer": "name", "Mechanism": "kind",
		"AttendCharge": "value"} {
		if described.Components.Schemas[schema].Properties[property] == nil {
			t.Errorf("%s has no %s", schema, property)
		}
	}
	for _, p := range described.Paths["/api/v1/attend"].Get.Parameters {
		if p.Required != (p.Name == "text") {
			t.Errorf("parameter %s: required %v", p.Name, p.Required)
		}
	}
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	webtest.Valid[api.Attend](t, registry, webtest.Get(s,
		"/api/v1/attend?text=hello&m=dense,nonsense,fastformer&mask=causal").Body.Bytes())
	webtest.Valid[api.Attend](t, registry, webtest.Get(s, "/api/v1/attend?text=hello&layer=1&head=mean").Body.Bytes())
	webtest.Valid[api.Attend](t, registry, webtest.Get(s,
		"/api/v1/attend?text=a+%5BMASK%5D&m=universal,gpt2,encoder-decoder").Body.Bytes())
	webtest.Valid[api.Drawing](t, registry, webtest.Get(s,
		"/api/v1/drawing?text=hello&m=dense,nonsense,fastformer,encoder-decoder&mask=causal").Body.Bytes())
	webtest.Valid[mechanism.Write](t, registry, webtest.Get(s, "/api/v1/write?text=hello").Body.Bytes())
	webtest.Valid[wall.Race](t, registry, webtest.Get(s, "/api/v1/race?text=hello+%5BMASK%5D&was=cat").Body.Bytes())
	webtest.Valid[wall.Race](t, registry, webtest.Get(s, "/api/v1/race?text=hello+%5BMASK%5D&race=all").Body.Bytes())
	webtest.Valid[results.Results](t, registry, webtest.Get(s, "/api/v1/results").Body.Bytes())
	webtest.Valid[results.Results](t, registry, webtest.Get(webtest.ResultsServer(t, webtest.FakeResults()),
		"/api/v1/results").Body.Bytes())
	webtest.Valid[gallery.Examples](t, registry, webtest.Get(s, "/api/v1/examples").Body.Bytes())
	webtest.Valid[mechanism.Mechanisms](t, registry, webtest.Get(s, "/api/v1/mechanisms").Body.Bytes())
}

// TestParametersAreDocumented: the description of the API has exactly the parameters that change its answers.
func TestParametersAreDocumented(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	described := webtest.DescriptionOf(t, s)
	unknown := address.Unknown(url.Values{"?": {}}, address.Map, address.Of, address.Numbers)[0]
	other := map[string]string{ // differ from the base's values and the defaults
		address.Text: "the old [MASK]", address.Mechanisms: "dense", address.Layer: "2", address.Head: "2",
		address.Show: "rollout", address.Norm: "shared", address.Cmap: "ink", address.Sinks: "aside", address.Mass: "0.5",
		address.Top: "1", address.Draw: "arcs", address.Mask: "causal", address.Arrange: "similarity", address.Special: "0",
		address.Theme: "dark", address.Walk: "2", address.From: "text=a", address.PinKey: "1.2", address.Step: "2",
		address.After: "512", address.Was: "cat", address.Large: "dense", address.Present: "1", address.Compact: "1",
		address.Map: "weights", address.Of: "dense", address.Numbers: "0",
		address.Other: "the old dog", address.Exact: "1", address.Task: "sort", address.Race: "all", address.Hide: "a",
		address.CutKey: "word:2", address.Compute: address.Portable,
	}
	for path, base := range map[string]url.Values{
		"/api/v1/attend":  {address.Text: {"a [MASK]"}, address.Mechanisms: {"dense,random"}},
		"/api/v1/drawing": {address.Text: {"a [MASK]"}, address.Mechanisms: {"dense,random"}},
		"/api/v1/write":   {address.Text: {"a cat"}},
		"/api/v1/race":    {address.Text: {"a [MASK]"}, address.Mechanisms: {"dense,random"}},
	} {
		usual := webtest.Get(s, path+"?"+base.Encode()).Body.String()
		documented := described.Paths[path].Get.Parameters
		for _, key := range unknown.Err.Msg.Args["known"].(messages.List) { // all existing parameters
			v := maps.Clone(base)
			usual := usual
			if key == address.Task && v.Has(address.Mechanisms) && path != "/api/v1/race" { // only encoder–decoders have tasks
				v.Set(address.Mechanisms, "encoder-decoder")
				v.Set(address.Text, "a cat")
				usual = webtest.Get(s, path+"?"+v.Encode()).Body.String()
			}
			if key == address.Exact && path != "/api/v1/write" { // only influence can be exact
				v.Set(address.Show, "influence")
				usual = webtest.Get(s, path+"?"+v.Encode()).Body.String()
			}
			if v.Set(key, other[key]); path == "/api/v1/write" && key == address.Map {
				v.Set(key, "cross")
			}
			w := webtest.Get(s, path+"?"+v.Encode())
			if w.Code == http.StatusBadRequest && (key == address.Of || key == address.Numbers || key == address.Map &&
				path == "/api/v1/race" || key == address.Mechanisms && path == "/api/v1/write") {
				continue // not all answers depend on these
			}
			if key == address.Compute { // refused if this program computes in another mode
				if says := slices.ContainsFunc(documented, func(p webtest.Parameter) bool { return p.Name == key }); !says ||
					(w.Code == http.StatusOK) != tensor.Reproducible() {
					t.Errorf("%s: %s is documented: %v (%d)", path, v.Encode(), says, w.Code)
				}
				continue
			}
			effect := w.Body.String() != usual
			if says := slices.ContainsFunc(documented, func(p webtest.Parameter) bool { return p.Name == key }); says != effect || w.Code != http.StatusOK {
				t.Errorf("%s: %s has an effect: %v; it is documented: %v (%d)", path, v.Encode(), effect, says, w.Code)
			}
		}
		if len(documented) == 0 {
			t.Errorf("%s has no parameters", path)
		}
	}
}

// TestFieldsAreDescribed: every field of an answer has a description that can be read without the code. It begins with
// a noun or with “Whether”, has short sentences and no straight quotes.
func TestFieldsAreDescribed(t *testing.T) {
	described := webtest.DescriptionOf(t, webtest.NewServer(t, &webtest.FakeEngine{}))
	headless := regexp.MustCompile(`^(Of|That|Which|What|Who|How|Why|From|As|In|Its|The|A) `)
	for name, schema := range described.Components.Schemas {
		if strings.HasPrefix(name, "Error") { // errors are huma’s
			continue
		}
		for field, about := range schema.Properties {
			says, _ := about.(map[string]any)["description"].(string)
			if says == "" || headless.MatchString(says) || strings.ContainsAny(says, `"'`) {
				t.Errorf("%s.%s is described as %q", name, field, says)
			}
			for _, sentence := range strings.Split(says, ". ") {
				if len(strings.Fields(sentence)) > 25 {
					t.Errorf("%s.%s has a long sentence: %q", name, field, sentence)
				}
			}
		}
	}
}
