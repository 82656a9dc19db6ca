package results

import (
	"math"
	"net/http"
	"strconv"

	"attnatlas/engine/messages"
	"attnatlas/engine/results"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// serveResults answers GET /results.
func (s *pages) serveResults(w http.ResponseWriter, r *http.Request) error {
	l := site.Language(r)
	page := pageView{
		Page: s.Head(l, "results", l.T("results.title"), l.T("results.summary"), s.StateOf(r)).With(files...),
		Own:  s.Own, Floors: s.Results.Floors(l), Chart: lossChart(l, s.Results),
		JSON: "/api/v1/results", Reproduced: evaluateCommand,
	}
	if t := s.Results.Mechanisms(l); len(t.Rows) > 0 {
		page.Tables = append(page.Tables, s.resultTable(l.T("results.mechanisms-heading"), l.T("results.mechanisms"), t))
		page.Reasons = s.reasons(r, l)
	}
	if t := s.Results.Stacks(l); len(t.Rows) > 0 {
		page.Tables = append(page.Tables, s.resultTable(l.T("results.stacks-heading"), l.T("results.stacks"), t))
	}
	page.Rates = s.rates(l)
	page.Compared = l.T("results.papers", "loss", ourDifference(results.Loss, results.AssumedLoss), "score",
		ourDifference("", results.AssumedScore))
	page.Papers, page.Summary = s.papers(l)
	return s.Render(w, r, http.StatusOK, Results(page))
}

// evaluateCommand is the command that repeats the measurements.
const evaluateCommand = "viz evaluate --data DIR --weights WEIGHTS --gaps engine/gaps/english.tsv --time 20 --json WEIGHTS/results.json"

// serveResultsJSON answers GET /api/v1/results.
func (s *pages) serveResultsJSON(w http.ResponseWriter, r *http.Request, _ address.Query) error {
	return site.SendJSON(w, s.Results)
}

// resultTable returns a table with links to the pages of the models. Their options stand below their names.
func (s *pages) resultTable(title, intro string, t results.Table) ModelTable {
	view := ModelTable{Title: title, Intro: intro}
	for i, head := range t.Head {
		if i != t.Options {
			view.Head, view.Text = append(view.Head, head), append(view.Text, t.Text[i])
		}
	}
	for i, row := range t.Rows {
		r := tableRow{ID: s.linked(t.IDs[i]), Name: row[0]}
		for j, cell := range row[1:] {
			if j+1 != t.Options {
				r.Cells = append(r.Cells, tableCell{Text: cell})
			} else if cell != results.Unknown {
				r.Options = cell
			}
		}
		view.Rows = append(view.Rows, r)
	}
	return view
}

// linked returns the id of a model if it has a page, or an empty string.
func (s *pages) linked(id string) string {
	if s.Find(id) == nil {
		return ""
	}
	return id
}

// lossChart plots the losses of the mechanisms. Its axis begins and ends at a multiple of half a nat.
func lossChart(l *messages.Language, r results.Results) Chart {
	c := Chart{Title: l.T("results.chart"), Label: l.T("results.chart-label")}
	low, high := math.Inf(1), r.Unigram
	models := r.Sorted()
	for _, m := range models {
		low, high = min(low, m.Loss.Mean-m.Loss.SD), max(high, m.Loss.Mean+m.Loss.SD)
	}
	low, high = math.Floor(2*low)/2, math.Ceil(2*high)/2
	at := func(loss float64) float64 { return (loss - low) / (high - low) }
	for _, m := range models {
		row := ChartRow{
			Name: l.Say(results.Name(m.ID)), Value: m.Loss.Nats(),
			Mean: at(m.Loss.Mean), Low: at(m.Loss.Mean - m.Loss.SD), High: at(m.Loss.Mean + m.Loss.SD),
		}
		for _, run := range m.Runs {
			if len(m.Runs) > 1 {
				row.Seeds = append(row.Seeds, at(run.Loss))
			}
		}
		c.Rows = append(c.Rows, row)
	}
	for loss := low; loss <= high; loss += 0.5 {
		c.Ticks = append(c.Ticks, ChartTick{Label: strconv.FormatFloat(loss, 'f', 1, 64), At: at(loss)})
	}
	if m := r.Find("fixed-random"); m != nil {
		c.Lines = append(c.Lines, ChartLine{Name: l.T("results.line.fixed"), Class: "fixed", At: at(m.Loss.Mean)})
	}
	if r.Unigram > 0 {
		c.Lines = append(c.Lines, ChartLine{Name: l.T("results.line.unigram"), Class: "unigram", At: at(r.Unigram)})
	}
	return c
}

// rates returns the table of the learning rates that were tried, or nil if none is known.
func (s *pages) rates(l *messages.Language) *ModelTable {
	rates := s.Results.Rates()
	if len(rates) == 0 {
		return nil
	}
	t := ModelTable{Title: l.T("results.rates-heading"), Intro: l.T("results.rates", "steps", s.Results.TrialSteps()),
		Head: []string{l.T("results.column.name")}}
	for _, rate := range rates {
		t.Head = append(t.Head, strconv.FormatFloat(rate, 'g', -1, 64))
	}
	for _, m := range s.Results.Models {
		if len(m.Trials) == 0 {
			continue
		}
		row := tableRow{ID: s.linked(m.ID), Name: m.Name(l), Cells: make([]tableCell, len(rates))}
		if m.Paper {
			row.ID = ""
		}
		for i, rate := range rates {
			row.Cells[i].Text = "–"
			for _, trial := range m.Trials {
				if trial.Rate == rate {
					row.Cells[i] = tableCell{Text: results.Spread{Mean: trial.Loss}.Nats(), Emph: rate == m.Rate,
						Label: l.T("results.chosen")}
					if atEdge(m) {
						row.Cells[i].Note = l.T("results.edge")
					}
				}
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return &t
}

// atEdge reports whether a model's rate is the lowest or the highest rate that was tried.
func atEdge(m results.ModelResults) bool {
	lower, higher := false, false
	for _, t := range m.Trials {
		lower, higher = lower || t.Rate < m.Rate, higher || t.Rate > m.Rate
	}
	return !lower || !higher
}
