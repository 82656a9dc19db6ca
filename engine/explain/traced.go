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

// traced is a pass of which everything is known.
type traced struct {
	*engine.Prepared
	pass           *nn.Pass
	word           int               // whose guess was made, from 1; 0: none
	read           []tokenizer.Token // what a decoder reads: what it wrote, behind [CLS]; nil: there is none
	guess, classes []headStep
	pooled         *ad.Var // what the classifiers read; nil: not made yet
}

// headStep is a step of a head with its array; nil: it cannot be asked for.
type headStep struct {
	PassStep
	array *ad.Var
}

// traceOn runs a model on a tape that explains, with its heads: the guess at a word, from 1, and the classes.
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

// run computes all that the model says of the text.
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

// heads guesses the word at a position, from 1, and the classes that were learned: x [1,N,d].
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

// scoresOf are those of the classes of a task [1,C] for an encoded text [1,N,d]; what all tasks read is made once.
func (t *traced) scoresOf(x *ad.Var, task int) *ad.Var {
	if t.Model.Classifies() {
		return t.Model.Classify(t.pass, x, task)
	}
	if t.pooled == nil {
		t.pooled = t.Model.Pool(t.pass, x) // [1,d]
	}
	return t.Model.Class(t.pass, t.pooled, task)
}

// likeliest keeps the scores and the probabilities [1,V] of the likeliest words.
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
			Axes: axes, Value: share}, Columns: best}, nil}) // of thousands of operands
}

// collector puts the steps of a pass into a list.
type collector struct {
	*traced
	steps *Steps
	of    []*ad.Var // of the steps
	seen  map[*trace.Run]map[string]int
}

// part adds what a part showed, and the parts of it.
func (c *collector) part(part *trace.Run, name string) {
	from := 0
	for _, inner := range part.Parts {
		c.add(part, name, from, inner.Since)
		from = inner.Since
		c.part(inner, name+", "+inner.Name)
	}
	c.add(part, name, from, len(part.Steps))
}

// add adds the steps from … to-1 that a part showed.
func (c *collector) add(run *trace.Run, name string, from, to int) {
	for _, m := range run.Steps[from:to] {
		array := c.array(run, m.Name)
		if m.Name != "word scores" {
			c.put(PassStep{Map: m, Part: name}, array)
			continue
		}
		c.heads(c.guess) // the likeliest words of all
	}
}

// heads adds what heads computed.
func (c *collector) heads(list []headStep) {
	for _, h := range list {
		c.put(h.PassStep, h.array)
	}
}

// skip passes over steps that are not listed.
func (c *collector) skip(run *trace.Run, from, to int) {
	for _, m := range run.Steps[from:to] {
		c.array(run, m.Name)
	}
}

// array is that of the next map of a name; nil: it has none.
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

// finish leaves out what says nothing new, and says what is left by name, array and words.
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
			s.Map.Value.Dim(0) == 1 { // of the word that is guessed
			first.Labels = []string{c.steps.Tokens[c.word-1].Label()}
		}
		if s.Map.Name == "masked" {
			s.Map.HeadReach = visible(s.Map.Value)
			s.Map.Reach = func(q, k int) bool { return s.Map.HeadReach(0, q, k) } // of one head at a time
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

// visible says which scores [H,N,N] behind a mask are not those of what is forbidden or cut.
func visible(scores *tensor.T) func(h, q, k int) bool {
	return func(h, q, k int) bool { return scores.At(h, q, k) > nn.Masked/2 }
}

// traceable says whether it is known how the numbers of an array were made, or those that they are copies of.
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

// elsewhere says whether another step, which tells more, shows the array of step i.
func (c *collector) elsewhere(i int) bool {
	rank := func(name string) int { return slices.Index(again, name) }
	for k, array := range c.of {
		if k != i && array == c.of[i] && (rank(c.steps.List[k].Map.Name) < 0 || k < i) {
			return true
		}
	}
	return false
}
