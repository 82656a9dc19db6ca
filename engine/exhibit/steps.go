package exhibit

import (
	"slices"
	"strings"

	"attnatlas/engine/attention"
	"attnatlas/engine/explain"
	"attnatlas/engine/messages"
	"attnatlas/engine/trace"
)

// StepSentence describes what a step of a pass computes.
func StepSentence(l *messages.Language, s explain.PassStep) string {
	switch scores := strings.HasSuffix(s.Map.Name, " scores"); {
	case s.Task != "" && scores:
		return l.T("steps.say.class-scores", "task", s.Task)
	case s.Task != "":
		return l.T("steps.say.class", "task", s.Task)
	case partOf(s.Map.Name) != "":
		return l.T("steps.say.part-" + partOf(s.Map.Name))
	}
	id := "steps.say." + messages.Key(s.Map.Name)
	sentence := l.T(id)
	if sentence == id { // no bundled model has this step
		return ""
	}
	if s.Same && s.Map.Name == "masked" {
		sentence += " " + l.T("steps.same")
	}
	return sentence
}

// partOf returns the name of a map of a mixture's component without the component: "scores", "weights" or "term".
// It returns an empty string for other maps.
func partOf(name string) string {
	part, rest, _ := strings.Cut(name, " ")
	known := slices.ContainsFunc(attention.Catalog, func(e attention.Entry) bool { return e.ID == part })
	if known && (rest == "scores" || rest == "weights" || rest == "term") {
		return rest
	}
	return ""
}

// ShapeInWords describes the shape of a map: "12 words × 32 features".
func ShapeInWords(l *messages.Language, v explain.StepView, heads int) string {
	var parts []string
	for i, a := range v.Map.Axes {
		count := v.Map.Value.Dim(i)
		parts = append(parts, l.T("steps.count."+countedAs(a), "count", count))
	}
	shape := strings.Join(parts, " × ")
	if len(parts) == 1 {
		shape = parts[0]
	}
	if v.Width > 0 {
		shape = l.T("steps.of-more", "shape", shape, "whole", l.T("steps.count.channel", "count", v.Width*heads))
	}
	return shape
}

// countedAs names the unit in which the positions of an axis are counted.
func countedAs(a trace.Axis) string {
	unit, _, _ := strings.Cut(a.Name, " ") // "place in the order"
	switch {
	case slices.Contains([]string{"place", "position", "part", "class", "sublayer"}, unit):
		return unit
	case a.Name == "word piece":
		return messages.Key(a.Name)
	}
	switch a.Role {
	case trace.Query, trace.Key, trace.Token:
		return "token"
	case trace.HeadChannel:
		return "channel"
	}
	return a.Role.String()
}
