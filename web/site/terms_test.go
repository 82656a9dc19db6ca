package site_test

import (
	"net/http"
	"strings"
	"testing"

	"attnatlas/web/site"
	"attnatlas/web/webtest"

	"github.com/a-h/templ"
)

// TestTermsLink: in the prose of a page, the first occurrence of a term in any form is a link with its definition.
// Names of controls, links and other texts do not change.
func TestTermsLink(t *testing.T) {
	page := func(main string) string { return "<p>softmax</p><main>" + main + "</main><p>softmax</p>" }
	prose := ""
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	s.Register(site.Page{Path: "/prose", Serve: func(w http.ResponseWriter, r *http.Request) error {
		return s.Render(w, r, http.StatusOK, templ.Raw(prose))
	}})
	const link = `<a class="term" href="/glossary#`
	for main, want := range map[string][]string{
		`<p>Softmax and softmax of masked words</p>`: {link + `softmax" data-says="The function`,
			`">Softmax</a> and softmax of `, link + `masked-word"`, `">masked words</a></p>`},
		`<p class="lead">an attention sink</p>`: {`an ` + link + `attention-sink"`, `">attention sink</a></p>`},
		`<p>softmaxes of <a href="/">softmax</a></p><p><button>softmax</button> softmax</p>`: {
			`<p>softmaxes of <a href="/">softmax</a></p><p><button>softmax</button> ` + link},
		`<p class="message">softmax</p><h1>softmax</h1>`: {`<p class="message">softmax</p><h1>softmax</h1>`},
		`<ul><li>a <b>softmax</b></li></ul><dl><dt>logits</dt><dd>logits</dd></dl>`: {link + `softmax"`,
			`<dt>logits</dt><dd>` + link + `logits"`},
		`<p class="through-lead" role="status">softmax</p>`:           {`role="status">` + link + `softmax"`},
		`<p>The Universal Transformer is a transformer.</p>`:          {`<p>The Universal Transformer is a ` + link + `transformer"`},
		`<details><p>softmax</p></details><!-- <a> --><p>softmax</p>`: {`<details><p>softmax</p></details><!-- <a> --><p>` + link},
	} {
		prose = page(main)
		got := webtest.Get(s, "/prose").Body.String()
		if !strings.HasPrefix(got, "<p>softmax</p>") || !strings.HasSuffix(got, "<p>softmax</p>") {
			t.Errorf("%s: a term outside of main is a link: %s", main, got)
		}
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: no %s in %s", main, w, got)
			}
		}
	}
}
