package encoder

import (
	"math"

	"attnatlas/engine/ad"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// embedding is the sum of the embeddings of a token: of its word, position and segment.
type embedding struct {
	words     nn.Embedding // [V,E]
	positions *nn.Param    // [L,E]; nil: none that is trained
	waves     *tensor.T    // [L,E]; nil: none
	types     *nn.Param    // [T,E]; nil: none
}

func newEmbedding(s *nn.Scope, c Config) (embedding, error) {
	e := embedding{words: nn.NewEmbedding(s, "words", c.Vocab, c.embed())}
	switch c.Positions {
	case "", Learned:
		e.positions = nn.NewEmbedding(s, "positions", c.Length, c.embed()).Table
	case Sinusoidal:
		e.waves = Sinusoids(c.Length, c.embed())
	case SinusoidalHalves:
		e.waves = SinusoidHalves(c.Length, c.embed())
	case NoPositions:
	default:
		return e, messages.Errorf("model.positions", "given", quote(c.Positions), "known", messages.List{quote(Learned), quote(Sinusoidal), quote(SinusoidalHalves), quote(NoPositions)})
	}
	if c.Types > 0 {
		e.types = nn.NewEmbedding(s, "segments", c.Types, c.embed()).Table
	}
	return e, nil
}

// apply embeds a batch: [B,N,E].
func (e embedding) apply(p *nn.Pass, in Input) *ad.Var {
	n := len(in.IDs) / in.Count
	x := ad.Reshape(ad.Rows(p.Use(e.words.Table), in.IDs), in.Count, n, e.words.Table.Value.Dim(1)) // [N,E]
	if e.positions != nil {
		x = ad.AddRows(x, ad.Narrow(p.Use(e.positions), -2, n)) // [N,E]
	}
	if e.waves != nil {
		d := e.waves.Dim(1)
		x = ad.AddScalars(ad.Scale(x, ad.Elem(math.Sqrt(float64(d)))), tensor.From(e.waves.Data[:n*d], n, d)) // [N,E]
	}
	if e.types != nil {
		segments := in.Types
		if segments == nil {
			segments = make([]int, len(in.IDs))
		}
		x = ad.Add(x, ad.Reshape(ad.Rows(p.Use(e.types), segments), x.Shape()...)) // [N,E]
	}
	return x
}
