package attention

import (
	"sort"
	"strings"

	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
)

// Complete says that nothing of a text of n tokens is left out, and from how many tokens on something
// is, among texts of at most longest tokens. It is zero where something is, and of mechanisms that
// never leave anything out.
func (e *Entry) Complete(c Config, n, longest int) messages.Message {
	if e.Covers == nil || !e.Covers(c, n) {
		return messages.Message{}
	}
	args := []any{"tokens", n}
	for _, o := range e.Options {
		args = append(args, strings.ReplaceAll(o.Name, "-", "_"), c.choices(e.Options...).text(o.Name))
	}
	whole, to := messages.New("mechanism."+e.ID+".covers", args...), n
	for to < longest && e.Covers(c, to) { // from a power of 2 on, the numbers between need not be tried
		to = min(2*to, longest)
	}
	if e.Covers(c, to) {
		return messages.Join(" ", whole, message("shared.covers-all", "longest", longest))
	}
	from := n + sort.Search(to-n, func(i int) bool { return !e.Covers(c, n+i) })
	return messages.Join(" ", whole, messages.New("mechanism."+e.ID+".from", "from", from))
}

// coversAll says that a window pattern shows every word to every other.
func (w *windows) coversAll() bool {
	reaches := ofAny(w.heads, w.reach(w.cells(nn.Mask{})))
	for i := range w.n * w.n {
		if !reaches(i/w.n, i%w.n) {
			return false
		}
	}
	return true
}
