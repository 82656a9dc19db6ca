package exhibit

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/predict"
)

// Guess is the most likely class of a classifier, in words.
type Guess struct {
	Task  messages.Message // "topic, if this is a request to an assistant"
	Class messages.Message // "kitchen and dining"
	P     float64          // probability of the class, 0…1
	Help  messages.Message // what the classes are, and how often the model is right
	Pair  bool             // the prediction is about two texts
}

// mostTokenGuesses is the number of tokens whose classes a card lists. JSON has all.
const mostTokenGuesses = 40

// Guesses returns the predictions of a model's classifiers for a text, except those that mean nothing for it.
func Guesses(res *engine.Result, text string) []Guess {
	var list []Guess
	for _, g := range res.Guesses {
		if len(g.Classes) == 0 || !Means(g, text) || g.Token > 0 && len(list) == mostTokenGuesses {
			continue
		}
		guess := Guess{Task: TaskName(g), Class: ClassName(g.Classes[0].Name), P: g.Classes[0].P,
			Pair: encoder.OfPairs(g.Task)}
		guess.Help = guess.help(g, res.Model)
		if g.Token > 0 {
			guess.Task = messages.New("guess.token", "task", guess.Task, "token", res.Tokens[g.Token-1].Label(),
				"place", g.Token)
		}
		if g.Apart {
			guess.Class = messages.New("guess.apart", "class", guess.Class, "score", messages.Number(g.Classes[0].Score))
		}
		list = append(list, guess)
	}
	return list
}

// Means reports whether a prediction means something for a text. There is no topic "none of these": for every
// text, one of the topics of requests to an assistant is the most likely. So only a text that may be a request has
// a topic.
func Means(g predict.Guess, text string) bool { return !ofRequests(g) || mayBeRequest(text) }

// TaskName names what a classifier predicts.
func TaskName(g predict.Guess) messages.Message {
	switch {
	case ofRequests(g):
		return messages.New("guess.topic")
	case g.Task == encoder.Feeling:
		return messages.New("guess.feeling")
	case encoder.OfPairs(g.Task):
		return messages.New("objective." + messages.Key(g.Task))
	}
	return messages.Text(g.Task)
}

// ClassName names a class of the bundled models' classifiers in words. Other classes keep their name.
func ClassName(name string) messages.Message {
	if !slices.Contains(slices.Concat(encoder.Topics, encoder.Sentiments, encoder.NextSentence.Classes,
		encoder.SentenceOrder.Classes), name) {
		return messages.Text(name)
	}
	return messages.New("guess.class." + messages.Key(name))
}

// help explains the classes, and how often the model is right.
func (g Guess) help(of predict.Guess, m *engine.ModelInfo) messages.Message {
	var what, right messages.Message
	switch {
	case ofRequests(of):
		what = messages.New("guess.topic-help", "topics", len(of.Classes))
	case of.Task == encoder.Feeling:
		what = messages.New("guess.feeling-help")
	}
	if m != nil && g.Pair {
		right = rightFor("guess.pairs", of.Task, m)
	} else if m != nil {
		right = rightFor("guess.texts", of.Task, m)
	}
	return messages.Join(" ", what, right)
}

func rightFor(id, task string, m *engine.ModelInfo) messages.Message {
	share, ok := m.Score[task]
	if !ok {
		return messages.Message{}
	}
	return messages.New(id, "share", messages.Percent(share))
}

// ofRequests reports whether the classes are topics of requests to an assistant.
func ofRequests(g predict.Guess) bool {
	return g.Task == encoder.Topic && !slices.ContainsFunc(g.Classes,
		func(c predict.Class) bool { return !slices.Contains(encoder.Topics, c.Name) })
}

// longestRequest is the number of words of the longest request in the training data.
const longestRequest = 28

// mayBeRequest reports whether a text has the form of the requests from which topics were learned: one sentence in
// Latin letters without quotation marks and without a full stop. 99.2 % of the 22,500 requests have this form.
// Among other texts, 10.7 % of the validation set of everyday sentences have it, which are questions, and none of
// the stories.
func mayBeRequest(text string) bool {
	words := strings.Fields(text)
	if len(words) == 0 || len(words) > longestRequest || strings.ContainsAny(text, `"“”„«»`) ||
		strings.ContainsFunc(text, foreign) {
		return false
	}
	for i, word := range words {
		switch last, _ := utf8.DecodeLastRuneInString(word); {
		case strings.ContainsRune(".!…|", last), last == '?' && i < len(words)-1:
			return false
		}
	}
	return true
}

// foreign reports whether a letter belongs to another script than Latin, the script of the requests.
func foreign(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) }
