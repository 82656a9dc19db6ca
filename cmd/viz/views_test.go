package main

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"image/png"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
	"attnatlas/web/browsertest"
)

// watch runs an untrained layer with a mixer, and returns its maps.
func watch(t *testing.T, id string, tokens int) *trace.Run {
	t.Helper()
	m, err := encoder.New(browsertest.SmallConfig(id), 1)
	must(t, err)
	p := nn.NewPass(ad.NewFrozen())
	p.Run = &trace.Run{}
	m.Encode(p, []int{5, 6, 7, 8, 9, 10, 11, 12}[:tokens], 1)
	return p.Run.Parts[0]
}

// TestEveryViewHasAMap: for texts of one and of eight tokens, each view of the catalogue names a map whose axes can
// be drawn, and so can all of its planes.
func TestEveryViewHasAMap(t *testing.T) {
	for _, entry := range attention.Catalog {
		for _, n := range []int{1, 8} {
			run := watch(t, entry.ID, n)
			for _, v := range entry.Views {
				shown, ok := run.Find(v.Map)
				if !ok {
					t.Errorf("%s, %d tokens: no map %q", entry.ID, n, v.Map)
					continue
				}
				if err := drawn(shown.HeadMean()); err != nil {
					t.Errorf("%s, %d tokens: %v", entry.ID, n, err)
				}
			}
		}
	}
}

// unseen are maps that mechanisms record for references and formulas, and that no page offers, each with the reason.
// Some belong to one mechanism only.
var unseen = map[string]string{
	"masked":                    "the scores, with −10⁹ where the mask forbids",
	"products":                  "the scores before they are divided, a step of /steps",
	"alphas":                    "the numbers whose softmax is alpha",
	"random scores":             "of a part: its weights are shown, and the scores of all parts",
	"dense scores":              "as those of random",
	"dot-product scores":        "as those of random",
	"mixture-rd/logits":         "of a part",
	"mixture-dv/logits":         "of a part",
	"mixture-rdv/logits":        "of a part",
	"longformer/scores":         "holds −10⁹ where the mask forbids; the global words' are apart",
	"bigbird/scores":            "holds −10⁹ and −10⁴ where the mask forbids",
	"poolingformer/scores":      "of the window, a step of /steps",
	"poolingformer/slot scores": "of the slots, likewise",
	"global scores":             "of the few global words; their weights are rows of the weights",
	"global weights":            "rows of the weights",
	"denominator":               "the weights are divided by it",
	"round logits":              "in the order of the hashes; the round weights follow from it",
	"window weights":            "the weights by round, in the order of the hashes",
}

// TestEveryMapHasAView: every map that a mechanism records and a figure can draw has a view, unless it is listed
// above, or is one feature vector for each token, slot or position: those are intermediate results.
func TestEveryMapHasAView(t *testing.T) {
	used := map[string]bool{}
	for _, entry := range attention.Catalog {
		for _, m := range watch(t, entry.ID, 8).Steps {
			_, err := figure.LayoutOf(m.HeadMean())
			seen := slices.ContainsFunc(entry.Views, func(v attention.View) bool { return v.Map == m.Name })
			if err != nil || seen || vectors(m) {
				continue
			}
			name := m.Name
			if unseen[name] == "" {
				name = entry.ID + "/" + name
			}
			if used[name] = true; unseen[name] == "" {
				t.Errorf("%s shows %s %v, which has neither a view nor a reason", entry.ID, m.Name, m.Roles())
			}
		}
	}
	for name := range unseen {
		if !used[name] {
			t.Errorf("%s is listed as unseen, but nothing shows it or it has a view", name)
		}
	}
}

// vectors reports whether a map is one feature vector for each token, slot or position.
func vectors(m trace.Map) bool {
	roles := m.Roles()
	n := len(roles)
	return n >= 2 && (roles[n-1] == trace.Channel || roles[n-1] == trace.HeadChannel) &&
		(roles[n-2] == trace.Token || roles[n-2] == trace.Slot)
}

