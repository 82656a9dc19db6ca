package explain

import (
	"context"
	"fmt"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/ad"
	"attnatlas/engine/fault"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// traced is a fully recorded pass.
type traced struct {
	*engine.Prepared
	pass           *nn.Pass
	word           int               // position of the prediction, from 1; 0: none
	read           []tokenizer.Token // decoder input: [CLS] and the written tokens; nil: no decoder
	guess, classes []headStep
	pooled         *ad.Var // input of the classifiers; nil: not computed yet
}

// headStep is a step of an output head with its array; nil: its numbers cannot be traced.
type headStep struct {
	PassStep
	array *ad.Var
}

// traceOn runs a model on a recording tape, with its output heads: the prediction at a position,
// from 1, and the classes.
func traceOn(ctx context.Context, e *engine.Engine, r engine.Request, word int, do func(*traced) error) error {
	m, err := e.Prepare(r)
	if err != nil {
		return err
	}
	if word > len(m.Text.Tokens) && m.Seq2Seq == nil {
		return fault.Errorf(fault.NotFound, "steps.no-word", "word", word, "words", len(m.Text.Tokens))
	}
	return m.RunOn(ctx, nn.NewPass(ad.NewExplaining()), func(p *nn.Pass) error {
		m.Begin(p)
		t := &traced{Prepared: m, pass: p}
		p.Run = &trace.Run{}
		if err := t.run(ctx, word); err != nil {
			return err
		}
		return do(t)
	})
}

// run computes all outputs of the model for the text.
func (t *traced) run(ctx context.Context, word int) error {
	if t.Seq2Seq == nil {
		t.heads(t.Model.Run(t.pass, t.Input()), word)
		return nil
	}
	source, err := t.Source()
	if err != nil {
		return err
	}
	return t.write(ctx, source, word)
}

// heads computes the prediction at a position, from 1, and the learned classes, from x [1,N,d].
func (t *traced) heads(x *ad.Var, word int) {
	p, m := t.pass, t.Model
	if t.word = word; word == 0 {
		t.word = t.FollowedWord()
	}
	if m.Guesses() {
		scores := m.Words(p, x, []int{t.word - 1}) // [1,V]
		t.likeliest(scores, ad.Softmax(scores))
	}
	for i, task := range m.Config.Tasks {
		if !t.Learned(task) {
			continue
		}
		scores := t.scoresOf(x, i) // [1,C]
		axes := []trace.Axis{{Role: trace.Slot, Name: "class", Labels: task.Classes}}
		shares := ad.Softmax(scores)
		t.classes = append(t.classes,
			headStep{PassStep{Map: trace.Map{Name: task.Name + " scores", Tex: `W_ch + b_c`, Axes: axes,
				Value: scores.Value.Sub(0).Clone()}, Task: task.Name}, scores},
			headStep{PassStep{Map: trace.Map{Name: task.Name, Tex: `\mathrm{softmax}(W_ch + b_c)`, Kind: trace.Probability,
				Axes: axes, Value: shares.Value.Sub(0).Clone()}, Task: task.Name}, shares})
	}
}

// scoresOf returns the scores [1,C] of the classes of a task for an encoded text [1,N,d]. The input
// common to all tasks is computed once.
func (t *traced) scoresOf(x *ad.Var, task int) *ad.Var {
	if t.Model.Classifies() {
		return t.Model.Classify(t.pass, x, task)
	}
	if t.pooled == nil {
		t.pooled = t.Model.Pool(t.pass, x) // [1,d]
	}
	return t.Model.Class(t.pass, t.pooled, task)
}

// likeliest keeps the logits and the probabilities [1,V] of the most probable tokens.
func (t *traced) likeliest(scores, shares *ad.Var) {
	best := predict.Likeliest(shares.Value.Data, predict.TopWords)
	axis := trace.Axis{Role: trace.Slot, Name: "word piece"}
	score, share := tensor.New(1, len(best)), tensor.New(1, len(best))
	for i, id := range best {
		axis.Labels = append(axis.Labels, tokenizer.PieceLabel(t.Speller().Piece(id)))
		score.Data[i], share.Data[i] = scores.Value.Data[id], shares.Value.Data[id]
	}
	axes := []trace.Axis{{Role: trace.Token, Labels: []string{t.followed()[t.word-1].Label()}}, axis}
	tex := `gE^\top + b`
	if t.guessesNext() {
		tex = `hE^\top`
	}
	t.guess = append(t.guess,
		headStep{PassStep{Map: trace.Map{Name: "word scores", Tex: tex, Axes: axes, Value: score}, Columns: best}, scores},
		headStep{PassStep{Map: trace.Map{Name: "word", Tex: `\mathrm{softmax}(` + tex + `)`, Kind: trace.Probability,
			Axes: axes, Value: share}, Columns: best}, nil}) // with thousands of operands
}

// collector collects the steps of a pass in a list.
type collector struct {
	*traced
	steps *Steps
	of    []*ad.Var // arrays of the steps
	seen  map[*trace.Run]map[string]int
}

// part adds the steps of a part and of its inner parts.
func (c *collector) part(part *trace.Run, name string) {
	from := 0
	for _, inner := range part.Parts {
		c.add(part, name, from, inner.Since)
		from = inner.Since
		c.part(inner, name+", "+inner.Name)
	}
	c.add(part, name, from, len(part.Steps))
}

// add adds the steps from … to-1 of a part.
func (c *collector) add(run *trace.Run, name string, from, to int) {
	for _, m := range run.Steps[from:to] {
		array := c.array(run, m.Name)
		if m.Name != "word scores" {
			c.put(PassStep{Map: m, Part: name}, array)
			continue
		}
		c.heads(c.guess) // the most probable of all words
	}
}

// heads adds the steps of output heads.
func (c *collector) heads(list []headStep) {
	for _, h := range list {
		c.put(h.PassStep, h.array)
	}
}

// skip counts steps without listing them.
func (c *collector) skip(run *trace.Run, from, to int) {
	for _, m := range run.Steps[from:to] {
		c.array(run, m.Name)
	}
}

// array returns the array of the next map with a name, or nil if it has none.
func (c *collector) array(run *trace.Run, name string) *ad.Var {
	if c.seen[run] == nil {
		c.seen[run] = map[string]int{}
	}
	n := c.seen[run][name]
	c.seen[run][name]++
	for _, named := range c.pass.Named() {
		if named.Run != run || named.Name != name {
			continue
		}
		if n == 0 {
			return named.Var
		}
		n--
	}
	return nil
}

func (c *collector) put(s PassStep, array *ad.Var) {
	c.steps.List, c.of = append(c.steps.List, s), append(c.of, array)
}

// finish removes redundant steps, and gives the rest their keys, arrays and words.
func (c *collector) finish() {
	var kept []PassStep
	var before *ad.Var
	count := map[string]int{}
	for i, s := range c.steps.List {
		array := c.of[i]
		if slices.Contains(again, s.Map.Name) && array != nil && c.elsewhere(i) {
			continue
		}
		if count[s.Map.Name]++; count[s.Map.Name] == 1 {
			s.Key = s.Map.Name
		} else {
			s.Key = fmt.Sprintf("%s %d", s.Map.Name, count[s.Map.Name])
		}
		s.Map.Axes = s.Map.Labelled(trace.Axis{Labels: tokenizer.Labels(c.Text.Tokens), Text: true, Seam: c.Text.Seam()})
		if first := &s.Map.Axes[0]; first.Role == trace.Token && first.Labels == nil &&
			s.Map.Value.Dim(0) == 1 { // of the predicted word
			first.Labels = []string{c.steps.Tokens[c.word-1].Label()}
		}
		if s.Map.Name == "masked" {
			s.Map.HeadReach = visible(s.Map.Value)
			s.Map.Reach = func(q, k int) bool { return s.Map.HeadReach(0, q, k) } // for one head at a time
		}
		if traceable(array) {
			s.Array = slices.Index(c.pass.Tape.Arrays(), array) + 1
		}
		s.Line = c.Entry.Source.Line(s.Map.Calls)
		s.Same = array != nil && array == before
		before = array
		kept = append(kept, s)
	}
	c.steps.List = kept
}

// visible returns which scores [H,N,N] are neither masked out nor blocked.
func visible(scores *tensor.T) func(h, q, k int) bool {
	return func(h, q, k int) bool { return scores.At(h, q, k) > nn.Masked/2 }
}

// traceable reports whether the origin of an array's numbers is recorded, directly or through
// copies.
func traceable(array *ad.Var) bool {
	for array != nil && array.Value.Len() > 0 {
		o, ok := array.Origin(0)
		if !ok || o.Operation != ad.Copied {
			return ok
		}
		array = o.X[0].Of
	}
	return false
}

// elsewhere reports whether another, more informative step shows the array of step i.
func (c *collector) elsewhere(i int) bool {
	rank := func(name string) int { return slices.Index(again, name) }
	for k, array := range c.of {
		if k != i && array == c.of[i] && (rank(c.steps.List[k].Map.Name) < 0 || k < i) {
			return true
		}
	}
	return false
}
