package results_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/messages"
	"attnatlas/engine/results"
	"attnatlas/web/webtest"

	"golang.org/x/net/html"
)

// TestResultsPage: the page has the values of the results, with units, baselines and chance level.
func TestResultsPage(t *testing.T) {
	r := webtest.FakeResults()
	s := webtest.ResultsServer(t, r)
	doc := webtest.Parse(t, webtest.Get(s, "/results"))
	page := webtest.PlainText(doc)
	for _, want := range []string{
		"4.020 ± 0.020", "4.110 ± 0.010", "3.895 ± 0.020", "in nats", "loss of 6.250", "loss of 5.700",
		"4.0 % of masked words", "elsewhere, is right for 13.2 %", "44.6 % of sentiments",
		"mean ± sample standard deviation", "after 3 000 training steps", "20.5", "1.20·10¹⁴",
		"Architectures have other sizes",
	} {
		if !strings.Contains(page, webtest.Spelled(want)) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, row := range webtest.All(doc, "tr") {
		if text := webtest.PlainText(row); strings.Contains(text, webtest.Spelled("Dot product")) &&
			strings.Contains(text, "(chosen)") && !strings.Contains(text, webtest.Spelled("4.500(chosen)")) {
			t.Errorf("the chosen rate is not 0.001: %s", text)
		}
	}
	var sent results.Results
	if err := json.Unmarshal(webtest.Get(s, "/api/v1/results").Body.Bytes(), &sent); err != nil ||
		!reflect.DeepEqual(sent, r) {
		t.Errorf("%v: %+v", err, sent)
	}
	if webtest.Get(s, "/api/v1/results?%zz").Code != 400 {
		t.Error("a broken address is answered")
	}
	if links := webtest.LinksOf(doc); !slices.Contains(links, "/m/fastformer") ||
		!slices.Contains(links, "/api/v1/results") ||
		!slices.Contains(webtest.LinksOf(webtest.All(webtest.Parse(t, webtest.Get(s, "/")), "nav#directory")[0]),
			"/results") {
		t.Errorf("%v", links)
	}
}

// TestOptionsStandBesideNames: the name of a mechanism is followed by its options, without empty ones, and no column
// repeats them.
func TestOptionsStandBesideNames(t *testing.T) {
	r := webtest.FakeResults()
	r.Models = append(r.Models, results.ModelResults{ID: "bigbird", Objective: "masked words", Options: map[string]string{"block": "2"}})
	doc := webtest.Parse(t, webtest.Get(webtest.ResultsServer(t, r), "/results"))
	var found []string
	for _, head := range webtest.All(doc, "th") {
		for _, options := range webtest.All(head, "small.model-note") {
			found = append(found, webtest.TextOf(head)+": "+webtest.TextOf(options))
		}
		if webtest.TextOf(head) == "options" {
			t.Error("a column repeats the options")
		}
	}
	if !slices.ContainsFunc(found, func(s string) bool {
		return strings.HasPrefix(s, "BigBird") && strings.HasSuffix(s, ": block = 2, random = 1, seed = 0")
	}) {
		t.Errorf("%q", found)
	}
}

// TestFindingsAreComputed: the sentences about our order and a paper's follow from the values. With other values
// they say the opposite.
func TestFindingsAreComputed(t *testing.T) {
	say := func(r results.Results) string {
		return webtest.PlainText(webtest.Parse(t, webtest.Get(webtest.ResultsServer(t, r), "/results")))
	}
	was := say(webtest.FakeResults())
	for _, want := range []string{
		"In the paper, Learned random is 0.40 BLEU worse than Dot product; here it is worse by 0.090 nats. Our result agrees",
		"In the paper, Dense synthesizer is 0.24 BLEU worse than Dot product; here it is better by 0.120 nats. " +
			"Our result disagrees",
		"In the paper, Random + dot product is 0.80 BLEU better than Dot product; here it is better by 0.220 nats. " +
			"Our result agrees",
		"In the paper, Fastformer is 0.12 percentage points worse than Poolingformer; here they are equal. " +
			"The paper’s difference is too small",
		"as good as Dot product, or better; here they are equal. Our result agrees",
	} {
		if !strings.Contains(was, webtest.Spelled(want)) {
			t.Errorf("the page does not say %q", want)
		}
	}
	r := webtest.FakeResults()
	for i := range r.Models {
		if r.Models[i].ID == "random" {
			r.Models[i] = results.New(webtest.FakeModel("random", 3.90, 3.91, 3.92)).Models[0]
		}
	}
	now := say(r)
	if !strings.Contains(now, webtest.Spelled("here it is better by 0.110 nats. Our result disagrees")) {
		t.Error("learned random is better now, and the page does not say so")
	}
	const words = "But at masked words, Fastformer is worse than Dot product by "
	better, worse := webtest.FakeResults(), webtest.FakeResults()
	better.Find("fastformer").Loss.Mean, worse.Find("fastformer").Loss.Mean = 1, 9
	if strings.Contains(say(better), webtest.Spelled(words)) || !strings.Contains(say(worse), webtest.Spelled(words)) {
		t.Error("the page does not say when a model is as good at classes but worse at words")
	}
	counts := func(page string) string {
		_, after, _ := strings.Cut(page, webtest.Spelled("Of "))
		return after[:min(len(after), 80)]
	}
	tally := func(r results.Results) (n map[results.Verdict]int, pairs, weak int) {
		n = map[results.Verdict]int{}
		known := map[string]bool{}
		for _, p := range results.Papers() {
			for _, c := range r.Compare(p) {
				pair := p.Measure + c.Model + c.Base
				switch {
				case known[pair]:
				case c.Model == "poolingformer" || c.Base == "poolingformer" || c.Base == "linformer" || c.Long:
					weak++
				default:
					n[c.Verdict]++
				}
				known[pair] = true
			}
		}
		return n, len(known), weak
	}
	for _, r := range []results.Results{webtest.FakeResults(), r} {
		n, pairs, weak := tally(r)
		want := messages.English.T("results.agreement", "all", pairs, "agree", n[results.Agrees], "disagree",
			n[results.Disagrees], "open", n[results.Open]+n[results.Tied], "weak", weak)
		if weak == 0 || weak == pairs {
			t.Errorf("%d of %d pairs say little", weak, pairs)
		}
		if page := say(r); !strings.Contains(page, webtest.Spelled(want)) {
			t.Errorf("the page does not say %q but %q", want, counts(page))
		}
	}
}

// TestLossChart: every mechanism has a dot at its loss and at those of its seeds, and the baselines are lines.
func TestLossChart(t *testing.T) {
	r := webtest.FakeResults()
	doc := webtest.Parse(t, webtest.Get(webtest.ResultsServer(t, r), "/results"))
	texts := func(within, what string) (all []string) {
		for _, n := range webtest.All(webtest.All(doc, within)[0], what) {
			all = append(all, strings.TrimSpace(webtest.TextOf(n)))
		}
		return all
	}
	names, lines := texts("ul.dots-names", "li"), texts("ul.dots-legend", "li")
	ticks := texts("div.dots-plot", "text")
	if len(names) != 7 || names[0] != "Random + dot product" || len(lines) != 2 || ticks[0] != "3.5" ||
		ticks[len(ticks)-1] != "6.5" {
		t.Fatalf("the rows are %q, the lines %q and the ticks %q", names, lines, ticks)
	}
	at := func(loss float64) string { return strconv.FormatFloat(100*(loss-3.5)/3, 'f', 2, 64) + "%" }
	for _, want := range []struct{ what, attribute, value string }{
		{"circle.mean", "cx", at(4.02)}, {"circle.seed", "cx", at(4.04)}, {"line.spread", "x1", at(4.00)},
		{"line.unigram", "x1", at(6.25)}, {"line.fixed", "x2", at(5.7)},
	} {
		if !slices.ContainsFunc(webtest.All(doc, want.what),
			func(n *html.Node) bool { v, _ := webtest.Attr(n, want.attribute); return v == want.value }) {
			t.Errorf("no %s has %s %s", want.what, want.attribute, want.value)
		}
	}
	if n := len(webtest.All(doc, "circle.mean")); n != 7 {
		t.Errorf("%d dots", n)
	}
}

// TestResultsSayWhatTheyCompare: the table has options, the findings say where these are small, and rates at an
// edge are marked.
func TestResultsSayWhatTheyCompare(t *testing.T) {
	r := webtest.FakeResults()
	page := webtest.PlainText(webtest.Parse(t, webtest.Get(webtest.ResultsServer(t, r), "/results")))
	for _, want := range []string{"hidden = ", "The options of Poolingformer here are far smaller than in its paper"} {
		if !strings.Contains(page, webtest.Spelled(want)) {
			t.Errorf("the page does not say %q", want)
		}
	}
	edges := func() int {
		return len(webtest.All(webtest.Parse(t, webtest.Get(webtest.ResultsServer(t, r), "/results")), "small.edge"))
	}
	if n := edges(); n != len(r.Models) {
		t.Errorf("%d edges of %d models, all of which have one", n, len(r.Models))
	}
	m := r.Find("dot-product")
	m.Trials = append(m.Trials, checkpoint.Trial{Rate: 0.002, Steps: 3000, Loss: 4.9})
	if n := edges(); n != len(r.Models)-1 {
		t.Errorf("%d edges after a higher rate of one model was tried", n)
	}
}

// TestPapersOptionsAreCompared: where a model has the options of its paper and the same number of tokens, this one is
// compared with the paper, and its options are not called small.
func TestPapersOptionsAreCompared(t *testing.T) {
	r := webtest.FakeResults()
	say := func() string {
		return webtest.PlainText(webtest.Parse(t, webtest.Get(webtest.ResultsServer(t, r), "/results")))
	}
	const small = "The options of Poolingformer here are far smaller than in its paper"
	const papered = "For this comparison, Poolingformer has options with the proportions of its paper."
	if page := say(); !strings.Contains(page, webtest.Spelled(small)) || strings.Contains(page, webtest.Spelled(papered)) {
		t.Error("the bundled options are not called small")
	}
	m := *r.Find("poolingformer")
	m.Paper = true
	m.Score = map[string]results.Spread{"topic": {Mean: 0.123, N: 1}, "feeling": {Mean: 0.123, N: 1}}
	r.Models = append(r.Models, m)
	page := say()
	if strings.Contains(page, webtest.Spelled(small)) || !strings.Contains(page, webtest.Spelled(papered)) ||
		!strings.Contains(page, webtest.Spelled("12.3 % (options of its paper)")) {
		t.Error("the options of the paper are not compared")
	}
	r.Models[len(r.Models)-1].Tokens *= 2
	if page := say(); !strings.Contains(page, webtest.Spelled(small)) || strings.Contains(page, webtest.Spelled(papered)) {
		t.Error("a model with another number of tokens is compared")
	}
}

// TestReasons: each reason has the values of its model.
func TestReasons(t *testing.T) {
	r := webtest.FakeResults()
	for i, id := range []string{"fastformer", "fixed-random", "dot-product"} {
		m := webtest.FakeModel(id, 5.1+float64(i)/10)
		for j := range m.Runs {
			m.Runs[j].Long = map[string]float64{"256": 5.9}
			m.Runs[j].Score = map[string]float64{"topic": 0.875}
		}
		m = results.New(m).Models[0]
		m.Gaps = map[string]results.GapScore{"english": {Sentences: 2, First: 0.5, Ten: 0.5}}
		if old := r.Find(id); old != nil {
			*old = m
		} else {
			r.Models = append(r.Models, m)
		}
	}
	page := webtest.PlainText(webtest.Parse(t, webtest.Get(webtest.ResultsServer(t, r), "/results")))
	for _, want := range []string{"The loss is 5.100. In short sentences, the summary is about few words: 50.0 % of the gaps have a right word " +
		"among the first ten. With fixed random attention, the loss is 5.200, with dot product 5.300.",
		"right for 87.5 % of topics",
		"English gaps: 2 sentences. The standard error of a share is at most 35.4 percentage points."} {
		if !strings.Contains(page, webtest.Spelled(want)) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// TestEveryMechanismHasAReason: the page of the bundled results has a reason for each mechanism, with all its figures,
// and an example of the gallery that shows the mechanism.
func TestEveryMechanismHasAReason(t *testing.T) {
	r, err := results.Read(checkpoint.Folder())
	if err != nil {
		t.Fatal(err)
	}
	doc := webtest.Parse(t, webtest.Get(webtest.ResultsServer(t, r), "/results"))
	said := webtest.All(webtest.All(doc, "ul.reasons")[0], "li")
	for i, m := range r.Sorted() {
		if i == len(said) {
			t.Fatalf("%d reasons for %d mechanisms; give %s one in web/results/reasons.go", len(said), len(r.Sorted()), m.ID)
		}
		text := webtest.TextOf(said[i])
		if strings.Contains(text, "no value") || !strings.Contains(text, m.Loss.Nats()) {
			t.Errorf("the reason at the place of %s does not have its loss, %s: %s", m.ID, m.Loss.Nats(), text)
		}
		links := webtest.All(said[i], "a")
		href, _ := webtest.Attr(links[len(links)-1], "href")
		if shown := webtest.QueryOf(t, href).Get("m"); !slices.Contains(strings.Split(shown, ","), m.ID) {
			t.Errorf("the example of %s shows %s", m.ID, shown)
		}
	}
}
