package engine

import (
	"context"
	"fmt"
	"io/fs"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"attnatlas/engine/ablation"
	"attnatlas/engine/ad"
	"attnatlas/engine/altered"
	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/headstats"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
	"attnatlas/engine/similarity"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Engine runs the trained models. It is safe for concurrent use. Models are loaded when they are first requested and
// never modified.
type Engine struct {
	vocab  *tokenizer.Vocabulary
	source reader
	header reader        // reads at least the beginning of source's files that Describe needs
	folder fs.FS         // the user's own models; nil: there are none
	slots  chan struct{} // one for each pass that may run at once
	tapes  chan struct{} // one for each measurement that may hold memory at once: at least two
	begun  chan struct{} // one for each pass of Attend that has begun
	passes sync.Pool     // *nn.Pass whose memory has grown to its task

	infos  *cache[*ModelInfo]
	models *cache[*model]
	heads  headstats.Measurements
}

// CheckpointFinder returns the checkpoint of a model, compressed or not. It is called often.
type CheckpointFinder func(mechanism string) (data []byte, ok bool)

// reader is a CheckpointFinder with an error: fs.ErrNotExist if there is no checkpoint, or what is wrong with it.
type reader func(id string) (data []byte, err error)

// model is a loaded model: one stack of layers, or an encoder–decoder.
type model struct {
	*encoder.Model
	seq2seq *encoder.Seq2Seq // instead of Model; nil: one stack
	info    ModelInfo
	tables  altered.Tables
	words   Words          // of a guest; nil: the engine's own
	target  predict.Target // of a guest that is an encoder–decoder
	pooling similarity.Pooling

	unpooled error // why texts cannot be matched; nil: they can
}

// config returns the model's configuration.
func (m *model) config() encoder.Config {
	if m.seq2seq != nil {
		return m.seq2seq.Config
	}
	return m.Config
}

// New returns an engine with the models that are bundled with the program.
func New() *Engine {
	from := func(read func(folder fs.FS, name string) ([]byte, error)) reader {
		return func(id string) ([]byte, error) { return read(checkpoint.Folder(), id) }
	}
	return newEngine(from(checkpoint.In), from(checkpoint.HeaderIn))
}

// NewFrom returns an engine with the models that s finds.
func NewFrom(s CheckpointFinder) *Engine { return newEngine(readerOf(s), readerOf(s)) }

// readerOf returns a reader that reports fs.ErrNotExist if s finds nothing.
func readerOf(s CheckpointFinder) reader {
	return func(id string) ([]byte, error) {
		if data, ok := s(id); ok {
			return data, nil
		}
		return nil, fs.ErrNotExist
	}
}

func newEngine(source, header reader) *Engine {
	e := &Engine{
		vocab: tokenizer.Default(), source: source, header: header,
		slots:  make(chan struct{}, runtime.GOMAXPROCS(0)),
		tapes:  make(chan struct{}, max(2, runtime.GOMAXPROCS(0))),
		begun:  make(chan struct{}, attending*runtime.GOMAXPROCS(0)),
		passes: sync.Pool{New: func() any { return nn.NewPass(ad.NewFrozen()) }},
	}
	e.infos, e.models = newCache(e, header, e.readInfo), newCache(e, source, e.readModel)
	return e
}

// Vocabulary returns the vocabulary into which texts are tokenized.
func (e *Engine) Vocabulary() *tokenizer.Vocabulary { return e.vocab }

// Inspect runs the mechanisms on the text. The error concerns the whole request; errors of single mechanisms are in
// their Results.
func (e *Engine) Inspect(ctx context.Context, r Request) (*Report, error) {
	if len(r.Text) > MaxTextBytes {
		return nil, fault.Errorf(fault.Invalid, "error.too-many-bytes", "bytes", len(r.Text), "most", MaxTextBytes)
	}
	rep := &Report{Text: r.Text}
	rep.Tokens, rep.Segments = e.vocab.EncodePair(r.Text)
	if len(rep.Tokens) == 2 {
		return nil, fault.Errorf(fault.Invalid, "error.no-words")
	}
	ids := r.Mechanisms
	if len(ids) == 0 {
		ids = Default[:]
	}
	e.host(rep, ids)
	rep.Mechanisms = make([]Result, len(ids))
	var all sync.WaitGroup
	for i, id := range ids {
		all.Go(func() { rep.Mechanisms[i] = e.answer(ctx, id, rep, r) })
	}
	all.Wait()
	rep.LabelAxes()
	if err := ctx.Err(); err != nil {
		return nil, Stopped(err)
	}
	return rep, nil
}

// answer returns the result of one mechanism. A panic while its model is opened or runs is our bug; it costs only
// this mechanism's answer.
func (e *Engine) answer(ctx context.Context, id string, text *Report, r Request) (res Result) {
	res.ID = id
	entry, stack, ok := Find(id)
	if !ok {
		res.Err = e.unknown(id)
		return res
	}
	res.Entry, res.Stack = entry, stack
	err := protect(func() error {
		if err := e.compute(ctx, text, r, &res); err != nil {
			return err
		}
		if err := res.finite(); err != nil || r.Race.Asked() {
			return err
		}
		return e.distinguish(ctx, &res)
	})
	if err != nil {
		res = Result{ID: id, Entry: entry, Stack: stack, Err: err, Model: res.Model, Heads: res.Heads}
	}
	return res
}

// compute opens the model of a mechanism or architecture and fills in its result.
func (e *Engine) compute(ctx context.Context, text *Report, r Request, res *Result) error {
	own, err := e.textOf(res.ID, text)
	if err != nil {
		return err
	}
	if own != text {
		res.Tokens = own.Tokens
		r.Cuts = ablation.Cuts{All: ablation.AlignCuts(r.Cuts.Of(res.ID), text.Aligned(res))}
		text = own
	}
	m, err := e.openFor(text, r, res)
	if err != nil {
		return err
	}
	start, cuts, err := startOf(m, text, r, res)
	if err != nil {
		return err
	}
	if r.Race.Asked() {
		if err := mustHost(res.ID); err != nil {
			return err
		}
		res.Attempts, err = e.race(ctx, m, start, text, r)
		return err
	}
	if m.seq2seq != nil {
		if err := e.generate(ctx, m, start, text, r, res); err != nil {
			return err
		}
		res.markCut(cuts)
		return nil
	}
	in := encoder.Input{Count: 1, IDs: m.ids(text.Tokens)}
	if m.Config.Types > 1 {
		in.Types = text.Segments
	}
	var calls *[]encoder.Mixing
	err = e.pass(ctx, func(p *nn.Pass) {
		start(p)
		calls = encoder.ObserveFirst(p, r.Method.Calls())
		e.run(p, m, in, text, res)
	})
	if err == nil && r.Running != (headstats.Place{}) {
		res.Running, err = e.running(ctx, m, start, in, r, res)
	}
	if err != nil {
		return err
	}
	s := subjectOf(m, text, r, res)
	s.Calls = *calls
	return e.measure(ctx, s, res)
}

// openFor opens the model of a result, and records it there. It returns an error if the model cannot read the text.
func (e *Engine) openFor(text *Report, r Request, res *Result) (*model, error) {
	m, err := e.admit(res.Entry, len(text.Tokens), r.Mask)
	if m != nil {
		res.Model, res.Heads = &m.info, m.config().Heads
	}
	if err == nil {
		err = m.affordable(len(text.Tokens))
	}
	return m, err
}

// startOf returns the function that prepares each pass of a model for a request, and the cuts by layer.
func startOf(m *model, text *Report, r Request, res *Result) (start func(*nn.Pass), cuts func(layer int) *nn.Cut,
	err error) {
	if cuts, err = cutOf(m, text, r, res); err != nil {
		return nil, nil, err
	}
	instead, err := changeOf(m, len(text.Tokens), r, res)
	return func(p *nn.Pass) {
		begin(p, r.Mask, cuts)
		p.Instead = instead
	}, cuts, err
}

// race predicts the words of a race with one model, in passes that begin prepares.
func (e *Engine) race(ctx context.Context, m *model, begin func(*nn.Pass), text *Report,
	r Request) (attempts []predict.Attempt, err error) {
	if m.seq2seq != nil {
		return nil, fault.Errorf(fault.Unsupported, "error.race.writes")
	}
	all, err := r.Race.Hidings(e.vocab, r.Text)
	for _, h := range all {
		if err != nil {
			return nil, err
		}
		err = e.pass(ctx, func(p *nn.Pass) {
			begin(p)
			attempts = append(attempts, h.Guess(e.vocab, m.Model, p, text.Segments))
		})
	}
	return attempts, err
}

// protect runs do and turns a panic into an error.
func protect(do func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = &fault.Error{Kind: fault.Internal, Msg: messages.New("error.failed"),
				Err: fmt.Errorf("panic: %v\n%s", cause, debug.Stack())}
		}
	}()
	return do()
}

