package wall_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/messages"
	"attnatlas/web/webtest"

	"golang.org/x/net/html"
)

// rowsOf returns the cells of a table, by the text in its rows' first cell.
func rowsOf(t *testing.T, of *html.Node) map[string][]string {
	t.Helper()
	rows := map[string][]string{}
	for _, row := range webtest.All(of, "tr") {
		if len(webtest.All(row, "th[scope=row]")) != 1 {
			continue
		}
		var cells []string
		for _, cell := range webtest.All(row, "td") {
			cells = append(cells, strings.TrimSpace(webtest.TextOf(cell)))
		}
		rows[strings.TrimSpace(webtest.TextOf(webtest.All(row, "th")[0]))] = cells
	}
	return rows
}

// TestLearned: a card shows the results of its model next to the baseline, and the cost of its training. An
// architecture with a mechanism's model shows that model's results. A card without measurements shows none.
func TestLearned(t *testing.T) {
	r := webtest.FakeResults()
	for i := range r.Models {
		r.Models[i].Steps, r.Models[i].Length = 20_000, 256
	}
	s := webtest.ResultsServer(t, r)
	doc := webtest.Parse(t, webtest.Get(s, "/?text=hello&m=dot-product,bert,linear"))
	for id, brief := range map[string]string{"dot-product": "masked-word accuracy 25.0 ± 0.0 %, loss 4.020 ± 0.020",
		"bert": "masked-word accuracy 25.0 %, loss 3.700"} {
		back := webtest.All(doc, "details#learned-"+id)
		if len(back) != 1 || !strings.Contains(webtest.PlainText(back[0]), webtest.Spelled(brief)) {
			t.Fatalf("%s: %d backs; no %q", id, len(back), brief)
		}
		rows := rowsOf(t, back[0])
		loss, want := rows["loss on masked words"], r.Find(id).Loss.Nats()
		if len(loss) != 2 || loss[0] != want || loss[1] != "6.250" || rows["topic accuracy"][1] != "10.0 %" ||
			rows["loss on texts of 128 tokens"][1] != "–" {
			t.Errorf("%s: %v", id, rows)
		}
		odds := func(loss float64) string {
			return "a probability of 1 in " + strconv.Itoa(int(math.Round(math.Exp(loss))))
		}
		for _, said := range []string{odds(r.Find(id).Loss.Mean), "the right token a probability of 1 in " +
			strconv.Itoa(int(math.Round(math.Exp(6.25)))), "is right for 13.2 %", "training steps" +
			messages.Grouped(20_000), "up to 256 tokens", "training tokens" + messages.Grouped(41_000_000),
			"stories, everyday."} {
			if !strings.Contains(webtest.PlainText(back[0]), webtest.Spelled(said)) {
				t.Errorf("%s does not say %q: %s", id, said, webtest.TextOf(back[0]))
			}
		}
		if links := webtest.LinksOf(back[0]); len(links) != 2 || !strings.HasPrefix(links[0], "/about?") ||
			!strings.HasSuffix(links[0], "text=hello#data") || !strings.HasPrefix(links[1], "/results?") {
			t.Errorf("%s: no way to the texts and the results: %v", id, links)
		}
	}
	if len(webtest.All(doc, "details#learned-linear")) > 0 {
		t.Error("a back without a measurement")
	}
	if rows := rowsOf(t, webtest.Parse(t, webtest.Get(s, "/m/dense?text=hello"))); rows["loss on masked words"] == nil {
		t.Error("the mechanism's page says nothing of its model")
	}
}

// TestLearnedBorrowed: the encoder shows the model of dot product with its results. The table of models has the
// last measurements, not those in the model files.
func TestLearnedBorrowed(t *testing.T) {
	s := webtest.ResultsServer(t, webtest.FakeResults())
	s.Info = func(id string) (*engine.ModelInfo, error) {
		m := webtest.FakeInfo(id)
		if id == "encoder" {
			m.Mechanism = "dot-product"
		}
		return m, nil
	}
	for target, sel := range map[string]string{"/?text=hello&m=encoder": "details#learned-encoder",
		"/m/encoder?text=hello": "section.learned"} {
		if back := webtest.All(webtest.Parse(t, webtest.Get(s, target)), sel); len(back) != 1 ||
			rowsOf(t, back[0])["loss on masked words"][0] != "4.020 ± 0.020" {
			t.Errorf("%s: the encoder has %d backs", target, len(back))
		}
	}
	row := webtest.PlainText(webtest.All(webtest.Parse(t, webtest.Get(s, "/about")), "tr[data-mechanism=dense]")[0])
	if !strings.Contains(row, "3.9") || strings.Contains(row, "3.25") ||
		!strings.Contains(row, webtest.Spelled("sentiment accuracy 70.0 %")) {
		t.Errorf("the table of models: %s", row)
	}
}
