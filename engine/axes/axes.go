// Package axes names the axes of maps and their positions.
package axes

import (
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/messages"
	"attnatlas/engine/trace"
)

// Repeats reports whether the positions along an axis of this role are repetitions, such as rounds, and not
// positions of a text.
func Repeats(r trace.Role) bool {
	return slices.Contains([]trace.Role{trace.Batch, trace.Layer, trace.Head, trace.Round, trace.Stage, trace.Ponder}, r)
}

// Title returns the name of an axis. For pairs of words, it states what the row or the column does.
func Title(a trace.Axis) messages.Message {
	if a.Name != "" {
		return messages.New("axis." + messages.Key(a.Name))
	}
	return messages.New("axis." + a.Role.String())
}

// Label names position i of an axis: by its label, by its role if the role repeats ("round 2"), or by a number
// from 1.
func Label(a trace.Axis, i int) messages.Message {
	switch {
	case i < len(a.Labels):
		return labelled(a, a.Labels[i])
	case a.Labels != nil:
		return messages.Message{}
	case Repeats(a.Role):
		return messages.New("axis.position-of."+a.Role.String(), "number", i+1)
	}
	return messages.Text(strconv.Itoa(a.Number(i)))
}

// labelled returns a label in words. Labels of stages and steps have a number, such as "switch 2". Labels of components
// are names.
func labelled(a trace.Axis, label string) messages.Message {
	word, number, _ := strings.Cut(label, " ")
	switch {
	case a.Role == trace.Stage || a.Role == trace.Ponder:
		return messages.New("axis.label."+word, "number", number)
	case a.Name == "part":
		return messages.New("axis.label." + label)
	}
	return messages.Text(label)
}

// Numbered reports whether the positions of an axis have only numbers.
func Numbered(a trace.Axis) bool { return a.Labels == nil && !Repeats(a.Role) }