// unknown returns the error for an id that has no model.
func (e *Engine) unknown(id string) error {
	if _, mechanism, err := encoder.Parse(id); err == nil {
		entry, _ := attention.Find(mechanism)
		return fault.Errorf(fault.Unsupported, "error.no-such-pairing", "id", id, "reason", entry.Masks.NoCausal)
	}
	return fault.Errorf(fault.NotFound, "error.no-mechanism", "id", messages.Quote(id), "known",
		messages.List(append(IDs(), StackIDs()...)))
}

// admit returns the model of a mechanism or architecture, and an error if it cannot answer.
func (e *Engine) admit(entry *attention.Entry, n int, mask nn.MaskKind) (*model, error) {
	m, err := e.model(entry.ID)
	if err != nil {
		return nil, err
	}
	if mask == nn.Causal && !entry.Masks.NoCausal.IsZero() {
		if m.seq2seq != nil {
			return m, fault.Errorf(fault.Unsupported, "error.generation.mask")
		}
		return m, &fault.Error{Kind: fault.Unsupported, Msg: entry.Masks.NoCausal}
	}
	if n > m.config().Longest() {
		return m, tooLong(m.config(), m.config().Longest(), n)
	}
	return m, nil
}

// tooLong returns the error for n tokens if a model reads at most longest.
func tooLong(c encoder.Config, longest, n int) *fault.Error {
	id := "error.too-long"
	if longest > c.Length {
		id = "error.too-far"
	}
	return fault.Errorf(fault.Unsupported, id, "positions", longest, "tokens", n, "over", n-longest)
}

