package results

import (
	"math"
	"slices"
	"strconv"

	"attnatlas/engine/messages"
	"attnatlas/engine/results"
	"attnatlas/web/site"
)

// papers returns the papers that compare mechanisms of the Atlas. It also returns a sentence on how many
// comparisons agree. It counts a pair of mechanisms once, and those that say little apart from the others.
func (s *pages) papers(l *messages.Language) (views []PaperResults, summary string) {
	count, weak := map[results.Verdict]int{}, 0
	counted, title := map[[3]string]bool{}, ""
	for _, p := range results.Papers() {
		comparisons := s.Results.Compare(p)
		if len(comparisons) == 0 {
			continue
		}
		v := PaperResults{
			ID: p.ID, Title: p.Citation, Table: l.T("results.table", "table", site.Capital(p.Table), "task", p.Task,
				"unit", p.Unit),
			Found: p.Found, Figures: s.figures(l, p),
		}
		if title == v.Title {
			v.Title = ""
		} else {
			title = v.Title
		}
		differs := false
		for _, c := range comparisons {
			v.Findings = append(v.Findings, finding(l, p, c))
			if pair := [3]string{p.Measure, c.Model, c.Base}; !counted[pair] {
				counted[pair] = true
				if len(saysLittle(c)) > 0 {
					weak++
				} else {
					count[c.Verdict]++
				}
			}
			differs = differs || c.Verdict == results.Disagrees
		}
		if differs {
			v.Why = l.Paragraphs(messages.New("results.why." + p.ID))
		}
		views = append(views, v)
	}
	if len(counted) == 0 {
		return nil, ""
	}
	return views, l.T("results.agreement", "all", len(counted), "agree", count[results.Agrees], "disagree",
		count[results.Disagrees], "open", count[results.Open]+count[results.Tied], "weak", weak)
}

// figures returns the rows of a paper's table next to our values.
func (s *pages) figures(l *messages.Language, p results.Paper) ModelTable {
	t := ModelTable{
		Title: l.T("results.beside", "table", p.Table, "task", p.Task),
		Head: []string{l.T("results.column.name"), l.T("results.column.theirs", "unit", p.Unit),
			l.T("results.column." + p.Measure)},
	}
	for _, row := range p.Rows {
		ours := "–"
		if m := s.Results.Comparable(row.Model); m != nil {
			if score, ok := m.Score[p.Measure]; ok {
				ours = score.Percent()
			} else if p.Measure == results.Loss {
				ours = m.Loss.Nats()
			}
			if m.Paper {
				ours += " " + l.T("results.of-paper")
			}
		}
		t.Rows = append(t.Rows, tableRow{ID: s.linked(row.Model), Name: row.Name, Cells: []tableCell{
			{Text: strconv.FormatFloat(row.Value, 'f', 2, 64)}, {Text: ours},
		}})
	}
	return t
}

// finding compares two models in a paper and in the Atlas, and says whether both agree.
func finding(l *messages.Language, p results.Paper, c results.PaperComparison) string {
	model, base := results.Name(c.Model), results.Name(c.Base)
	var theirs messages.Message
	switch {
	case c.Level:
		theirs = messages.New("results.theirs.level", "quote", c.Quote, "model", model, "base", base)
	case c.Quote != "":
		theirs = messages.New("results.theirs.claim", "quote", c.Quote, "model", model, "base", base)
	case c.Better:
		theirs = messages.New("results.theirs.better", "model", model, "base", base, "by", difference(c.Theirs),
			"unit", p.Gap)
	default:
		theirs = messages.New("results.theirs.worse", "model", model, "base", base, "by", difference(c.Theirs), "unit", p.Gap)
	}
	by, noise := ourDifference(p.Measure, c.Ours), ourDifference(p.Measure, c.Noise)
	ours := messages.New("results.ours.worse", "by", by)
	switch {
	case math.Abs(c.Ours) < 0.0005: // the last digit that is shown
		ours = messages.New("results.ours.same")
	case c.Ours > 0:
		ours = messages.New("results.ours.better", "by", by)
	}
	said := l.T("results.finding", "theirs", theirs, "ours", ours, "verdict",
		messages.New("results.verdict."+string(c.Verdict), "noise", noise))
	if p.Measure != results.Loss && c.Verdict == results.Agrees && c.Words < 0 {
		said += " " + l.T("results.words", "model", model, "base", base, "by", ourDifference(results.Loss, c.Words))
	}
	for _, id := range c.Papered {
		said += " " + l.T("results.papered", "model", results.Name(id))
	}
	for _, why := range saysLittle(c) {
		said += " " + l.Say(why)
	}
	return said
}

// saysLittle returns the reasons why a comparison says little about the mechanisms.
func saysLittle(c results.PaperComparison) (why []messages.Message) {
	for _, id := range []string{c.Model, c.Base} {
		if slices.Contains(small, id) && !slices.Contains(c.Papered, id) {
			why = append(why, messages.New("results.small", "model", results.Name(id)))
		}
	}
	if c.Long {
		why = append(why, messages.New("results.short"))
	}
	return why
}

// difference formats the size of a difference between a paper's values.
func difference(v float64) string { return strconv.FormatFloat(math.Abs(v), 'f', 2, 64) }

// ourDifference formats the size of a difference of losses, or of fractions of correct answers.
func ourDifference(measure string, v float64) messages.Message {
	if measure == results.Loss {
		return messages.New("results.by.nats", "nats", strconv.FormatFloat(math.Abs(v), 'f', 3, 64))
	}
	return messages.New("results.by.points", "points", strconv.FormatFloat(100*math.Abs(v), 'f', 1, 64))
}
