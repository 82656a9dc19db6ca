package wall_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/ablation"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
	"attnatlas/web"
	"attnatlas/web/address"
	"attnatlas/web/site"
	"attnatlas/web/wall"
	"attnatlas/web/webtest"

	"golang.org/x/net/html"
)

// shippedEngine returns an engine with the bundled models, which realServer serves.
var shippedEngine = sync.OnceValue(engine.New)

func realServer(t *testing.T) *site.Server {
	t.Helper()
	e := shippedEngine()
	s, err := web.New(site.Options{Inspector: e, Entries: attention.Catalog, Stacks: encoder.Stacks,
		Vocabulary: e.Vocabulary(), Info: e.Info, Cost: e.Cost, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const (
	raceText   = "The cat sat on the mat because it was tired."
	raceHidden = "The cat sat on the mat because it [MASK] tired."
	racePage   = "/?race=1&text=The+cat+sat+on+the+mat+because+it+%5BMASK%5D+tired.&was=was"
)

// raced returns the engine's predictions for racePage.
func raced(t *testing.T, ids []string) map[string]predict.Attempt {
	t.Helper()
	report, err := shippedEngine().Inspect(t.Context(),
		engine.Request{Text: raceHidden, Mechanisms: ids, Race: predict.HiddenWords{Truth: raceText}})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]predict.Attempt{}
	for _, m := range report.Mechanisms {
		if m.Err == nil {
			all[m.ID] = m.Attempts[0]
		}
	}
	return all
}

// allRaced returns the predictions of all models that predict words.
func allRaced(t *testing.T) map[string]predict.Attempt {
	t.Helper()
	all := raced(t, slices.Concat(engine.IDs(), engine.StackIDs()))
	delete(all, encoder.Encoder.ID) // it has the model of dot product
	return all
}

func boardOf(t *testing.T, doc *html.Node) (rows []*html.Node) {
	t.Helper()
	for _, row := range webtest.All(doc, "tr") {
		if id, _ := webtest.Attr(row, "data-mechanism"); id != "" {
			rows = append(rows, row)
		}
	}
	return rows
}

// TestRaceBoard: every bundled model that predicts words is on the board, sorted by the probability of the masked
// word, with the engine's numbers. Models with a card are marked, and the others have a link that adds one.
func TestRaceBoard(t *testing.T) {
	s := realServer(t)
	doc := webtest.Parse(t, webtest.Get(s, racePage+"&m=dense,gpt2"))
	want := allRaced(t)
	rows, last := boardOf(t, doc), math.Inf(1)
	if len(rows) != len(want) || len(want) == 0 {
		t.Fatalf("%d rows, want %d", len(rows), len(want))
	}
	for _, row := range rows {
		id, _ := webtest.Attr(row, "data-mechanism")
		a, cells := want[id], webtest.All(row, "td")
		if a.Truth() > last {
			t.Errorf("%s stands below one that is worse", id)
		}
		last = a.Truth()
		if got := webtest.TextOf(cells[2]); got != messages.Number(a.Truth()) {
			t.Errorf("%s gives the word %s, want %v", id, got, a.Truth())
		}
		if got := webtest.TextOf(cells[3]); got != messages.Grouped(a.Pieces[0].Rank) {
			t.Errorf("%s: rank %s, want %d", id, got, a.Pieces[0].Rank)
		}
		guess := tokenizer.PieceLabel(a.Pieces[0].Words[0].Piece)
		if got := webtest.TextOf(webtest.All(cells[1], "bdi")[0]); got != guess ||
			strings.Contains(webtest.TextOf(cells[1]), "right") != (guess == "was") ||
			!strings.Contains(webtest.TextOf(cells[1]), messages.Number(a.Top())) {
			t.Errorf("%s guesses %s: %s", id, guess, webtest.TextOf(cells[1]))
		}
		link, _ := webtest.Attr(webtest.All(row, "a")[0], "href")
		chosen := id == "dense" || id == "gpt2"
		if chosen != (link == "#card-"+id) || chosen != strings.Contains(webtest.TextOf(row), "its card is on the page") {
			t.Errorf("%s: the link is %s", id, link)
		}
		if u, _ := url.Parse(link); !chosen && (u.Query().Get("m") != "dense,gpt2,"+id || u.Query().Get("race") != "1" ||
			u.Query().Get("was") != "was") {
			t.Errorf("%s is added by %s", id, link)
		}
	}
	says := webtest.TextOf(webtest.All(doc, "section.race")[0])
	for _, part := range []string{"predict was", "Not included: Encoder–decoder. This model was trained to write",
		"GPT-2 attends only to the words before", "Sorted by the probability of the masked word"} {
		if !strings.Contains(says, part) {
			t.Errorf("the board does not say %q: %s", part, says)
		}
	}
}

// TestRaceLosses: a model's expected rank is its rank by loss. GPT-2 has none, because its loss belongs to another
// task.
func TestRaceLosses(t *testing.T) {
	var a wall.Race
	if err := json.Unmarshal(webtest.Get(realServer(t), "/api/v1/race?text="+url.QueryEscape(raceText)+
		"&hide=was").Body.Bytes(), &a); err != nil {
		t.Fatal(err)
	}
	if len(a.Words) != 1 || a.Words[0].Hidden != "was" || a.Text != raceHidden ||
		a.Tokens[a.Words[0].First].Piece != "[MASK]" {
		t.Fatalf("%+v", a)
	}
	want := raced(t, engine.IDs())
	for _, m := range a.Words[0].Models {
		info, _ := shippedEngine().Info(m.ID)
		better := 1
		for _, other := range a.Words[0].Models {
			if !other.Next && other.Loss < m.Loss {
				better++
			}
		}
		if m.Next {
			better = 0
		}
		if m.Loss != info.Loss || m.Usual != better || m.Next != (m.ID == "gpt2") {
			t.Errorf("%s: loss %v, place %d, want %v, %d", m.ID, m.Loss, m.Usual, info.Loss, better)
		}
		if w, ok := want[m.ID]; ok && (*m.Hidden != w.Truth() || m.P != w.Top() || m.Right != w.Right()) {
			t.Errorf("%s: %+v, want %v", m.ID, m, w.Truth())
		}
	}
}

// TestRaceNeedsAWord: without a masked word the page says how to mask one. It offers the content word on which the
// models of the page disagree most.
func TestRaceNeedsAWord(t *testing.T) {
	doc := webtest.Parse(t, webtest.Get(realServer(t), "/?race=1&text="+url.QueryEscape(raceText)))
	report, err := shippedEngine().Inspect(t.Context(),
		engine.Request{Text: raceText, Mechanisms: engine.Default[:],
			Race: predict.HiddenWords{Truth: raceText, Turns: true}})
	if err != nil {
		t.Fatal(err)
	}
	best, most := "", 0.0
	for k, a := range report.Mechanisms[0].Attempts {
		sum, squares := 0.0, 0.0
		for _, m := range report.Mechanisms {
			p := m.Attempts[k].Truth() / 4
			sum, squares = sum+p, squares+4*p*p
		}
		word := report.Tokens[a.First]
		content := exhibit.IsContent(raceText, tokenizer.Cell{Start: word.Start, End: word.End})
		if spread := squares - sum*sum; spread > most && content {
			best, most = report.Tokens[a.First].Text, spread
		}
	}
	var link string
	for _, a := range webtest.All(webtest.All(doc, "section.race")[0], "a.quiet") {
		link, _ = webtest.Attr(a, "href")
		if says := webtest.TextOf(a); says != "Mask “"+best+"”" {
			t.Errorf("it offers %s, want %s", says, best)
		}
	}
	u, _ := url.Parse(link)
	if u.Query().Get("race") != "1" || !slices.Equal(u.Query()["was"], []string{best}) {
		t.Errorf("it leads to %s", link)
	}
	if got := len(boardOf(t, webtest.Parse(t, webtest.Get(realServer(t), link)))); got != len(allRaced(t)) {
		t.Errorf("there are %d rows", got)
	}
}

// TestRaceMoves: links mask the next or the previous word, and every masked word has a board.
func TestRaceMoves(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	link := func(page, id string) string {
		for _, a := range webtest.All(webtest.Parse(t, webtest.Get(s, page)), "a#"+id) {
			to, _ := webtest.Attr(a, "href")
			return to
		}
		return ""
	}
	at := "/?m=dense&race=1&text=%5BMASK%5D+recondite+cat&was=The"
	if before := link(at, "race-previous"); before != "" {
		t.Errorf("before the first word is %s", before)
	}
	at = link(at, "race-next")
	if at != "/?layer=1&m=dense&race=1&text=The+%5BMASK%5D%5BMASK%5D%5BMASK%5D+cat&was=recondite" {
		t.Fatal(at)
	}
	if at = link(at, "race-next"); at != "/?layer=1&m=dense&race=1&text=The+recondite+%5BMASK%5D&was=cat" {
		t.Fatal(at)
	}
	if after := link(at, "race-next"); after != "" {
		t.Errorf("behind the last word is %s", after)
	}
	if back := link(at, "race-previous"); back != "/?layer=1&m=dense&race=1&text=The+%5BMASK%5D%5BMASK%5D%5BMASK%5D+cat&was=recondite" {
		t.Error(back)
	}
	two := "/?m=dense&race=2&text=%5BMASK%5D+old+%5BMASK%5D+sat&was=The&was=cat"
	if over := link(two, "race-previous"); over != "/?layer=1&m=dense&race=2&text=%5BMASK%5D+%5BMASK%5D+cat+sat&was=The&was=old" {
		t.Error(over)
	}
	doc := webtest.Parse(t, webtest.Get(s, two))
	words := webtest.All(webtest.All(doc, "ul.race-words")[0], "a")
	if current, _ := webtest.Attr(words[1], "aria-current"); len(words) != 2 || current != "true" ||
		webtest.TextOf(words[0]) != "The" {
		t.Errorf("%d words have boards: %q %q", len(words), webtest.TextOf(words[0]), current)
	}
	if unknown := webtest.TextOf(webtest.All(webtest.Parse(t, webtest.Get(s, "/?m=dense&race=1&text=a+%5BMASK%5D")),
		"section.race")[0]); !strings.Contains(unknown, "unknown here") || strings.Contains(unknown, "p(") {
		t.Errorf("of a word that nobody knows it says %s", unknown)
	}
}

// TestRaceOfPieces: the probability of a word of several tokens is the product of theirs, and its rank is the
// worst of theirs.
func TestRaceOfPieces(t *testing.T) {
	f := &webtest.FakeEngine{Change: func(r *engine.Report) {
		for i := range r.Mechanisms {
			for _, a := range r.Mechanisms[i].Attempts {
				for j := range a.Pieces {
					a.Pieces[j].Truth.P, a.Pieces[j].Rank = []float64{0.5, 0.25, 0.125}[j], []int{1, 2000, 3}[j]
				}
			}
		}
	}}
	row := boardOf(t, webtest.Parse(t, webtest.Get(webtest.NewServer(t, f),
		"/?m=dense&race=1&text=%5BMASK%5D%5BMASK%5D%5BMASK%5D&was=recondite")))[0]
	cells := webtest.All(row, "td")
	if got := webtest.TextOf(cells[2]) + " " + webtest.TextOf(cells[3]); got != "0.0156 "+messages.Grouped(2000) {
		t.Errorf("it has %s", got)
	}
	if all, _ := webtest.Attr(cells[3], "title"); all != "1 · "+messages.Grouped(2000)+" · 3" {
		t.Errorf("its pieces have %s", all)
	}
}

// TestRaceOfACut: with an ablation, the board has the predictions with it, next to the earlier probability of the
// masked word. A model without the ablation has one number.
func TestRaceOfACut(t *testing.T) {
	s := realServer(t)
	cuts := ablation.Cuts{Own: map[string][]ablation.Cut{"dense": {{Kind: ablation.CutWord, Col: 9}}}}
	report, err := shippedEngine().Inspect(t.Context(),
		engine.Request{Text: raceHidden, Mechanisms: []string{"dense"}, Cuts: cuts,
			Race: predict.HiddenWords{Truth: raceText}})
	if err != nil {
		t.Fatal(err)
	}
	before, after := raced(t, []string{"dense", "random"}), report.Mechanisms[0].Attempts[0].Truth()
	want := map[string]string{
		"dense":  messages.Number(before["dense"].Truth()) + " → " + messages.Number(after),
		"random": messages.Number(before["random"].Truth()),
	}
	for _, row := range boardOf(t, webtest.Parse(t, webtest.Get(s, racePage+"&m=dense&dense.cut=word:9"))) {
		id, _ := webtest.Attr(row, "data-mechanism")
		if got := strings.Join(strings.Fields(webtest.TextOf(webtest.All(row, "td")[2])), " "); want[id] != "" &&
			got != want[id] {
			t.Errorf("%s has %s, want %s", id, got, want[id])
		}
	}
	if before["dense"].Truth() == after {
		t.Error("the cut has changed nothing")
	}
}

// TestRaceOfEveryWord: the numbers of correct words follow from the engine's predictions. Each column links to the
// board of its word and counts the models that predict it. The current mask does not matter.
func TestRaceOfEveryWord(t *testing.T) {
	s := realServer(t)
	doc := webtest.Parse(t, webtest.Get(s, "/?race=all&m=dense&text="+url.QueryEscape(raceText)))
	racers := slices.Sorted(maps.Keys(allRaced(t)))
	report, err := shippedEngine().Inspect(t.Context(),
		engine.Request{Text: raceText, Mechanisms: racers,
			Race: predict.HiddenWords{Truth: raceText, Turns: true}})
	if err != nil {
		t.Fatal(err)
	}
	rows := boardOf(t, doc)
	if len(rows) != len(racers) {
		t.Fatalf("%d rows", len(rows))
	}
	by, last := make([]int, 11), 11
	for _, row := range rows {
		id, _ := webtest.Attr(row, "data-mechanism")
		m := report.Mechanisms[slices.IndexFunc(report.Mechanisms, func(m engine.Result) bool { return m.ID == id })]
		right, surprise := 0, 0.0
		cells := webtest.All(row, "td.turn")
		for k, a := range m.Attempts {
			if surprise -= math.Log(a.Truth()); a.Right() {
				right, by[k] = right+1, by[k]+1
			}
			if a.Right() != webtest.IsElement(cells[k], "td.guessed") ||
				!webtest.IsElement(cells[k], "td.level-"+strconv.Itoa(min(9, int(10*a.Truth())))) {
				t.Errorf("%s, word %d: %v is wrong in %s", id, k, a.Right(), webtest.TextOf(cells[k]))
			}
		}
		numbers := webtest.All(row, "td.number")
		if got := webtest.TextOf(numbers[1]); len(cells) != 11 || got != strconv.Itoa(right)+" of 11" || right > last {
			t.Errorf("%s has %s of %d words, want %d", id, got, len(cells), right)
		}
		if got := webtest.TextOf(numbers[2]); got != strconv.FormatFloat(surprise/11, 'f', 2, 64) {
			t.Errorf("%s is surprised by %s, want %v", id, got, surprise/11)
		}
		last = right
	}
	for k, cell := range webtest.All(webtest.All(doc, "tfoot")[0], "td.number") {
		if webtest.TextOf(cell) != strconv.Itoa(by[k]) {
			t.Errorf("word %d is guessed by %s, want %d", k, webtest.TextOf(cell), by[k])
		}
	}
	words := webtest.All(doc, "th.race-word")
	if link, _ := webtest.Attr(webtest.All(words[8], "a")[0], "href"); !strings.Contains(link, "it+%5BMASK%5D+tired") ||
		!strings.Contains(link, "race=1") {
		t.Errorf("the word %s leads to %s", webtest.TextOf(words[8]), link)
	}
	hidden := webtest.Parse(t, webtest.Get(s, strings.Replace(racePage, "race=1", "race=all", 1)+"&m=dense"))
	if got, want := webtest.TextOf(webtest.All(hidden, "table.turns")[0]),
		webtest.TextOf(webtest.All(doc, "table.turns")[0]); got != want {
		t.Errorf("with a word hidden, the board is %s, and else %s", got, want)
	}
}

// TestRaceIsAskedOnce: adding a card does not repeat the predictions, and an expensive model is not used for a
// suggestion.
func TestRaceIsAskedOnce(t *testing.T) {
	var races atomic.Int64 // models run in parallel
	f := &webtest.FakeEngine{Change: func(r *engine.Report) {
		if r.Mechanisms[0].Attempts != nil {
			races.Add(1)
		}
	}}
	s := webtest.NewServer(t, f)
	for _, m := range []string{"dense", "dense,random", "gpt2"} {
		webtest.Get(s, racePage+"&m="+m)
	}
	if n := races.Load(); n != 1 {
		t.Errorf("%d races for one word", n)
	}
	for price, want := range map[float64]int64{1: 4, 1e12: 0} { // of each model
		races.Store(0)
		dear := webtest.NewServer(t, f)
		dear.Inspector.Cost = func(r engine.Request) engine.Cost { return engine.Cost{Operations: price} }
		doc := webtest.Parse(t, webtest.Get(dear, "/?race=1&text=The+cat+sat"))
		if offers := webtest.All(webtest.All(doc, "section.race")[0], "a.quiet"); races.Load() != want || len(offers) != 1 {
			t.Errorf("a race of %v operations is asked for %d times; %d words are offered", price, races.Load(), len(offers))
		}
	}
}

// TestRaceOfEveryWordComesInParts: a page waits for only one model if all are slow. Each new request of the board
// adds a model, and a page that waits has all at once. Nothing is measured twice.
func TestRaceOfEveryWordComesInParts(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	s := webtest.NewServer(t, &webtest.FakeEngine{Before: func(_ context.Context, r engine.Request) error {
		mu.Lock()
		defer mu.Unlock()
		if r.Race.Turns {
			asked = append(asked, strings.Join(r.Mechanisms, ","))
		}
		return nil
	}})
	s.Inspector.Cost = func(r engine.Request) engine.Cost {
		if r.Race.Turns {
			return engine.Cost{Operations: site.SoonOperations * float64(len(r.Mechanisms)+strings.Count(r.Mechanisms[0], "bert"))}
		}
		return engine.Cost{}
	}
	const path = "/?race=all&text=the+cat&m=dense"
	has := func(doc *html.Node, done, waits int, says string) {
		t.Helper()
		guessed := len(webtest.All(doc, "td.turn")) / 2
		line := webtest.TextOf(webtest.All(doc, "div#race-progress")[0])
		if waiting := len(webtest.All(doc, "tr.race-waits")); guessed != done || waiting != waits ||
			!strings.Contains(line, says) || says == "" && line != "" {
			t.Errorf("%d rows and %d that wait, not %d and %d: %q", guessed, waiting, done, waits, line)
		}
	}
	w := webtest.Get(s, path)
	page, doc := w.Body.String(), webtest.Parse(t, w)
	racers := len(boardOf(t, doc))
	has(doc, 1, racers-1, fmt.Sprintf("1 of %d models are done", racers))
	if to, _ := restOf(t, page); to != "/?layer=1&m=dense&race=all&text=the+cat&wait=1" {
		t.Errorf("without scripts the board becomes whole at %q", to)
	}
	if rows := boardOf(t, doc); !strings.Contains(webtest.TextOf(rows[len(rows)-1]), "BERT") {
		t.Errorf("what costs most is not last: %s", webtest.TextOf(rows[len(rows)-1]))
	}
	board := webtest.Parse(t, webtest.Get(s, path, site.OnlyHeader, "race"))
	has(board, 2, racers-2, fmt.Sprintf("2 of %d models", racers))
	if webtest.Present(board, "article.card") {
		t.Error("who asks for the board gets the cards, too")
	}
	has(webtest.Parse(t, webtest.Get(s, path+"&wait=1")), racers, 0, "")
	if whole := webtest.Get(s, path); strings.Contains(whole.Body.String(), "<noscript>") ||
		len(webtest.All(webtest.Parse(t, whole), "tr.race-waits")) > 0 {
		t.Error("what is remembered is waited for")
	}
	slices.Sort(asked)
	if len(asked) < racers || len(slices.Compact(slices.Clone(asked))) != len(asked) {
		t.Errorf("asked for %q", asked)
	}
}

// TestRaceInTheAPI: errors are reported, and each word can be masked in turn.
func TestRaceInTheAPI(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for query, want := range map[string]int{
		"": http.StatusBadRequest, "text=the+cat": http.StatusBadRequest, "text=the+cat&hide=dog": http.StatusBadRequest,
		"text=+&race=all":          http.StatusBadRequest,
		"text=a+%5BMASK%5D&race=2": http.StatusNotFound, "text=a+%5BMASK%5D&race=x": http.StatusBadRequest,
		"text=a+%5BMASK%5D&rice=1":            http.StatusBadRequest,
		"text=a+%5BMASK%5D&m=encoder-decoder": http.StatusUnprocessableEntity,
		"text=a+%5BMASK%5D&m=nobody":          http.StatusNotFound,
		"text=a+%5BMASK%5D":                   http.StatusOK, "text=the+cat&hide=3": http.StatusOK, "text=the+cat&race=all": http.StatusOK,
	} {
		if w := webtest.Get(s, "/api/v1/race?"+query); w.Code != want {
			t.Errorf("%s: %d, want %d", query, w.Code, want)
		}
	}
	var a wall.Race
	if err := json.Unmarshal(webtest.Get(s, "/api/v1/race?text=the+recondite+cat&race=all&m=dense,gpt2,encoder-decoder").Body.Bytes(), &a); err != nil {
		t.Fatal(err)
	}
	if len(a.Words) != 3 || a.Words[1].Last-a.Words[1].First != 3 || len(a.Words[1].Out) != 1 || len(a.Scores) != 2 ||
		a.Scores[0].Words != 3 {
		t.Fatalf("%+v", a)
	}
	for _, score := range a.Scores {
		sum := 0.0
		for _, w := range a.Words {
			for _, m := range w.Models {
				if m.ID == score.ID {
					sum -= math.Log(*m.Hidden) / 3
				}
			}
		}
		if math.Abs(sum-score.Surprise) > 1e-9 {
			t.Errorf("%s is surprised by %v, want %v", score.ID, score.Surprise, sum)
		}
	}
	if st, _, err := address.Toggle(url.Values{address.Hide: {strconv.Itoa(3)}}, address.State{Text: "the cat"},
		tokenizer.Default()); err != nil || st.Text != "the [MASK]" {
		t.Errorf("place 3 is %q, %v", st.Text, err)
	}
}
