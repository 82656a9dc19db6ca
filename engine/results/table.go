package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
)

// Table is a table of models for readers.
type Table struct {
	Head    []string // the first heads the names
	Text    []bool   // columns of words, not of numbers
	Options int      // column of the options of the mechanisms, or -1
	IDs     []string // ids of the models in the rows
	Rows    [][]string
}

// Unknown is the cell of a model without a value.
const Unknown = "–"

// column is a column of a table. A cell is empty if a model has no value.
type column struct {
	id   string // id of its head, below results.column
	list string // list of gaps, named in the head
	text bool   // cells are words
	cell func(l *messages.Language, m ModelResults) string
}

// Mechanisms returns the table of the mechanisms in the common encoder, by loss. It includes models
// with the proportions of their papers.
func (r Results) Mechanisms(l *messages.Language) Table {
	models := byLoss(r.Models, func(m ModelResults) bool { return !m.Stack })
	return table(l, models, slices.Concat([]column{nameColumn, lossColumn, wordsColumn}, r.gapColumns(), []column{
		scoreColumn("topic"), scoreColumn("feeling"), longColumn(128), longColumn(256),
		tokensColumn, paramsColumn, workColumn, cpuColumn, rateColumn, seedsColumn, optionsColumn,
	}))
}

// short returns a table of the shown mechanisms, by loss, with few columns.
func (r Results) short(l *messages.Language) Table {
	return table(l, r.Sorted(), slices.Concat([]column{nameColumn, lossColumn, wordsColumn}, r.gapColumns(),
		[]column{paramsColumn, chosenColumn}))
}

// Stacks returns the table of the architectures in the order of the catalogue, because their
// objectives differ.
func (r Results) Stacks(l *messages.Language) Table {
	stacks := slices.DeleteFunc(slices.Clone(r.Models), func(m ModelResults) bool { return !m.Stack })
	return table(l, stacks, slices.Concat([]column{nameColumn, layersColumn, objectiveColumn, lossColumn,
		wordsColumn}, r.gapColumns(), []column{
		pairsColumn, scoreColumn("topic"), scoreColumn("feeling"),
		longColumn(128), longColumn(256), paramsColumn, tokensColumn, workColumn, cpuColumn, rateColumn, seedsColumn, optionsColumn,
	}))
}

// Sorted returns the shown mechanisms by loss.
func (r Results) Sorted() []ModelResults {
	return byLoss(r.Models, func(m ModelResults) bool { return !m.Stack && !m.Paper })
}

func byLoss(all []ModelResults, some func(ModelResults) bool) (models []ModelResults) {
	for _, m := range all {
		if some(m) {
			models = append(models, m)
		}
	}
	slices.SortStableFunc(models, func(a, b ModelResults) int { return cmp.Compare(a.Loss.Mean, b.Loss.Mean) })
	return models
}

// table returns a table without the columns that are empty for all models. A model with a paper's
// options has no id, because no page shows it.
func table(l *messages.Language, models []ModelResults, columns []column) Table {
	t := Table{Rows: make([][]string, len(models)), Options: -1}
	for _, m := range models {
		id := m.ID
		if m.Paper {
			id = ""
		}
		t.IDs = append(t.IDs, id)
	}
	for _, c := range columns {
		cells, some := make([]string, len(models)), false
		for i, m := range models {
			cells[i] = c.cell(l, m)
			some = some || cells[i] != ""
		}
		if !some {
			continue
		}
		if c.id == optionsColumn.id {
			t.Options = len(t.Head)
		}
		t.Head = append(t.Head, l.T("results.column."+c.id, "list", messages.Capital(c.list)))
		t.Text = append(t.Text, c.text)
		for i, cell := range cells {
			t.Rows[i] = append(t.Rows[i], cmp.Or(cell, Unknown))
		}
	}
	return t
}

var (
	nameColumn    = column{id: "name", cell: func(l *messages.Language, m ModelResults) string { return m.Name(l) }}
	optionsColumn = column{id: "options", text: true, cell: func(l *messages.Language, m ModelResults) string {
		return m.OptionsIn(l)
	}}
	chosenColumn = column{id: "chosen-options", text: true, cell: chosenOptions}
	lossColumn   = column{id: "loss", cell: func(_ *messages.Language, m ModelResults) string { return m.Loss.Nats() }}
	wordsColumn  = column{id: "words", cell: func(l *messages.Language, m ModelResults) string {
		if m.Objective == string(encoder.TargetWords) {
			return answers(l, m)
		}
		return firstScore(m, "words", string(encoder.NextWord))
	}}
	pairsColumn  = column{id: "pairs", cell: pairs}
	layersColumn = column{id: "layers", text: true, cell: layers}
	paramsColumn = column{id: "params", cell: func(_ *messages.Language,
		m ModelResults) string {
		return messages.Grouped(m.Params)
	}}
	tokensColumn = column{id: "tokens", cell: func(_ *messages.Language, m ModelResults) string {
		return strconv.FormatFloat(float64(m.Tokens)/1e6, 'f', 1, 64)
	}}
	workColumn = column{id: "work", cell: func(_ *messages.Language,
		m ModelResults) string {
		return messages.Number(m.Work)
	}}
	cpuColumn = column{id: "cpu", cell: func(_ *messages.Language,
		m ModelResults) string {
		return positive("%.1f", m.CPU)
	}}
	rateColumn = column{id: "rate", cell: func(_ *messages.Language,
		m ModelResults) string {
		return positive("%.4g", m.Rate)
	}}

	seedsColumn = column{id: "seeds", cell: func(_ *messages.Language,
		m ModelResults) string {
		return strconv.Itoa(m.Loss.N)
	}}
	objectiveColumn = column{id: "objective", text: true, cell: func(l *messages.Language, m ModelResults) string {
		return l.T("results.objective." + strings.ReplaceAll(m.Objective, " ", "-"))
	}}
)

