package huggingface

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// ExpectedSuffix is added to the name of a folder for the name of a file with the library's
// results.
const ExpectedSuffix = ".expected.safetensors"

// Tolerances are the largest Differences that rounding can explain.
var Tolerances = Differences{Attention: 1e-5, Hidden: 1e-4, Scores: 1e-4}

// Differences are the largest differences between a model and the library. For hidden states and scores
// they are relative to the largest number of their array.
type Differences struct {
	Attention, Hidden, Scores float64
	Texts                     int // texts compared
}

// OK reports whether rounding can explain the differences.
func (d Differences) OK() bool {
	return d.Attention <= Tolerances.Attention && d.Hidden <= Tolerances.Hidden && d.Scores <= Tolerances.Scores
}

// Compare runs a model on the token ids of a file and compares all arrays with the arrays in the file.
// For text K and layer L, from 1, the file has ids.K [n], attn.K.L [H,n,n], hidden.K.0 before the
// layers, hidden.K.L after the layer, and logits.K.
func (m *Model) Compare(want *checkpoint.File) (Differences, error) {
	var all Differences
	for k := 0; ; k++ {
		ids, ok := want.Ints[fmt.Sprintf("ids.%d", k)]
		if !ok {
			return all, nil
		}
		if err := m.compareText(strconv.Itoa(k), ids.Data, want, &all); err != nil {
			return all, err
		}
		all.Texts++
	}
}

// compareText compares one text.
func (m *Model) compareText(k string, ids []int64, want *checkpoint.File, all *Differences) error {
	in := encoder.Input{Count: 1, IDs: make([]int, len(ids))}
	for i, id := range ids {
		in.IDs[i] = int(id)
	}
	if over := len(ids) - m.Config.Length; over > 0 {
		return messages.Errorf("error.too-long", "tokens", len(ids), "positions", m.Config.Length, "over", over)
	}
	if slices.Max(in.IDs) >= m.Config.Vocab || slices.Min(in.IDs) < 0 {
		return messages.Errorf("huggingface.vocabulary", "last", slices.Max(in.IDs), "words", m.Config.Vocab)
	}
	got := m.results(nn.NewPass(ad.NewFrozen()), in)
	if target := want.Ints["dec_ids."+k]; m.Seq2Seq != nil && target != nil {
		if err := m.written(in, target.Data, got); err != nil {
			return err
		}
	}
	for _, name := range want.Names() {
		kind, rest, _ := strings.Cut(name, ".")
		text, part, _ := strings.Cut(rest, ".")
		if text != k {
			continue
		}
		a, ours := want.Arrays[name], got[strings.Trim(kind+"."+part, ".")]
		if ours == nil || ours.Len() != a.Len() {
			return messages.Errorf("verify.missing", "name", name)
		}
		difference, largest := distance(ours, a)
		switch kind {
		case "attn", "dec_attn", "cross":
			all.Attention = max(all.Attention, difference)
		case "hidden", "dec_hidden":
			all.Hidden = max(all.Hidden, difference/largest)
		default:
			all.Scores = max(all.Scores, difference/largest)
		}
	}
	return nil
}

// results runs a pass, and returns its arrays by the names of Compare. The next pass overwrites some of them.
func (m *Model) results(p *nn.Pass, in encoder.Input) map[string]*tensor.T {
	p.Reset()
	p.Run = &trace.Run{Lent: true, Only: []string{"embedded", "weights", "layer output"}}
	x, got := m.Run(p, in), map[string]*tensor.T{}
	find := func(run *trace.Run, name, as string) {
		if shown, ok := run.Find(name); ok {
			got[as] = shown.Value
		}
	}
	find(p.Run, "embedded", "hidden.0")
	for i, part := range p.Run.Parts {
		find(part, "weights", fmt.Sprintf("attn.%d", i+1))
		find(part, "layer output", fmt.Sprintf("hidden.%d", i+1))
	}
	got[fmt.Sprintf("hidden.%d", len(p.Run.Parts))] = x.Value
	if m.pooler != nil {
		got["pooler_output"] = m.Pooled(p, x).Value
	}
	for i, task := range m.Config.Tasks {
		got["logits"] = m.Classify(p, x, i).Value
		if task.Name == encoder.NextSentence.Name {
			got["seq_relationship_logits"] = got["logits"]
		}
	}
	if m.Guesses() {
		every := make([]int, len(in.IDs))
		for i := range every {
			every[i] = i
		}
		got["logits"] = m.Words(p, x, every).Value
	}
	return got
}

// written adds the arrays of a pair's decoder for a target.
func (m *Model) written(in encoder.Input, target []int64, got map[string]*tensor.T) error {
	pair := encoder.Pair{Count: 1, Source: in.IDs}
	for _, id := range target {
		pair.Target = append(pair.Target, int(id))
	}
	words := m.Library.Form.Decoder().Vocab
	if slices.Max(pair.Target) >= words || slices.Min(pair.Target) < 0 {
		return messages.Errorf("huggingface.vocabulary", "last", slices.Max(pair.Target), "words", words)
	}
	p := nn.NewPass(ad.NewFrozen())
	memory := m.Seq2Seq.Encode(p, pair)
	p.Run = &trace.Run{Lent: true, Only: []string{"embedded", "weights", "layer output"}}
	y := m.Seq2Seq.Decode(p, pair, memory)
	find := func(run *trace.Run, name, as string) {
		if shown, ok := run.Find(name); ok {
			got[as] = shown.Value
		}
	}
	find(p.Run, "embedded", "dec_hidden.0")
	for i, part := range p.Run.Parts {
		find(part, "weights", fmt.Sprintf("dec_attn.%d", i+1))
		find(part, "layer output", fmt.Sprintf("dec_hidden.%d", i+1))
		for _, cross := range part.Parts {
			find(cross, "weights", fmt.Sprintf("cross.%d", i+1))
		}
	}
	got[fmt.Sprintf("dec_hidden.%d", len(p.Run.Parts))] = y.Value
	if m.Seq2Seq.Guesses() {
		every := make([]int, len(pair.Target))
		for i := range every {
			every[i] = i
		}
		got["logits"] = m.Seq2Seq.Words(p, y, every).Value
	}
	return nil
}

// distance returns the largest difference, and the largest wanted number.
func distance(got, want *tensor.T) (difference, largest float64) {
	for i, w := range want.Data {
		d := math.Abs(float64(got.Data[i] - w))
		if math.IsNaN(d) {
			return math.Inf(1), 1
		}
		difference, largest = max(difference, d), max(largest, math.Abs(float64(w)))
	}
	return difference, largest
}
