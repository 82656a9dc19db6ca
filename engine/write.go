package engine

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/task"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// WriteRequest asks an encoder–decoder to write a text from a text.
type WriteRequest struct {
	Text  string
	Model string // id of the model; empty: "encoder-decoder"
	Task  string // one of the model's tasks; empty: the first
}

// Written is what an encoder–decoder wrote, and how.
type Written struct {
	Model  *ModelInfo
	Tasks  []string // that the model knows
	Task   string
	Source []tokenizer.Token // with [CLS] and [SEP]
	Heads  int
	// Text is what was written. Stopped says that the model ended it itself, with [SEP].
	Text    string
	Stopped bool
	// Answer is what would have been right, by pieces and as text: computed from the text,
	// by the same rule as the training's targets. Right says that every word of it was
	// written, and no other, and then the end.
	Answer     []string
	AnswerText string
	Right      bool
	// Steps are the words that were written, one after the other.
	Steps []WriteStep
	// Encoder and Decoder are the maps of the layers. The axes carry their labels: keys of
	// a decoder's self-attention are what was read, which begins with [CLS]; its queries are
	// what was then written, one place further. The encoder has Rollout too, which is not
	// defined for a decoder that reads two texts.
	Encoder, Decoder, Cross []Layer
	Elapsed                 time.Duration // of all steps of writing
}

// WriteStep is one word of the answer.
type WriteStep struct {
	Piece string
	Top   []Word // the likeliest, by falling probability; at most TopWords
}

type transducer struct {
	*encoder.Seq2Seq
	info ModelInfo
}

// writes says whether an id is an encoder–decoder's.
func writes(id string) bool {
	stack, _, err := encoder.Parse(id)
	return err == nil && stack == encoder.EncoderDecoder.ID
}

func (e *Engine) readTransducer(id string, data []byte) (*transducer, error) {
	if _, err := e.infos.get(id); err != nil {
		return nil, err
	}
	m, info, err := OpenTransducer(data)
	if err != nil {
		return nil, e.unreadable(id, err)
	}
	if err := e.fits(id, m.Config); err != nil {
		return nil, err
	}
	nn.Seal(m.Params)
	return &transducer{m, info}, nil
}

// OpenTransducer reads an encoder–decoder from the checkpoint that training wrote.
func OpenTransducer(data []byte) (*encoder.Seq2Seq, ModelInfo, error) {
	var c encoder.Config
	info, err := describe(data, &c)
	if err != nil {
		return nil, info, err
	}
	m, err := encoder.NewSeq2Seq(c, 0)
	if err != nil {
		return nil, info, err
	}
	return m, info, restore(m.Params, data)
}

// Write lets an encoder–decoder write an answer to the text, always the likeliest word.
func (e *Engine) Write(ctx context.Context, r WriteRequest) (w *Written, err error) {
	if len(r.Text) > MaxTextBytes {
		return nil, Errorf(Invalid, "The text has %d bytes; at most %d are read. Shorten it.", len(r.Text), MaxTextBytes)
	}
	if strings.Contains(r.Text, PairMark) {
		return nil, Errorf(Unsupported, "The encoder–decoder reads one text, not a pair. Leave out %s.", PairMark)
	}
	id := cmp.Or(r.Model, encoder.EncoderDecoder.ID)
	if !writes(id) {
		return nil, Errorf(NotFound, "%q is no encoder–decoder: it does not write.", id)
	}
	m, err := e.writers.get(id)
	if err != nil {
		return nil, err
	}
	w = &Written{Model: &m.info, Source: e.vocab.Encode(r.Text), Heads: m.Config.Heads}
	task, err := w.choose(m, r.Task)
	if err != nil {
		return nil, err
	}
	switch n := len(w.Source); {
	case slices.ContainsFunc(w.Source[1:n-1], func(t tokenizer.Token) bool { return e.vocab.IsSpecial(t.ID) }):
		return nil, Errorf(Unsupported, "The encoder–decoder has learned words only, not marks such as [MASK]. Leave them out.")
	case n == 2:
		return nil, Errorf(Invalid, "The text has no words. Type at least one.")
	case n > m.Config.Length:
		return nil, tooLong(m.Config.Length, n)
	}
	select {
	case e.slots <- struct{}{}:
		defer func() { <-e.slots }()
	case <-ctx.Done():
		return nil, &Error{Kind: Busy, Msg: "Too much is being computed at the moment. Try again.", Err: ctx.Err()}
	}
	defer func() {
		if cause := recover(); cause != nil {
			w, err = nil, &Error{Kind: Internal, Msg: "The model failed. It is our mistake, not yours.", Err: fmt.Errorf("panic: %v\n%s", cause, debug.Stack())}
		}
	}()
	if err := e.write(m, task, w); err != nil {
		return nil, err
	}
	return w, nil
}