// Name returns the name of a model. It distinguishes a mechanism with a paper's options from the
// one on the pages.
func (m ModelResults) Name(l *messages.Language) string {
	name := l.Say(Name(m.ID))
	if m.Paper {
		return l.T("results.paper-options", "name", name)
	}
	return name
}

// OptionsIn lists the options of a model, chosen or default, without empty ones: those of an architecture, then those of
// its mechanism.
func (m ModelResults) OptionsIn(l *messages.Language) string {
	id, mechanism, err := encoder.Parse(m.ID)
	if err != nil {
		return ""
	}
	mixer, _ := attention.Find(mechanism)
	inside := values(l, mixer.Options, m.Options)
	stack, _ := encoder.FindStack(id)
	if id == "" || inside == "" {
		return inside + values(l, stack.Options, m.Architecture)
	}
	return strings.TrimPrefix(values(l, stack.Options, m.Architecture)+"; ", "; ") +
		l.T("results.mixer", "name", mixer.Name, "options", inside)
}

// values returns the values of options, chosen or default.
func values(l *messages.Language, options []attention.Option, chosen map[string]string) string {
	var all []string
	for _, o := range options {
		value, ok := chosen[o.Name]
		if !ok {
			value = o.Default
		}
		if value != "" {
			all = append(all, l.T("option.chosen", "name", o.Name, "value", attention.ValueName(value)))
		}
	}
	return strings.Join(all, ", ")
}

// chosenOptions lists the options of a mechanism that are not the defaults.
func chosenOptions(l *messages.Language, m ModelResults) string {
	e, ok := attention.Find(m.ID)
	if !ok {
		return ""
	}
	return values(l, slices.DeleteFunc(slices.Clone(e.Options), func(o attention.Option) bool {
		_, chosen := m.Options[o.Name]
		return !chosen
	}), m.Options)
}

// Name returns the name of a model for readers.
func Name(id string) messages.Message {
	if e, ok := attention.Find(id); ok {
		return e.Name
	}
	stack, mechanism, both := strings.Cut(id, ".")
	e, ok := encoder.FindStack(stack)
	mixer, known := attention.Find(mechanism)
	switch {
	case ok && both && known:
		return messages.New("results.with", "stack", e.Name, "mechanism", mixer.Name)
	case ok:
		return e.Name
	}
	return messages.Text(id)
}

// positive formats a number, or returns "" for 0 (unknown).
func positive(format string, v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf(format, v)
}

func longColumn(n int) column {
	return column{id: "long-" + strconv.Itoa(n), cell: func(_ *messages.Language, m ModelResults) string {
		s, ok := m.Long[strconv.Itoa(n)]
		if !ok {
			return ""
		}
		return s.Nats()
	}}
}

// gapLists returns the names of the lists of gaps on which models were tested.
func (r Results) gapLists() []string {
	lists := map[string]bool{}
	for _, m := range r.Models {
		for name := range m.Gaps {
			lists[name] = true
		}
	}
	return slices.Sorted(maps.Keys(lists))
}

// gapColumns returns one column for each list of gaps.
func (r Results) gapColumns() (columns []column) {
	for _, name := range r.gapLists() {
		columns = append(columns, column{id: "gaps", list: name, cell: func(l *messages.Language, m ModelResults) string {
			s, ok := m.Gaps[name]
			if !ok {
				return ""
			}
			return l.T("results.gaps", "first", messages.Percent(s.First), "ten", messages.Percent(s.Ten))
		}})
	}
	return columns
}

func scoreColumn(task string) column {
	return column{id: task, cell: func(_ *messages.Language, m ModelResults) string { return firstScore(m, task) }}
}

// firstScore returns the score of the first of the tasks that a model has.
func firstScore(m ModelResults, tasks ...string) string {
	for _, task := range tasks {
		if s, ok := m.Score[task]; ok {
			return s.Percent()
		}
	}
	return ""
}

// answers returns the fractions of texts with every word right, by task.
func answers(l *messages.Language, m ModelResults) string {
	var list messages.List
	for _, task := range []string{"reverse", "sort"} {
		if s, ok := m.Score[task]; ok {
			list = append(list, l.T("results.answers."+task, "share", s.Percent()))
		}
	}
	return l.T("list.all", "items", list)
}

// pairs returns the accuracy in classifying pairs of texts.
func pairs(l *messages.Language, m ModelResults) string {
	for _, task := range []encoder.Task{encoder.NextSentence, encoder.SentenceOrder} {
		if s, ok := m.Score[task.Name]; ok {
			return l.T("results.pairs."+strings.ReplaceAll(task.Name, " ", "-"), "share", s.Percent())
		}
	}
	return ""
}

func layers(l *messages.Language, m ModelResults) string {
	switch {
	case m.Own == m.Layers:
		return strconv.Itoa(m.Layers)
	case m.Halts:
		return l.T("results.halts", "own", m.Own, "runs", m.Layers)
	}
	return l.T("results.times", "own", m.Own, "runs", m.Layers)
}

// Nats formats a loss: "4.379", or "4.379 ± 0.012" for several seeds.
func (s Spread) Nats() string {
	if s.N < 2 {
		return fmt.Sprintf("%.3f", s.Mean)
	}
	return fmt.Sprintf("%.3f ± %.3f", s.Mean, s.SD)
}

// Percent formats a fraction: "26.2 %", or "26.2 ± 0.3 %" for several seeds.
func (s Spread) Percent() string {
	if s.N < 2 {
		return messages.Percent(s.Mean)
	}
	return fmt.Sprintf("%.1f ± ", 100*s.Mean) + messages.Percent(s.SD)
}
