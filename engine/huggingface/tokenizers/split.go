package tokenizers

// behavior decides about the matches of a pattern: those that stay marked as found are removed.
type behavior func([]match) []match

// behaviors are the behaviors by name.
var behaviors = map[string]behavior{
	"Removed": removed, "Isolated": isolated, "Contiguous": contiguous,
	"MergedWithPrevious": mergedWithPrevious, "MergedWithNext": mergedWithNext,
}

// removed removes matches.
func removed(matches []match) []match { return matches }

// isolated makes every match a word.
func isolated(matches []match) []match {
	for i := range matches {
		matches[i].found = false
	}
	return matches
}

// contiguous joins adjacent matches to one word.
func contiguous(matches []match) []match {
	return merged(matches, func(m match, before bool) bool { return m.found == before })
}

// mergedWithPrevious appends a match to the part before it.
func mergedWithPrevious(matches []match) []match {
	return merged(matches, func(m match, before bool) bool { return m.found && !before })
}

// merged joins a part with the previous one if join returns true. before reports whether the
// previous part was a match.
func merged(matches []match, join func(m match, before bool) bool) []match {
	out, before := matches[:0], false
	for _, m := range matches {
		if join(m, before) && len(out) > 0 {
			out[len(out)-1].end = m.end
		} else {
			out = append(out, match{m.start, m.end, false})
		}
		before = m.found
	}
	return out
}

// mergedWithNext joins a match with the part after it.
func mergedWithNext(matches []match) []match {
	out, next := len(matches), false
	for i := len(matches) - 1; i >= 0; i-- {
		m := matches[i]
		if m.found && !next && out < len(matches) {
			matches[out].start = m.start
		} else {
			out--
			matches[out] = match{m.start, m.end, false}
		}
		next = m.found
	}
	return matches[out:]
}