// answerWriting answers for an encoder–decoder among other models: with the maps of its
// encoder, and what its decoder wrote.
func (e *Engine) answerWriting(ctx context.Context, text *Report, r Request, res *Result) error {
	if info, err := e.Info(res.ID); err == nil {
		res.Model, res.Heads = info, info.Heads
	}
	switch {
	case r.Mask == nn.Causal:
		return Errorf(Unsupported, "Its encoder reads both ways, and its decoder has learned to read what that gives; another mask would be another model. The decoder itself is always causal.")
	case r.Influence > 0:
		return Errorf(Unsupported, "Influence is not measured for two stacks.")
	}
	w, err := e.Write(ctx, WriteRequest{Text: text.Text, Model: res.ID})
	if err != nil {
		return err
	}
	res.Written, res.Elapsed = w.Text, w.Elapsed
	for _, l := range w.Encoder {
		if !r.Rollout {
			l.Maps = slices.DeleteFunc(l.Maps, func(m trace.Map) bool { return m.Name == Rollout })
		}
		// Only maps whose axes are not the text's tokens have labels of their own.
		res.Layers = append(res.Layers, Layer{l.Number, fmt.Sprintf("layer %d", l.Number), labelled(l.Maps, nil, nil)})
	}
	return nil
}

// choose finds a task by its name.
func (w *Written) choose(m *transducer, name string) (int, error) {
	for _, t := range m.Config.Tasks {
		w.Tasks = append(w.Tasks, t.Name)
	}
	w.Task = cmp.Or(name, w.Tasks[0])
	task := slices.Index(w.Tasks, w.Task)
	if task < 0 {
		return 0, Errorf(NotFound, "The model does not know the task %q; it knows %s.", name, strings.Join(w.Tasks, ", "))
	}
	return task, nil
}

// write writes, and then runs once over all that was written to see how: as nobody reads
// what comes later, every row is what it was when its word was written.
func (e *Engine) write(m *transducer, task int, w *Written) error {
	p := e.passes.Get().(*nn.Pass)
	defer e.passes.Put(p)
	in := encoder.Pair{Count: 1, Task: task, Source: make([]int, len(w.Source))}
	for i, t := range w.Source {
		in.Source[i] = t.ID
	}
	p.Reset()
	began := time.Now()
	answer := m.Greedy(p, in, e.vocab.CLS(), e.vocab.SEP(), m.Config.Length)
	w.Elapsed = time.Since(began)

	p.Reset()
	entry, stack, _ := Find(m.Config.ID())
	p.Run = &trace.Run{Only: viewNames(&Result{Entry: entry, Stack: stack})}
	in.Target = append([]int{e.vocab.CLS()}, answer[:len(answer)-1]...)
	y := m.Run(p, in)
	at := make([]int, len(answer))
	for i := range at {
		at[i] = i
	}
	scores := m.Words(p, y, at).Value
	for i, id := range answer {
		w.Steps = append(w.Steps, WriteStep{e.vocab.Piece(id), e.top(scores.Sub(i))})
	}
	if w.Stopped = answer[len(answer)-1] == e.vocab.SEP(); w.Stopped {
		answer = answer[:len(answer)-1]
	}
	w.Text = e.vocab.Decode(answer)
	w.judge(e.vocab, in.Source[1:len(in.Source)-1], answer)
	w.collect(p.Run, e.vocab, in.Target)
	return addRollout(w.Encoder, false)
}

// judge compares what was written of a source with what would have been right.
func (w *Written) judge(v *tokenizer.Vocabulary, source, written []int) {
	right := slices.Concat(task.Target(v, w.Task, task.Words(v, source))...)
	for _, id := range right {
		w.Answer = append(w.Answer, v.Piece(id))
	}
	w.AnswerText = v.Decode(right)
	w.Right = w.Stopped && slices.Equal(right, written)
}

// RightStep says whether a step, from 0, wrote what is right at its place; after the last
// word that is the end.
func (w *Written) RightStep(i int) bool {
	if i < len(w.Answer) {
		return w.Steps[i].Piece == w.Answer[i]
	}
	return i == len(w.Answer) && w.Stopped && i == len(w.Steps)-1
}

// collect takes over the maps of a run and labels their axes.
func (w *Written) collect(run *trace.Run, v *tokenizer.Vocabulary, read []int) {
	var source, target, written []string
	for _, t := range w.Source {
		source = append(source, v.Piece(t.ID))
	}
	for i, id := range read {
		target, written = append(target, v.Piece(id)), append(written, w.Steps[i].Piece)
	}
	for _, part := range run.Parts {
		of := &w.Encoder
		rows, columns := source, source
		if strings.HasPrefix(part.Name, "decoder") {
			of, rows, columns = &w.Decoder, written, target
			for _, cross := range part.Parts {
				w.Cross = append(w.Cross, Layer{Number: len(w.Cross) + 1, Maps: labelled(cross.Steps, written, source)})
			}
		}
		*of = append(*of, Layer{Number: len(*of) + 1, Maps: labelled(part.Steps, rows, columns)})
	}
}

// labelled names the queries and keys of maps.
func labelled(maps []trace.Map, queries, keys []string) []trace.Map {
	for i := range maps {
		for a := range maps[i].Axes {
			switch axis := &maps[i].Axes[a]; axis.Role {
			case trace.Query:
				axis.Labels = queries
			case trace.Key:
				axis.Labels = keys
			}
		}
	}
	return maps
}
