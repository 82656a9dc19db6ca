package figure

import "attnatlas/engine/trace"

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
