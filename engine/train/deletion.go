package train

import (
	"context"
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Deletion measures how much a classifier needs the tokens that maps point at. It is the accuracy
// after one token of every text has been deleted. The remaining tokens move together.
type Deletion struct {
	Task   string      `json:"task" doc:"Name of the classifier’s task"`
	Texts  int         `json:"texts" doc:"Number of texts in the measurement"`
	Whole  float64     `json:"whole" doc:"Accuracy on the complete texts, 0…1"`
	Random float64     `json:"random" doc:"Mean accuracy after the deletion of one token, over all tokens of a text, 0…1"`
	By     []DeletedBy `json:"by" doc:"Accuracy after the deletion of the token that a map points at, for each map, layer and head"`
}

// DeletedBy is the accuracy without the token that a map points at. This is the largest value of a
// strip, or the token to which [CLS] attends most, because the output of [CLS] is classified.
type DeletedBy struct {
	Map   string  `json:"map" doc:"Name of the map"`
	Layer int     `json:"layer" doc:"Number of the layer, from 1"`
	Head  int     `json:"head" doc:"Number of the head, from 1; 0 for the mean over heads"`
	Right float64 `json:"right" doc:"Accuracy after the deletion, 0…1"`
}

// Delete measures the maps of a model's layers for the named classifier, on the texts of at least two tokens.
// It uses the first view of the mechanism, if its shape is [H,N,N], and the strips of probabilities [H,N]. It returns
// nil if the model lacks the classifier, or if there are no labelled texts. It ends with the context.
func Delete(ctx context.Context, m *encoder.Model, c *Corpus, task string) (*Deletion, error) {
	t := slices.IndexFunc(m.Config.Tasks, func(of encoder.Task) bool { return of.Name == task })
	known := slices.IndexFunc(encoder.Classifiers(), func(of encoder.Task) bool { return of.Name == task })
	if t < 0 || known < 0 || c.tasks[known].count == 0 {
		return nil, nil
	}
	d := &deleter{m: m, p: nn.NewPass(ad.NewFrozen()), task: t, Deletion: Deletion{Task: task}}
	entry, ok := attention.Find(m.Config.Mechanism)
	if !ok {
		return nil, nil
	}
	for _, v := range entry.Views {
		d.maps = append(d.maps, v.Map)
	}
	texts := c.tasks[known]
	for _, n := range texts.lengths {
		for _, r := range texts.rows[n] {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if n >= 4 {
				d.text(r)
			}
		}
	}
	if d.Texts == 0 {
		return nil, nil
	}
	d.mean()
	return &d.Deletion, nil
}

// deleter counts right answers; mean turns the counts into shares.
type deleter struct {
	Deletion
	m    *encoder.Model
	p    *nn.Pass
	task int
	maps []string
}

// text adds one text.
func (d *deleter) text(r row) {
	d.Texts++
	d.p.Reset()
	d.p.Run = &trace.Run{Only: d.maps}
	x := d.m.Run(d.p, encoder.Input{IDs: r.ids, Count: 1})
	if top(d.m.Classify(d.p, x, d.task).Value.Data) == r.class {
		d.Whole++
	}
	tops := pointed(d.p.Run, d.maps)
	d.p.Reset()
	right := d.without(r)
	for _, ok := range right {
		d.Random += count(ok) / float64(len(right))
	}
	if d.By == nil {
		d.By = make([]DeletedBy, len(tops))
	}
	for i, by := range tops {
		sum := d.By[i].Right + count(right[by.at-1])
		d.By[i] = by.DeletedBy
		d.By[i].Right = sum
	}
}

// without reports, for each of the n−2 tokens between [CLS] and [SEP], whether the answer is right without it.
func (d *deleter) without(r row) []bool {
	words := len(r.ids) - 2
	in := encoder.Input{Count: words}
	for at := range words {
		in.IDs = append(append(in.IDs, r.ids[:at+1]...), r.ids[at+2:]...)
	}
	read := d.m.Read(d.p, in, encoder.Wanted{Classes: true})
	scores := d.m.Class(d.p, read.Pooled, d.task).Value
	right := make([]bool, words)
	for at := range right {
		right[at] = top(scores.Sub(at).Data) == r.class
	}
	return right
}

func (d *deleter) mean() {
	n := float64(d.Texts)
	d.Whole /= n
	d.Random /= n
	for i := range d.By {
		d.By[i].Right /= n
	}
}

// points reports whether a map of one head points at a place: strips and the main map of pairs do.
func points(m trace.Map, main bool) bool {
	last := m.Axes[len(m.Axes)-1].Role
	switch len(m.Axes) {
	case 1:
		return last == trace.Token && m.Kind == trace.Probability
	case 2:
		return main && m.Axes[0].Role == trace.Query && last == trace.Key && m.Kind != trace.Count
	}
	return false
}

// pointer is the place that a map points at.
type pointer struct {
	DeletedBy
	at int
}

// pointed returns the places for all maps of all layers, for the mean and for each head.
func pointed(run *trace.Run, maps []string) []pointer {
	var all []pointer
	for l, part := range run.Parts {
		for _, name := range maps {
			m, ok := part.Find(name)
			if !ok || !points(m.HeadMean(), name == maps[0]) {
				continue
			}
			all = append(all, pointer{DeletedBy{Map: name, Layer: l + 1}, largestPlace(m.HeadMean().Value)})
			if axis, heads := m.Has(trace.Head); heads && axis == 0 {
				for h := range m.Value.Dim(0) {
					all = append(all, pointer{DeletedBy{Map: name, Layer: l + 1, Head: h + 1}, largestPlace(m.Value.Sub(h))})
				}
			}
		}
	}
	return all
}

// largestPlace returns the position of the largest value between [CLS] and [SEP], in a strip [N] or in the first row of
// pairs [N,N].
func largestPlace(t *tensor.T) int {
	if t.Rank() > 1 {
		t = t.Sub(0)
	}
	return 1 + top(t.Data[1:t.Len()-1])
}

// top returns the place of the largest value, the first of equal ones.
func top(values []tensor.Elem) int {
	best := 0
	for i, v := range values {
		if v > values[best] {
			best = i
		}
	}
	return best
}

func count(ok bool) float64 {
	if ok {
		return 1
	}
	return 0
}
