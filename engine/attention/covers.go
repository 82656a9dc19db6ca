package attention

import (
	"sort"
	"strings"

	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
)

// Complete returns a sentence for a text of n tokens in which nothing is left out. It also names
// the number of tokens, up to longest, from which something is left out. The message is zero if
// something is left out, and for mechanisms that never leave anything out.
func (e *Entry) Complete(c Config, n, longest int) messages.Message {
	if e.Covers == nil || !e.Covers(c, n) {
		return messages.Message{}
	}
	args := []any{"tokens", n}
	for _, o := range e.Options {
		args = append(args, strings.ReplaceAll(o.Name, "-", "_"), c.choices(e.Options...).text(o.Name))
	}
	whole, to := messages.New("mechanism."+e.ID+".covers", args...), n
	for to < longest && e.Covers(c, to) { // double the length until something is left out
		to = min(2*to, longest)
	}
	if e.Covers(c, to) {
		return messages.Join(" ", whole, message("shared.covers-all", "longest", longest))
	}
	from := n + sort.Search(to-n, func(i int) bool { return !e.Covers(c, n+i) })
	return messages.Join(" ", whole, messages.New("mechanism."+e.ID+".from", "from", from))
}

// coversAll reports whether the windows show every word to every other.
func (w *windows) coversAll() bool {
	reaches := ofAny(w.heads, w.reach(w.cells(nn.Mask{})))
	for i := range w.n * w.n {
		if !reaches(i/w.n, i%w.n) {
			return false
		}
	}
	return true
}
