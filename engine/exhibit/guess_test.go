package exhibit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/predict"
)

func guessOf(task string, classes ...string) predict.Guess {
	g := predict.Guess{Task: task}
	for _, name := range classes {
		g.Classes = append(g.Classes, predict.Class{Name: name, P: 0.9 / float64(len(classes))})
	}
	return g
}

// TestTopicsAreOfRequests: a topic is named only if the text may be a request, a sentiment always.
func TestTopicsAreOfRequests(t *testing.T) {
	res := &engine.Result{Guesses: []predict.Guess{guessOf("topic", "travel", "kitchen_and_dining"),
		guessOf("feeling", "positive")}}
	for text, topic := range map[string]bool{
		"i want to book a flight to paris but my credit card was declined": true,
		"what is the capital gain on my insurance":                         true,
		"Could you book a flight to [MASK]?":                               true,
		"cook some crème brûlée, it's late":                                true,
		strings.Repeat("word ", 28):                                        true,
		strings.Repeat("word ", 29):                                        false,
		"The cat sat on the mat because it was tired, and the dog saw it.": false,
		"Book a flight! now":                                               false,
		"who is it? tell me":                                               false,
		`say "hello" to me`:                                                false,
		"book a flight ||| to paris":                                       false,
		"订一张机票":                                                            false,
		" ":                                                                false,
	} {
		var said []string
		for _, g := range exhibit.Guesses(res, text) {
			said = append(said, fmt.Sprintf("%s: %s %.2f", g.Task, g.Class, g.P))
		}
		want := []string{"sentiment: positive 0.90"}
		if topic {
			want = append([]string{"topic (if this is a request to an assistant): travel 0.45"}, want...)
		}
		if !slices.Equal(said, want) {
			t.Errorf("%q: %q", text, said)
		}
	}
	own := &engine.Result{Guesses: []predict.Guess{guessOf("topic", "sea_and_ships", "war"), guessOf("colour")}}
	if said := exhibit.Guesses(own, "The ship sank."); len(said) != 1 || said[0].Task.String() != "topic" ||
		said[0].Class.String() != "sea_and_ships" || said[0].Help.String() != "" {
		t.Errorf("of topics that are none of requests: %+v", said)
	}
}

// TestClassesInPlainWords: every class of every classifier has a name in words, without underscores.
func TestClassesInPlainWords(t *testing.T) {
	seen := map[string]string{}
	for _, task := range append(encoder.Classifiers(), encoder.NextSentence, encoder.SentenceOrder) {
		for _, class := range task.Classes {
			word := exhibit.ClassName(class).String()
			if word == "" || strings.ContainsAny(word, "_.") || seen[word] != "" {
				t.Errorf("%s is said %q, as is %q", class, word, seen[word])
			}
			seen[word] = class
		}
	}
	if got := exhibit.ClassName("kitchen_and_dining").String(); got != "kitchen and dining" {
		t.Error(got)
	}
}

// TestGuessesSayWhatTheyAre: guesses explain their classes, and how often the model is right.
func TestGuessesSayWhatTheyAre(t *testing.T) {
	res := &engine.Result{
		Guesses: []predict.Guess{guessOf("topic", "travel", "home"), guessOf("feeling", "neutral"),
			guessOf("next sentence", "from elsewhere", "follows")},
		Model: &engine.ModelInfo{Score: map[string]float64{"topic": 0.912, "next sentence": 0.7}},
	}
	want := []string{
		"The 2 topics are topics of requests to an assistant. No topic means “none of these”. Accuracy on validation texts: 91.2 %.",
		"Sentiments were learned from texts of one or two sentences, mostly comments from the web.",
		"Accuracy on validation pairs: 70.0 %.",
	}
	for i, g := range exhibit.Guesses(res, "book a flight") {
		if g.Help.String() != want[i] || g.Pair != (i == 2) {
			t.Errorf("%s: %s", g.Task, g.Help)
		}
	}
	if all := exhibit.Guesses(res, "book a flight"); len(all) != 3 || all[2].Task.String() != "next sentence" ||
		all[2].Class.String() != "from elsewhere" {
		t.Errorf("%+v", all)
	}
}
