package verify

import (
	"fmt"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/nn"
)

// mask is the case's mask for sequence b of n tokens, in our terms.
func (c *Case) mask(b, n int) (nn.Mask, error) {
	for _, name := range [...]string{"mask01", "key_mask"} { // [B,N], 1 = text
		m, ok := c.IO.Arrays[name]
		if !ok {
			continue
		}
		if m.Len() < (b+1)*n {
			return nn.Mask{}, fmt.Errorf("verify: %s/%s: %s has shape %v, wanted [B,%d]", c.Mechanism, c.Name, name, m.Shape, n)
		}
		mask := nn.Mask{Keys: make([]bool, n), N: n}
		for i := range mask.Keys {
			mask.Keys[i] = m.Data[b*n+i] != 0
		}
		if c.Config.Causal {
			mask.Kind = nn.Causal
		}
		return mask, nil
	}
	if c.Config.HF.LSHChunk > 0 {
		return c.hfMask(b, n)
	}
	if m, ok := c.IO.Ints["mask"]; ok {
		return c.pairMask(m, b, n)
	}
	if c.Config.Causal {
		return nn.Mask{Kind: nn.Causal}, nil
	}
	return nn.Mask{}, nil
}

// pairMask reads a mask that broadcasts to [B,1,N,N]: 1 = visible.
func (c *Case) pairMask(m *checkpoint.Ints, b, n int) (nn.Mask, error) {
	refuse := func(why string) (nn.Mask, error) {
		return nn.Mask{}, fmt.Errorf("verify: %s/%s: mask of shape %v: %s", c.Mechanism, c.Name, m.Shape, why)
	}
	shape := m.Shape
	rank := len(shape)
	if rank < 1 || shape[rank-1] != n {
		return refuse(fmt.Sprintf("its last axis should be the %d keys", n))
	}
	queries, plane := 1, 0
	if rank >= 2 {
		queries = shape[rank-2]
	}
	if queries != 1 && queries != n {
		return refuse(fmt.Sprintf("its second last axis should be 1 or the %d queries", n))
	}
	leading := shape[:max(rank-2, 0)]
	for i, s := range leading {
		switch {
		case s == 1:
		case i == 0 && (rank == 4 || c.Config.PerSample):
			plane = b
		default:
			return refuse("masks that differ between heads are not defined here")
		}
	}
	pairs := make([]bool, n*n)
	for q := range n {
		for k := range n {
			pairs[q*n+k] = m.Data[(plane*queries+q%queries)*n+k] != 0
		}
	}
	return nn.Mask{Pairs: pairs, N: n}, nil
}

// biasMask reads an additive mask, 0 where visible and −10⁴ or less where not,
// that broadcasts to [N,N] or, with a batch in front, to [B,N,N]. It is added to
// scores, not put in their place.
func (c *Case) biasMask(b, n int) (nn.Mask, error) {
	m, ok := c.IO.Arrays["bias_additive"]
	if !ok {
		return nn.Mask{}, nil
	}
	if m.Rank() > 2 && m.Dim(0) > 1 {
		m = m.Sub(b)
	}
	visible := &checkpoint.Ints{Shape: m.Shape, Data: make([]int64, m.Len())}
	for i, v := range m.Data {
		switch {
		case v == 0:
			visible.Data[i] = 1
		case v > -1e4:
			return nn.Mask{}, fmt.Errorf("verify: %s/%s: bias_additive has %g, which neither shows nor hides", c.Mechanism, c.Name, v)
		}
	}
	mask, err := c.pairMask(visible, 0, n)
	mask.Added = true
	return mask, err
}

// hfMask reads attention_mask [B,N], 1 = text, and whether the case is causal.
func (c *Case) hfMask(b, n int) (nn.Mask, error) {
	var mask nn.Mask
	if c.Config.HF.Decoder {
		mask.Kind = nn.Causal
	}
	m, ok := c.IO.Ints["attention_mask"]
	if !ok {
		return mask, nil
	}
	if len(m.Data) < (b+1)*n {
		return mask, fmt.Errorf("verify: %s/%s: attention_mask has shape %v, wanted [B,%d]", c.Mechanism, c.Name, m.Shape, n)
	}
	mask.Keys, mask.N = make([]bool, n), n
	for i := range mask.Keys {
		mask.Keys[i] = m.Data[b*n+i] != 0
	}
	return mask, nil
}
