package results

import (
	"math"
	"strconv"
	"strings"

	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/train"
)

// MeasureScore is one measure of a model beside that of who reads nothing.
type MeasureScore struct {
	Label   messages.Message
	Value   string
	Nothing string // of who reads nothing; empty: not measured
}

// Figures are what was measured of a model: the loss, in nats, shares of right answers, and the loss of longer rows.
func (r Results) Figures(m ModelResults) []MeasureScore {
	loss := MeasureScore{Label: messages.New("learned.loss." + messages.Key(m.Objective)), Value: m.Loss.Nats()}
	if r.floor(m) > 0 {
		loss.Nothing = Spread{Mean: r.floor(m)}.Nats()
	}
	list := []MeasureScore{loss}
	for _, task := range scored {
		s, ok := m.Score[task]
		if !ok {
			continue
		}
		f := MeasureScore{Label: messages.New("learned.task." + messages.Key(task)), Value: s.Percent()}
		if chance, ok := r.Chance[task]; ok {
			f.Nothing = messages.Percent(chance)
		}
		list = append(list, f)
	}
	for _, pieces := range []int{128, 256} {
		if s, ok := m.Long[strconv.Itoa(pieces)]; ok {
			list = append(list, MeasureScore{Label: messages.New("learned.long", "pieces", pieces), Value: s.Nats()})
		}
	}
	return list
}

// scored are the tasks of Model.Score, in the order in which people read them.
var scored = []string{"words", string(encoder.NextWord), "topic", "feeling", encoder.NextSentence.Name,
	encoder.SentenceOrder.Name, "reverse", "sort"}

// floor is the loss of who guesses the words of a model's objective by how often they are; 0: not measured.
func (r Results) floor(m ModelResults) float64 {
	if m.Objective != string(encoder.MaskedWords) {
		return 0
	}
	return r.Unigram
}

// Brief is how well a model guesses, in a line: its first share of right answers, and its loss.
func (r Results) Brief(m ModelResults) messages.Message {
	for _, task := range scored {
		if s, ok := m.Score[task]; ok {
			return messages.New("learned.brief."+messages.Key(task), "share", s.Percent(), "loss", m.Loss.Nats())
		}
	}
	return messages.New("learned.brief.loss", "loss", m.Loss.Nats())
}

// Meaning says in words what the figures of a model are.
func (r Results) Meaning(m ModelResults) []messages.Message {
	if m.Objective == string(encoder.TargetWords) {
		return nil
	}
	all := []messages.Message{messages.New("learned.odds", "loss", m.Loss.Nats(), "odds", odds(m.Loss.Mean))}
	if floor := r.floor(m); floor > 0 {
		all = append(all, messages.New("learned.odds-nothing", "odds", odds(floor)))
	}
	if copied, ok := r.Chance[train.Copied]; ok && m.Objective == string(encoder.MaskedWords) {
		all = append(all, messages.New("learned.copied", "share", messages.Percent(copied)))
	}
	return all
}

// odds are one in how many the right piece is given by who has a loss in nats.
func odds(loss float64) string {
	n := math.Exp(loss)
	if n < 10 {
		return strings.TrimSuffix(strconv.FormatFloat(n, 'f', 1, 64), ".0")
	}
	return messages.Grouped(int(math.Round(n)))
}
