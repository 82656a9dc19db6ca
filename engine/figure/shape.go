package figure

import (
	"strconv"

	"attnatlas/engine/trace"
)

// strips says whether a map is one or several rows of cells over the same
// positions, whose rows are not positions themselves.
func strips(m trace.Map) bool {
	if m.Value.Rank() == 1 {
		return true
	}
	switch m.Axes[0].Role {
	case trace.Batch, trace.Layer, trace.Head, trace.Round, trace.Stage, trace.Ponder:
		return true
	}
	return false
}

// axisTitles are what stands at the rows and under the columns: who reads and
// who is read, or the name of the axis.
func axisTitles(m trace.Map) (rows, cols string) {
	title := func(r trace.Role, arrow string) string {
		switch r {
		case trace.Query:
			return "reads " + arrow
		case trace.Key:
			return "is read " + arrow
		}
		return r.String() + " " + arrow
	}
	last := m.Axes[len(m.Axes)-1].Role
	if len(m.Axes) == 1 {
		return "", title(last, "→")
	}
	if strips(m) {
		return "", title(last, "→") // each row says what it is
	}
	return title(m.Axes[0].Role, "↓"), title(last, "→")
}

// labelsOf are the labels of an axis, cleaned and cut: the caller's, the map's,
// or numbers; nil when there is nothing to say (the one row of a strip).
func labelsOf(m trace.Map, given []string, rows bool, n int) []string {
	axis := len(m.Axes) - 1
	if rows {
		axis = 0
	}
	if given == nil && rows && len(m.Axes) == 1 {
		return nil
	}
	if given == nil {
		given = m.Axes[axis].Labels
	}
	out := make([]string, n)
	for i := range out {
		switch {
		case i < len(given):
			out[i] = shorten(visible(given[i]))
		case given == nil && rows && strips(m):
			out[i] = m.Axes[0].Role.String() + " " + strconv.Itoa(i+1)
		case given == nil:
			out[i] = strconv.Itoa(i)
		}
	}
	return out
}

// numbered says whether an axis has only numbers, which a ruler shows better.
func numbered(m trace.Map, given []string, rows bool) bool {
	axis := len(m.Axes) - 1
	if rows {
		axis = 0
	}
	return given == nil && m.Axes[axis].Labels == nil
}
