package encoder

import (
	"math"

	"attnatlas/engine/ad"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// embedding adds the embeddings of each token's word, position and segment. Learned positions repeat from L on, as
// Longformer was initialised from the positions of RoBERTa (Beltagy et al. 2020, sec. 5). Sinusoids do not repeat.
type embedding struct {
	words     nn.Embedding // [V,E]
	positions *nn.Param    // [L,E]; nil: no learned positions
	waves     *tensor.T    // [Farthest,E]; nil: none
	types     *nn.Param    // [T,E]; nil: none
}

func newEmbedding(s *nn.Scope, c Config) (embedding, error) {
	e := embedding{words: nn.NewEmbedding(s, "words", c.Vocab, c.embed())}
	switch c.Positions {
	case "", Learned:
		e.positions = nn.NewEmbedding(s, "positions", c.Length, c.embed()).Table
	case Sinusoidal:
		e.waves = c.waves(Sinusoids, c.Farthest(), c.embed())
	case SinusoidalHalves:
		e.waves = c.waves(SinusoidHalves, c.Farthest(), c.embed())
	case NoPositions:
	default:
		return e, messages.Errorf("model.positions", "given", quote(c.Positions), "known",
			messages.List{quote(Learned), quote(Sinusoidal), quote(SinusoidalHalves), quote(NoPositions)})
	}
	if c.Types > 0 {
		e.types = nn.NewEmbedding(s, "segments", c.Types, c.embed()).Table
	}
	return e, nil
}

// apply embeds a batch: [B,N,E].
func (e embedding) apply(p *nn.Pass, in Input) *ad.Var {
	n := len(in.IDs) / in.Count
	show := func(name, tex string, v *ad.Var) *ad.Var {
		return p.Step(name, tex, trace.Activation, v, trace.Token, trace.Channel) // [N,E]
	}
	x := show("word embeddings", `E_{w_i}`, ad.Reshape(ad.Rows(p.Use(e.words.Table), in.IDs), in.Count, n,
		e.words.Table.Value.Dim(1))) // [N,E]
	if e.positions != nil {
		x = ad.AddRows(x, show("position embeddings", `P_i`, places(p.Use(e.positions), in.From, n))) // [N,E]
	}
	if e.waves != nil {
		d := e.waves.Dim(1)
		waves := tensor.From(e.waves.Data[in.From*d:(in.From+n)*d], n, d)
		p.ShowArray("position embeddings", `P_i`, trace.Activation, waves, trace.Token, trace.Channel)
		x = ad.AddScalars(ad.Scale(x, ad.Elem(math.Sqrt(float64(d)))), waves) // [N,E]
	}
	if e.types != nil {
		segments := in.Types
		if segments == nil {
			segments = make([]int, len(in.IDs))
		}
		x = ad.Add(x, show("segment embeddings", `T_{s_i}`,
			ad.Reshape(ad.Rows(p.Use(e.types), segments), x.Shape()...))) // [N,E]
	}
	return show("embedding", `X_0`, x)
}

// places returns the embeddings of n positions from a start, in a table [L,E] that repeats after its end: [N,E].
func places(table *ad.Var, from, n int) *ad.Var {
	length := table.Dim(0)
	if from == 0 && n <= length {
		return ad.Narrow(table, -2, n)
	}
	rows := make([]int, n)
	for i := range rows {
		rows[i] = (from + i) % length
	}
	return ad.Rows(table, rows)
}
