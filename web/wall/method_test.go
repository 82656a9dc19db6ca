package wall_test

import (
	"net/http"
	"strings"
	"testing"

	"attnatlas/engine/method"
	"attnatlas/web/webtest"
)

// TestMethodsOnTheWall: each method has a line with formula, meaning and paper, and maps with axis names of its
// own, or a reason. A method that sums over heads ignores the chosen head, and files say so, too.
func TestMethodsOnTheWall(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for show, want := range map[string]map[string]int{
		"value-zeroing": {
			`data-map="value-zeroing"`: 2, `data-verb="changes without"`: 1, "Mohebbi et al. 2023, sec. 3": 1,
			"https://arxiv.org/abs/2301.12971": 1,
			"set to 0 in all heads;":           1, "only a word itself uses its value": 1, "rows Σ = 1": 2, ">Show attention<": 1,
			"-value-zeroing-layer2-all.png": 2,
		},
		"norm": {
			`data-map="norm"`: 2, `data-verb="receives from"`: 1, "Kobayashi et al. 2020, sec. 3": 1,
			"A large weight on a short vector":  1,
			"only a word itself uses its value": 1, "rows have no fixed sum: each cell is the length of a vector": 2,
			"length ÷ row maximum": 2,
		},
		"flow": {
			`data-map="flow"`: 2, `data-verb="receives flow from"`: 1, "Abnar et al. 2020, sec. 3": 1,
			"Rollout multiplies matrices of word pairs": 1, "is saturated: after": 2,
		},
		"maps": {`class="method"`: 0},
	} {
		page := webtest.Get(s, "/?show="+show+"&m=bert,dense,fastformer&layer=2&head=2&text=hello+saturated").Body.String()
		for text, count := range want {
			got := strings.Count(page, text)
			if got != count && (count == 0 || strings.Contains(text, "data-") || got < count) {
				t.Errorf("%s: %q is there %d times, not %d", show, text, got, count)
			}
		}
	}
	if page := webtest.Get(s, "/m/bert?show=value-zeroing&layer=2&text=hello").Body.String(); !strings.Contains(page,
		"for the output of the token mixer alone") {
		t.Error("the page of a model does not have the other map of value zeroing")
	}
	if page := webtest.Get(s, "/?show=flow&m=bert&text=hello").Body.String(); strings.Contains(page, "Flow is saturated") {
		t.Error("flow is said to be saturated")
	}
}

// TestMethodsOfFilesAndNumbers: exports and the API provide methods by the names of their maps, for one layer and
// one method at a time.
func TestMethodsOfFilesAndNumbers(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, name := range []string{method.ValueZeroing, method.ValueZeroingMixer, method.Norm, method.NormHead,
		method.Flow} {
		query := strings.ReplaceAll(name, " ", "+")
		if w := webtest.Get(s, "/export/bert.png?map="+query+"&layer=2&text=hello"); w.Code != http.StatusOK ||
			!strings.Contains(w.Header().Get("Content-Disposition"), strings.ReplaceAll(name, " ", "-")+"-layer2-") {
			t.Errorf("figure of %s: %d %s", name, w.Code, w.Header().Get("Content-Disposition"))
		}
		a := webtest.Attend(t, s, "text=hello&m=bert&map="+query)
		of := webtest.Attend(t, s, "text=hello&m=bert&head=2&map="+query).Mechanisms[0].Layers[0].Head
		if head := map[bool]int{true: 2}[name == method.NormHead]; of != head {
			t.Errorf("%s is of head %d", name, of)
		}
		if m := a.Mechanisms[0]; len(m.Layers) != 1 || len(m.Layers[0].Maps) != 1 || m.Layers[0].Maps[0].Name != name {
			t.Errorf("%s: %+v", name, m.Layers)
		}
	}
	if w := webtest.Get(s, "/api/v1/attend?text=a&m=bert&map=norm,head+norm,flow"); w.Code != http.StatusBadRequest ||
		!strings.Contains(w.Body.String(), "norm, flow") && !strings.Contains(w.Body.String(), "norm and flow") {
		t.Errorf("two methods: %d %s", w.Code, w.Body)
	}
	if w := webtest.Get(s, "/api/v1/attend?text=a&m=bert&map=norm,head+norm"); w.Code != http.StatusOK {
		t.Errorf("two maps of a method: %d %s", w.Code, w.Body)
	}
}

// TestMethodsAreQuestionsOfTheirOwn: the report of one method or layer does not answer requests for another.
func TestMethodsAreQuestionsOfTheirOwn(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, query := range []string{"", "&show=value-zeroing", "&show=norm", "&show=flow", "&show=flow&layer=2",
		"&show=norm&layer=2", "&show=value-zeroing&layer=2"} {
		show, _, _ := strings.Cut(strings.TrimPrefix(query, "&show="), "&")
		if page := webtest.Get(s, "/?m=bert&text=hello"+query).Body.String(); show != "" &&
			!strings.Contains(page, `data-map="`+show+`"`) {
			t.Errorf("%s: the cache gave another answer", query)
		}
	}
}

// TestAboutTellsTheMethods: the page lists each method with a link that shows it.
func TestAboutTellsTheMethods(t *testing.T) {
	page := webtest.Get(webtest.NewServer(t, &webtest.FakeEngine{}), "/about").Body.String()
	for _, show := range []string{"influence", "rollout", "value-zeroing", "norm", "flow"} {
		if !strings.Contains(page, "show="+show) {
			t.Errorf("%s is not there", show)
		}
	}
}
