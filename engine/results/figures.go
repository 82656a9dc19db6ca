package results

import (
	"math"
	"strconv"
	"strings"

	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/train"
)

// MeasureScore is one measure of a model with its baseline.
type MeasureScore struct {
	Label   messages.Message
	Value   string
	Nothing string // value of the baseline that ignores the text; empty: not measured
}

// Figures returns the measures of a model: the loss in nats, the accuracies, and the loss on longer
// texts.
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

// scored are the tasks of ModelResults.Score, in reading order.
var scored = []string{"words", string(encoder.NextWord), "topic", "feeling", encoder.NextSentence.Name,
	encoder.SentenceOrder.Name, "reverse", "sort"}

// floor returns the loss of the unigram baseline for masked-word models. It returns 0 for other
// models, or if it was not measured.
func (r Results) floor(m ModelResults) float64 {
	if m.Objective != string(encoder.MaskedWords) {
		return 0
	}
	return r.Unigram
}

// Brief returns a model's quality in one line: its first accuracy, and its loss.
func (r Results) Brief(m ModelResults) messages.Message {
	for _, task := range scored {
		if s, ok := m.Score[task]; ok {
			return messages.New("learned.brief."+messages.Key(task), "share", s.Percent(), "loss", m.Loss.Nats())
		}
	}
	return messages.New("learned.brief.loss", "loss", m.Loss.Nats())
}

// Meaning returns sentences that explain the figures of a model.
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

// odds returns n for a loss in nats: on geometric average, the right token got a probability of 1
// in n.
func odds(loss float64) string {
	n := math.Exp(loss)
	if n < 10 {
		return strings.TrimSuffix(strconv.FormatFloat(n, 'f', 1, 64), ".0")
	}
	return messages.Grouped(int(math.Round(n)))
}
