package exhibit

import (
	"attnatlas/engine/messages"
	"attnatlas/engine/trace"
)

// parts lists named fractions, each with the largest number that has its name: halfway to the next fraction. Only
// 1 itself is named "all".
var parts = [...]struct {
	most float64
	name string
}{
	{0.005, "nearly-nothing"}, {0.015, "hundredth"}, {0.035, "fiftieth"}, {0.075, "twentieth"}, {0.15, "tenth"},
	{0.225, "fifth"},
	{0.29, "quarter"}, {0.415, "third"}, {0.58, "half"}, {0.71, "two-thirds"}, {0.85, "three-quarters"},
	{0.999, "nearly-all"}, {1, "all"},
}

// Change returns how much the two maps differ (Changed), as a number and in words. If they cannot be subtracted,
// the words say why.
func (c *Comparison) Change() (number, words messages.Message) {
	switch {
	case c.Difference == nil:
		return messages.Message{}, c.NoDifference
	case c.Same:
		return messages.New("change.same"), messages.New("change.same-words")
	}
	of := messages.New("change.of-maps")
	if c.A.Map.Kind == trace.Probability {
		of = messages.New("change.of-rows")
	}
	name := parts[len(parts)-1].name
	for _, p := range parts {
		if c.Changed <= p.most {
			name = p.name
			break
		}
	}
	return messages.Text(messages.Number(c.Changed)), messages.New("change."+name, "what", of)
}
