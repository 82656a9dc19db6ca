package huggingface

import (
	"fmt"
	"math"

	"attnatlas/engine/ad"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
)

// Output is a named output of a forward pass: its shape, and its smallest and largest number.
type Output struct {
	Name      messages.Message
	Shape     []int
	Low, High float64
}

// forwardLength is the number of tokens that Forward reads.
const forwardLength = 16

// Forward runs the model once on the first ids of its vocabulary. It returns the number of tokens,
// and the outputs of the encoder and the heads. Numbers that are not finite are an error.
func (m *Model) Forward() (tokens int, outputs []Output, err error) {
	tokens = min(forwardLength, m.Config.Length)
	ids, every := make([]int, tokens), make([]int, tokens)
	for i := range ids {
		ids[i], every[i] = i%m.Config.Vocab, i
	}
	p := nn.NewPass(ad.NewFrozen())
	add := func(name messages.Message, v *ad.Var) {
		o := Output{name, v.Shape(), math.Inf(1), math.Inf(-1)}
		for _, x := range v.Value.Data {
			f := float64(x)
			if (math.IsNaN(f) || math.IsInf(f, 0)) && err == nil {
				err = messages.Errorf("huggingface.finite", "value", fmt.Sprint(f), "output", name)
			}
			o.Low, o.High = min(o.Low, f), max(o.High, f)
		}
		outputs = append(outputs, o)
	}
	x := m.Encode(p, ids, 1)
	add(messages.New("huggingface.outputs.encoded"), x)
	if m.pooler != nil {
		add(messages.New("huggingface.outputs.pooled"), m.Pooled(p, x))
	}
	if m.Guesses() {
		add(messages.New("huggingface.outputs.words"), m.Words(p, x, every))
	}
	for t, task := range m.Config.Tasks {
		add(messages.Text(task.Name), m.Classify(p, x, t))
	}
	return tokens, outputs, err
}

// Numbers returns the number of parameters, and the number of their arrays.
func (m *Model) Numbers() (numbers, arrays int) { return nn.Count(m.Params), len(m.Params) }
