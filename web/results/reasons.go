package results

import (
	"slices"
	"strings"

	"attnatlas/engine/attention"
	"attnatlas/engine/messages"
	"attnatlas/web/site"
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

// addOptions puts the options of every mechanism behind its name.
func (s *pages) addOptions(l *messages.Language, t *ModelTable) {
	t.Head = slices.Insert(t.Head, 1, l.T("results.column.options"))
	for i, row := range t.Rows {
		text := "–"
		if e := s.Find(row.ID); e != nil {
			text = s.optionsOf(l, e)
		}
		t.Rows[i].Cells = slices.Insert(row.Cells, 0, Cell{Text: text})
	}
}

// optionsOf are the options of a mechanism's model, chosen or usual.
func (s *pages) optionsOf(l *messages.Language, e *site.Mechanism) string {
	var chosen map[string]string
	if m := s.Model(e.ID); m != nil {
		chosen = m.MixerOptions
	}
	var all []string
	for _, o := range e.Choices() {
		value, ok := chosen[o.Name]
		if !ok {
			value = o.Default
		}
		all = append(all, l.T("option.chosen", "name", o.Name, "value", attention.ValueName(value)))
	}
	if len(all) == 0 {
		return "–"
	}
	return strings.Join(all, ", ")
}

// small are mechanisms whose models have far smaller options than their papers: windows, blocks and slots of a
// sentence.
var small = []string{"linformer", "longformer", "bigbird", "poolingformer", "reformer", "reversible"}
