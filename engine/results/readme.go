package results

import (
	"math"
	"strconv"
	"strings"

	"attnatlas/engine/messages"
	"attnatlas/engine/train"
)

// Markers of the blocks that Readme replaces.
const (
	blockBegins = "<!-- results: "
	blockEnds   = "<!-- results end -->"
)

// Readme replaces the blocks between markers in a Markdown text with tables of the results. A block
// begins with "<!-- results: mechanisms -->", "<!-- results: stacks -->" or "<!-- results: short
// -->" and ends with "<!-- results end -->".
func (r Results) Readme(text string, l *messages.Language) (string, error) {
	var out strings.Builder
	blocks := 0
	for {
		before, rest, ok := strings.Cut(text, blockBegins)
		out.WriteString(before)
		if !ok {
			break
		}
		kind, rest, ok := strings.Cut(rest, " -->\n")
		_, after, ends := strings.Cut(rest, blockEnds)
		block, known := r.block(kind, l)
		if !ok || !ends || !known {
			return "", messages.Errorf("results.markers")
		}
		out.WriteString(blockBegins + kind + " -->\n" + block + blockEnds)
		text = after
		blocks++
	}
	if blocks == 0 {
		return "", messages.Errorf("results.markers")
	}
	return out.String(), nil
}

func (r Results) block(kind string, l *messages.Language) (string, bool) {
	switch kind {
	case "mechanisms":
		return strings.Join(r.Floors(l), " ") + "\n\n" + r.Mechanisms(l).markdown(), true
	case "stacks":
		return r.Stacks(l).markdown(), true
	case "short":
		return r.short(l).markdown(), true
	}
	return "", false
}

// markdown returns the table in Markdown.
func (t Table) markdown() string {
	var out strings.Builder
	line := func(cells []string) { out.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(t.Head)
	rule := make([]string, len(t.Head))
	for i := range rule {
		rule[i] = "---"
	}
	line(rule)
	for _, row := range t.Rows {
		line(row)
	}
	return out.String()
}

// Floors returns sentences with the baselines of the figures: the number of seeds, the losses of
// the unigram baseline and of fixed random attention, and the scores of the majority-class
// baseline.
func (r Results) Floors(l *messages.Language) []string {
	most := 0
	for _, m := range r.Models {
		most = max(most, m.Loss.N)
	}
	all := []string{l.T("results.floor.one-seed")}
	if most > 1 {
		all = []string{l.T("results.floor.seeds")}
	}
	if !r.even() {
		all = append(all, l.T("results.floor.uneven"))
	}
	if r.Unigram > 0 {
		all = append(all, l.T("results.floor.unigram", "loss", Spread{Mean: r.Unigram}.Nats()))
	}
	for _, name := range r.gapLists() {
		all = append(all, r.gapFloor(l, name))
	}
	if m := r.Find("fixed-random"); m != nil {
		all = append(all, l.T("results.floor.fixed", "loss", m.Loss.Nats()))
	}
	if len(r.Chance) > 0 {
		share := func(task string) string { return messages.Percent(r.Chance[task]) }
		all = append(all, l.T("results.floor.chance", "words", share("words"), "copied", share(train.Copied), "topic",
			share("topic"), "feeling", share("feeling"), "pairs", share("next sentence")))
	}
	return all
}

// gapFloor returns the sentence with the length of a list of gaps and the largest standard error of its shares.
func (r Results) gapFloor(l *messages.Language, list string) string {
	n := 0
	for _, m := range r.Models {
		n = max(n, m.Gaps[list].Sentences)
	}
	return l.T("results.floor.gaps", "list", messages.Capital(list), "sentences", n, "error",
		strconv.FormatFloat(100*math.Sqrt(0.25/float64(n)), 'f', 1, 64))
}

// even reports whether all mechanisms saw the same number of tokens.
func (r Results) even() bool {
	var first *ModelResults
	for i, m := range r.Models {
		switch {
		case m.Stack:
		case first == nil:
			first = &r.Models[i]
		case !alike(*first, m):
			return false
		}
	}
	return true
}