// run computes the answer of an admitted model.
func (e *Engine) run(p *nn.Pass, m *model, in encoder.Input, text *Report, res *Result) {
	p.Run = &trace.Run{Only: viewNames(res)}
	x := m.Run(p, in)
	for t, task := range m.Config.Tasks {
		_, learned := m.info.Score[task.Name] // an untrained task predicts nothing
		if (learned || m.words != nil && len(task.Classes) > 0) && (!task.Pair || text.Segments != nil) {
			res.Guesses = append(res.Guesses, predict.Guesses(task, m.Classify(p, x, t).Value, text.Tokens)...)
		}
	}
	res.Predictions = predict.Words(e.speller(m), m.Model, p, x, text.Tokens)
	for _, c := range p.AuxLosses() {
		res.Charges = append(res.Charges, Charge{c.Name, float64(c.Value.Value.Data[0])})
	}
	res.collect(p.Run)
	res.markCut(p.Cuts)
}

// collect takes over the maps of a run, each layer's in the order of its views.
func (res *Result) collect(run *trace.Run) {
	for i, part := range run.Parts {
		res.Layers = append(res.Layers, Layer{Number: i + 1, Name: part.Name, Maps: pick(part, res.Entry.Views)})
	}
	if res.Stack != nil {
		res.Maps = pick(run, res.Stack.Views)
	}
}

// pick returns the maps of views, in their order.
func pick(run *trace.Run, views []attention.View) []trace.Map {
	var maps []trace.Map
	for _, v := range views {
		if shown, ok := run.Find(v.Map); ok {
			maps = append(maps, shown)
		}
	}
	return maps
}

// viewNames lists the maps that a page can show.
func viewNames(res *Result) []string {
	views := res.Entry.Views
	if res.Stack != nil {
		views = slices.Concat(views, res.Stack.Views)
	}
	names := make([]string, len(views))
	for i, v := range views {
		names[i] = v.Map
	}
	return names
}