// drawn draws all planes of a map, and returns the error.
func drawn(m trace.Map) error {
	layout, err := figure.LayoutOf(m)
	if err != nil {
		return err
	}
	planes := []trace.Map{m}
	if layout.Planes > 0 {
		planes = nil
	}
	for i := range layout.Planes {
		planes = append(planes, m.Plane(i))
	}
	for _, one := range planes {
		var b bytes.Buffer
		f, err := figure.New(figure.Spec{Map: one})
		if err == nil {
			err = f.PNG(&b)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	return nil
}

var (
	figurePattern = regexp.MustCompile(`(?s)<figure class="view view-([a-z]+).*?</figure>`)
	sourcePattern = regexp.MustCompile(`(?:href|src|srcset)="\.\.?(/export/[^"?]*\.a?png[^"]*)"`)
)

// TestEveryViewIsOnItsPage: the first HTML of a mechanism's page has all its maps, and all linked pictures and
// figures exist.
func TestEveryViewIsOnItsPage(t *testing.T) {
	server := browsertest.Untrained(t).URL
	for _, text := range []string{"a", "The cat sat on the mat"} {
		for _, entry := range attention.Catalog {
			status, body := fetch(t, server+"/m/"+entry.ID+"?theme=light&text="+url.QueryEscape(text))
			if status != http.StatusOK {
				t.Fatalf("%s: status %d", entry.ID, status)
			}
			for _, v := range entry.Views {
				if !strings.Contains(body, fmt.Sprintf(`data-map=%q`, html.EscapeString(v.Map))) {
					t.Errorf("%s, %q: the page does not show %s", entry.ID, text, v.Map)
				}
			}
			for _, f := range figurePattern.FindAllStringSubmatch(body, -1) {
				if f[1] == figure.Wiring.String() && strings.Count(f[0], "<path") == 0 {
					t.Errorf("%s: a wiring without wires", entry.ID)
				}
			}
			for _, link := range sourcePattern.FindAllStringSubmatch(body, -1) {
				status, picture := fetch(t, server+html.UnescapeString(link[1]))
				if _, err := png.DecodeConfig(strings.NewReader(picture)); status != http.StatusOK || err != nil {
					t.Errorf("%s: %s has status %d: %v", entry.ID, link[1], status, err)
				}
			}
		}
	}
}

// shelf opens a card's other maps in a tab.
func shelf(t *testing.T, ctx context.Context, server, id string) (page *page) {
	t.Helper()
	visit(t, ctx, server+"/?theme=light&m="+id)
	if ask[int](t, ctx, `document.querySelectorAll('.view canvas').length`) != 0 {
		t.Error("maps that nobody has asked for are drawn")
	}
	ask[bool](t, ctx, fmt.Sprintf(`document.querySelector('#more-%s summary').click() || true`, id))
	eventually(t, ctx, fmt.Sprintf(`document.querySelector('#more-%[1]s:not([data-folded]) .sheet')
		&& [...document.querySelectorAll('#more-%[1]s .sheet')].every((s) => s.tabIndex === 0)`, id))
	return newPage(t, ctx)
}

// TestMoreMapsReadTheValuesOfTheAPI: the other maps, once opened, show the values of the API under the mouse.
func TestMoreMapsReadTheValuesOfTheAPI(t *testing.T) {
	server, ctx := browsertest.Untrained(t).URL, tab(t)
	for _, c := range []struct {
		id, name       string
		row, col, cell int
		want           func(v float64) string
	}{
		{"linformer", "weights", 2, 5, 2*16 + 5, func(v float64) string { return "cat · slot 6: " + messages.Number(v) }},
		{"linformer", "E", 3, 7, 3*16 + 7, func(v float64) string { return "sat · slot 8: " + messages.Number(v) }},
		{"reformer", "buckets", 1, 4, 19 + 4, func(v float64) string { return fmt.Sprintf("round 2 · on: bucket %v", v) }},
		{"reformer", "weights by round", 1, 6, 19 + 6, func(v float64) string { return "The → mat: " + messages.Number(v) }},
		{"residual-shuffle-exchange", "activity", 3, 9, 3*32 + 9,
			func(v float64) string { return "stage 4 · place 10: " + messages.Number(v) }},
	} {
		p := shelf(t, ctx, server, c.id)
		p.point(c.id, c.name, c.row, c.col)
		values := p.values(server, c.id, c.name)
		p.says(c.id, c.name, c.want(values[c.cell]))
	}
}

// TestPlanesOfAStack: selecting another round shows its numbers, and the link leads to its figure.
func TestPlanesOfAStack(t *testing.T) {
	server := browsertest.Untrained(t).URL
	p := shelf(t, tab(t), server, "reformer")
	values := p.values(server, "reformer", "weights by round")
	p.do(`document.querySelectorAll('#view-reformer-weights-by-round .plane')[1].click()`)
	p.point("reformer", "weights by round", 1, 6)
	p.says("reformer", "weights by round", "The → mat: "+messages.Number(values[19*19+19+6]))
	eventually(t, p.ctx, `document.querySelector('#view-reformer-weights-by-round .view-export').href.includes('plane=2')`) // the figure of round 2
}

// TestWiringTracesAWord: a word reaches twice as many slots after each stage of the first half. The wires on its way
// are lit, in front of the others.
func TestWiringTracesAWord(t *testing.T) {
	p := shelf(t, tab(t), browsertest.Untrained(t).URL, "residual-shuffle-exchange")
	const id = "residual-shuffle-exchange"
	p.point(id, "wiring", 2, 0)
	p.says(id, "wiring", "cat can be at 2, 4, 8, 16, 32, 32, 32, 32, 32 positions after the switches of stage 1, 2, …")
	becomes(t, p.ctx, `[...document.querySelectorAll('#view-`+id+
		`-wiring .stage')].map((s) => s.querySelectorAll('.wires .on').length)`,
		[]int{2, 4, 8, 16, 32, 32, 32, 32, 32}) // lit wires by stage
	eventually(t, p.ctx, `[...document.querySelectorAll('.token.is-target')].map((c) => c.textContent).join() === 'cat'`)
	p.do(`document.getElementById('view-` + id + `-wiring').querySelector('.sheet').focus()`)
	p.key("ArrowDown")
	p.says(id, "wiring", "sat can be")
}

// TestOpenMapsStayOpen: another layer, head or text shows the same maps again.
func TestOpenMapsStayOpen(t *testing.T) {
	p := shelf(t, tab(t), browsertest.Untrained(t).URL, "linformer")
	p.do(`const s = document.getElementById('c-head'); s.value = '2'; s.dispatchEvent(new Event('change', { bubbles: true }))`)
	eventually(t, p.ctx, `location.search.includes('head=2')
		&& [...document.querySelectorAll('#more-linformer[open] .sheet')].filter((s) => s.querySelector('canvas')).length === 4`)
	eventually(t, p.ctx, `document.querySelector('#more-linformer').dataset.src.includes('head=2')`) // its numbers
}
