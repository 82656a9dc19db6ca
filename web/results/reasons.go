package results

import (
	"slices"

	"attnatlas/engine/messages"
)

// reasoned are the mechanisms of which it is said why they end where they do.
var reasoned = []string{"reformer", "linear", "linformer", "fastformer", "fixed-random"}

// reasons say why some mechanisms are far behind, with their figures. They are of the shipped models.
func (s *pages) reasons(l *messages.Language) (all []string) {
	dot, fixed := s.Results.Find("dot-product"), s.Results.Find("fixed-random")
	if s.Own || dot == nil || fixed == nil {
		return nil
	}
	for _, m := range s.Results.Sorted() {
		long, some := m.Long["256"]
		topic, too := m.Score["topic"]
		if !slices.Contains(reasoned, m.ID) || !some || !too {
			continue
		}
		all = append(all, l.T("results.reasons."+m.ID, "loss", m.Loss.Nats(), "long", long.Nats(), "topic", topic.Percent(),
			"dot", dot.Loss.Nats(), "dotlong", dot.Long["256"].Nats(), "fixed", fixed.Loss.Nats()))
	}
	return all
}

// small are mechanisms whose models have far smaller options than their papers: windows, blocks and slots of a
// sentence.
var small = []string{"linformer", "longformer", "bigbird", "poolingformer", "reformer", "reversible"}
