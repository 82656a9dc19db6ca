package results

import (
	"slices"

	"attnatlas/engine/messages"
)

// reasoned lists the mechanisms whose rank the page explains.
var reasoned = []string{"reformer", "linear", "linformer", "fastformer", "fixed-random"}

// reasons explains, with numbers, why some mechanisms are far behind. The reasons apply to the bundled models.
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

// small lists mechanisms whose models have far smaller options than in their papers: windows, blocks and slots for
// one sentence.
var small = []string{"linformer", "longformer", "bigbird", "poolingformer", "reformer", "reversible"}
