package train

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
)

// TestPhrases: texts have the requested length, whatever their kind, and every token can occur.
func TestPhrases(t *testing.T) {
	c := load(t, writeData(t), Train)
	f := c.phrases(maxPieces)
	r := rand.New(rand.NewPCG(1, 2))
	pieces := map[int]bool{}
	for i := range 2000 {
		n := 1 + i%maxPieces
		count := 0
		for _, w := range f.text(r, n) {
			count += len(w)
			for _, id := range w {
				pieces[id] = true
				if c.Vocab.IsSpecial(id) {
					t.Fatalf("a text has the piece %s", c.Vocab.Piece(id))
				}
			}
		}
		if count != n {
			t.Fatalf("%d pieces, wanted %d", count, n)
		}
	}
	if len(pieces) < 2000 {
		t.Errorf("only %d pieces occur in 2000 texts", len(pieces))
	}
	for _, s := range f.sentences {
		if count := len(slices.Concat(s...)); len(s) > maxWords || count > maxPieces || count == 0 {
			t.Fatalf("a sentence of %d words and %d pieces", len(s), count)
		}
	}
}

// TestSeq2SeqPartsAddUp: losses and gradients of the parts add up to the loss and gradients of the whole.
func TestSeq2SeqPartsAddUp(t *testing.T) {
	c := load(t, writeData(t), Train)
	m := smallSeq2Seq(t)
	whole := c.seq2seqSchedule(m, 3)(7, 10)
	run := func(l Objective) (loss, grad float64) {
		p := nn.NewPass(ad.NewTape())
		v, _ := l.Loss(p)
		p.Tape.Backward(v, tensor.From([]tensor.Elem{1}))
		return float64(v.Value.Data[0]), float64(p.Grad(m.Params[0]).Data[0])
	}
	loss, grad := run(whole)
	tokens := 0
	for _, part := range whole.Parts(3) {
		l, g := run(part)
		loss, grad, tokens = loss-l, grad-g, tokens+part.Tokens()
	}
	if math.Abs(loss) > 1e-5 || math.Abs(grad) > 1e-6 || tokens != whole.Tokens() {
		t.Errorf("the parts miss %g of the loss, %g of a gradient and %d tokens", loss, grad, whole.Tokens()-tokens)
	}
}

func smallSeq2Seq(t *testing.T) *encoder.Seq2Seq {
	t.Helper()
	m, err := encoder.NewSeq2Seq(seq2seqOptions(1).Model, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// seq2seqOptions returns the options of a run of a small encoder–decoder.
func seq2seqOptions(steps int) Options {
	o := options(steps)
	o.Model = encoder.Shipped(encoder.EncoderDecoder.ID, tokenizer.Default().Size())
	o.Model.Layers, o.Model.Width, o.Model.Inner, o.Model.Length = 1, 32, 32, 12
	return o
}

// TestAnEncoderDecoderLearns: the loss decreases, the evaluation confirms it, and the finished file
// contains the measurements.
func TestAnEncoderDecoderLearns(t *testing.T) {
	dir := writeData(t)
	c, valid := load(t, dir, Train), load(t, dir, Valid)
	o := seq2seqOptions(40)
	o.Method.Warmup = 5
	r := newRun(t, o)
	before := evaluated(t, r, valid).Loss
	if err := r.Train(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	info, _, err := r.Finish(t.Context(), c, valid, "")
	if err != nil {
		t.Fatal(err)
	}
	if info.Loss > before-1 {
		t.Errorf("the loss was %.2f and is %.2f", before, info.Loss)
	}
	if _, ok := info.Score["reverse"]; !ok || info.Stack != encoder.EncoderDecoder.ID {
		t.Errorf("%+v", info)
	}
}

// TestLossesOfTasks: the mean of the losses is the loss of the evaluation, and tasks differ.
func TestLossesOfTasks(t *testing.T) {
	valid := load(t, writeData(t), Valid)
	o := seq2seqOptions(1)
	o.Model.Tasks = []encoder.Task{{Name: "reverse"}, {Name: "sort"}}
	m, err := encoder.NewSeq2Seq(o.Model, 1)
	if err != nil {
		t.Fatal(err)
	}
	losses, err := Seq2SeqLosses(t.Context(), m, valid)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := EvaluateSeq2Seq(t.Context(), m, valid)
	if err != nil {
		t.Fatal(err)
	}
	if mean := (losses["reverse"] + losses["sort"]) / 2; len(losses) != 2 || losses["reverse"] == losses["sort"] ||
		math.Abs(mean-whole.Loss) > 1e-9 {
		t.Errorf("%v, evaluated %v", losses, whole)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := Seq2SeqLosses(ended, m, valid); err == nil {
		t.Error("it goes on when nobody waits")
	}
}
