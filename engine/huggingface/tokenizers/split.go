package tokenizers

// behavior says what becomes of the parts that a pattern has found: those that stay found are left out.
type behavior func([]match) []match

// behaviors are known by "behavior".
var behaviors = map[string]behavior{
	"Removed": removed, "Isolated": isolated, "Contiguous": contiguous,
	"MergedWithPrevious": mergedWithPrevious, "MergedWithNext": mergedWithNext,
}

// removed leaves out what was found.
func removed(matches []match) []match { return matches }

// isolated makes a word of everything that was found.
func isolated(matches []match) []match {
	for i := range matches {
		matches[i].found = false
	}
	return matches
}

// contiguous makes one word of finds that follow each other.
func contiguous(matches []match) []match {
	return merged(matches, func(m match, before bool) bool { return m.found == before })
}

// mergedWithPrevious appends a find to what stands before it.
func mergedWithPrevious(matches []match) []match {
	return merged(matches, func(m match, before bool) bool { return m.found && !before })
}

// merged joins a part with the one before where join says so of it and of whether the one before was found.
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

// mergedWithNext puts a find before what follows it.
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
