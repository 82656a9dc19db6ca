package wall_test

import (
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/web/address"
	"attnatlas/web/webtest"
)

// TestMenuOfStacks: every mechanism is in one family, and architectures are the last group. One without a model is
// offered only if the address names it.
func TestMenuOfStacks(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	groups := webtest.NewPage(s, address.Default()).Controls().Mechanisms.Groups
	mechanisms, last := 0, len(groups)-1
	for _, g := range groups[:last] {
		mechanisms += len(g.Options)
	}
	if len(groups) < 3 || mechanisms != len(attention.Catalog) || len(groups[last].Options) != len(encoder.Stacks) {
		t.Errorf("%+v", groups)
	}
	s.Info = func(id string) (*engine.ModelInfo, error) {
		if id == "albert" || id == "dense" {
			return webtest.FakeInfo(id), nil
		}
		return nil, webtest.Refused(fault.NotFound, "no model")
	}
	st := address.Default()
	st.Mechanisms = []string{"albert.linformer", "random"}
	groups = webtest.NewPage(s, st).Controls().Mechanisms.Groups
	var ids []string
	for _, g := range groups {
		for _, o := range g.Options {
			id := o.Value
			if o.Selected {
				id += "!"
			}
			ids = append(ids, id)
		}
	}
	if got := strings.Join(ids, " "); got != "random! dense albert albert.linformer!" {
		t.Error(got)
	}
}

// TestMenuOfAll: one link shows all cards, at a short address, and one shows none. If some have no model, the link
// names the others.
func TestMenuOfAll(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	m := webtest.NewPage(s, address.Default()).Controls().Mechanisms
	if m.All.URL != "/?m=all" || m.None.URL != "/?m=" {
		t.Errorf("%+v, %+v", m.All, m.None)
	}
	all := webtest.Parse(t, webtest.Get(s, "/?m=all"))
	if got := len(webtest.All(all, "article.card")); got != len(attention.Catalog)+len(encoder.Stacks) {
		t.Error(got, "cards")
	}
	none := webtest.Parse(t, webtest.Get(s, m.None.URL))
	if len(webtest.All(none, "article.card")) != 0 || len(webtest.All(webtest.All(none, "p#everything")[0], "a")) != 2 {
		t.Error("cards of none")
	}
	s.Info = func(id string) (*engine.ModelInfo, error) {
		if id == "albert" || id == "dense" {
			return webtest.FakeInfo(id), nil
		}
		return nil, webtest.Refused(fault.NotFound, "no model")
	}
	if got := webtest.NewPage(s, address.Default()).Controls().Mechanisms.All.URL; got != "/?m=dense%2Calbert" {
		t.Error(got)
	}
}
