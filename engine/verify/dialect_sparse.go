package verify

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// The references of the mixers with a pattern, which are whole models.

// longformerRun is a case of Longformer: the window of every layer, and the
// global positions of every sequence.
type longformerRun struct {
	modelRun
	global [][]int // [B]
	most   int     // global positions of the sequence that has most
}

func computeLongformer(c *Case) (computed, error) {
	batch, n, err := c.size()
	if err != nil {
		return nil, err
	}
	hf := c.Config.HF
	if len(hf.Windows) < hf.Layers {
		return nil, fmt.Errorf("verify: %s/%s: the configuration names no attention_window for each layer", c.Mechanism, c.Name)
	}
	w := slices.Max(hf.Windows) // the reference pads to a multiple of it
	r := &longformerRun{modelRun: modelRun{c: c, place: bertPlace(c)}, global: make([][]int, batch)}
	if r.config, err = c.bertConfig((n + w - 1) / w * w); err != nil {
		return nil, err
	}
	if _, ok := c.IO.Ints["global_attention_mask"]; ok {
		for b := range batch {
			if err := r.readGlobal(b, n); err != nil {
				return nil, err
			}
		}
	}
	r.padRows = []string{"embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight"}
	r.rows = func(ids []int) []int { // padding has the position pad, text follows from pad + 1
		at, last := make([]int, len(ids)), hf.Pad
		for i, id := range ids {
			if at[i] = hf.Pad; id != hf.Pad {
				last++
				at[i] = last
			}
		}
		return at
	}
	r.build = func(b int) encoder.Builder {
		list := make([]string, len(r.global[b]))
		for i, g := range r.global[b] {
			list[i] = strconv.Itoa(g)
		}
		return layerByLayer(func(l int) (attention.Entry, knobs) {
			return attention.Longformer, knobs{"window": strconv.Itoa(hf.Windows[l]), "global": strings.Join(list, ",")}
		})
	}
	r.outputs = c.pooled
	r.show = func(b int, run *trace.Run) {
		input, _ := run.Find("embedded")
		for l, part := range run.Parts {
			r.steps(b, l, part, input.Value)
			input, _ = part.Find("layer output")
		}
	}
	return r.run()
}

// readGlobal reads the global positions of sequence b: those that are text.
func (r *longformerRun) readGlobal(b, n int) error {
	text, err := r.c.row("attention_mask", b, n, 0)
	if err != nil {
		return err
	}
	global, err := r.c.row("global_attention_mask", b, n, 0)
	if err != nil {
		return err
	}
	for i := range n {
		if text[i] != 0 && global[i] != 0 {
			r.global[b] = append(r.global[b], i)
		}
	}
	r.most = max(r.most, len(r.global[b]))
	return nil
}

func (r *longformerRun) steps(b, l int, run *trace.Run, input *tensor.T) {
	layer := fmt.Sprintf("encoder.layer.%d.attention.self.", l)
	for ours, theirs := range map[string]string{"q": "query", "k": "key", "v": "value"} {
		if m, ok := run.Find(ours); ok {
			r.putTime(layer+theirs+".0", b, m.Value)
		}
	}
	a, _ := run.Find("weights")
	r.put(fmt.Sprintf("attn_dense.%d", l), b, a.Value)
	r.put(fmt.Sprintf("attn_raw.%d", l), b, r.band(b, r.c.Config.HF.Windows[l], a.Value))
	if r.most == 0 {
		return
	}
	r.fillers(b, l, run, input)
	if gw, ok := run.Find("global weights"); ok { // [H,G,N], theirs [H,N,G]
		theirs := tensor.New(gw.Value.Dim(0), gw.Value.Dim(2), gw.Value.Dim(1))
		for h := range gw.Value.Dim(0) {
			copy(theirs.Sub(h).Data, swapped(gw.Value.Sub(h)).Data)
		}
		r.put(fmt.Sprintf("global_attn_raw.%d", l), b, theirs)
	}
}

// fillers writes what the reference computes for a sequence with fewer global
// positions than another of its batch: queries made of zeros, which are their
// bias, reading all positions alike, and keys and values that nobody reads.
func (r *longformerRun) fillers(b, l int, run *trace.Run, input *tensor.T) {
	layer := fmt.Sprintf("encoder.layer.%d.attention.self.", l)
	for _, part := range [...]string{"query", "key", "value"} {
		w, bias := r.c.Weights.Arrays[layer+part+"_global.weight"], r.c.Weights.Arrays[layer+part+"_global.bias"]
		if w == nil || bias == nil {
			return
		}
		rows := r.config.Length
		if part == "query" {
			rows = r.most
		}
		y := tensor.New(rows, bias.Len())
		if part != "query" {
			tensor.Gemm(tensor.Matrix(y.Data, rows, bias.Len()), tensor.Matrix(input.Data, rows, bias.Len()),
				tensor.Matrix(w.Data, bias.Len(), bias.Len()).T(), 1, tensor.Overwrite)
		}
		tensor.AddRow(y.Data, y.Data, bias.Data)
		if own, ok := run.Find("global " + part[:1]); ok {
			copy(y.Data, own.Value.Data)
		}
		r.putTime(layer+part+"_global.0", b, y)
	}
	alike := tensor.New(r.c.Config.HF.Heads, r.config.Length, r.most)
	for i := range alike.Data {
		alike.Data[i] = 1 / tensor.Elem(r.config.Length)
	}
	r.put(fmt.Sprintf("global_attn_raw.%d", l), b, alike)
}

// band is the reference's layout of the local weights [H,N,N]: for each query the
// global keys, then the window, in which global keys have no part. Rows of
// global queries are 0.
func (r *longformerRun) band(b, window int, a *tensor.T) *tensor.T {
	heads, n, global := a.Dim(0), a.Dim(1), r.global[b]
	out := tensor.New(heads, n, r.most+window+1)
	for h := range heads {
		for q := range n {
			if slices.Contains(global, q) {
				continue
			}
			for i, g := range global {
				out.Set(a.At(h, q, g), h, q, i)
			}
			for i := range window + 1 {
				if k := q + i - window/2; k >= 0 && k < n && !slices.Contains(global, k) {
					out.Set(a.At(h, q, k), h, q, r.most+i)
				}
			}
		}
	}
	return out
}

func computeBigBird(c *Case) (computed, error) {
	_, n, err := c.size()
	if err != nil {
		return nil, err
	}
	if c.Config.Block < 1 {
		return nil, fmt.Errorf("verify: %s/%s: the configuration names no block_size", c.Mechanism, c.Name)
	}
	r := &modelRun{c: c, place: bertPlace(c), outputs: c.pooled, padRows: []string{"embeddings.word_embeddings.weight"}}
	sparse := c.Config.Sparse != "original_full"
	length := n
	if sparse {
		length = (n + c.Config.Block - 1) / c.Config.Block * c.Config.Block
	}
	if r.config, err = c.bertConfig(length); err != nil {
		return nil, err
	}
	r.build = func(int) encoder.Builder {
		return layerByLayer(func(l int) (attention.Entry, knobs) {
			if limit := (5 + 2*c.Config.Random) * c.Config.Block; !sparse && n > limit {
				return attention.DotProduct, nil
			}
			return attention.BigBird, knobs{"block": strconv.Itoa(c.Config.Block), "random": strconv.Itoa(c.Config.Random), "random-blocks": c.randomBlocks(l)}
		})
	}
	r.show = func(b int, run *trace.Run) {
		for l, part := range run.Parts {
			for ours, theirs := range map[string]string{"q": "query", "k": "key", "v": "value"} {
				if m, ok := part.Find(ours); ok {
					r.put(fmt.Sprintf("encoder.layer.%d.attention.self.%s.0", l, theirs), b, m.Value)
				}
			}
			a, _ := part.Find("weights")
			r.put(fmt.Sprintf("attn_dense.%d", l), b, a.Value)
		}
	}
	return r.run()
}

// randomBlocks writes the case's random blocks of a layer [H,blocks-2,r] as BigBird's
// option.
func (c *Case) randomBlocks(layer int) string {
	t, ok := c.IO.Ints[fmt.Sprintf("rand_blocks.%d", layer)]
	if !ok || len(t.Shape) != 3 {
		return ""
	}
	var list strings.Builder
	for i, id := range t.Data {
		switch {
		case i == 0:
		case i%(t.Shape[1]*t.Shape[2]) == 0:
			list.WriteByte(';')
		case i%t.Shape[2] == 0:
			list.WriteByte(',')
		default:
			list.WriteByte(' ')
		}
		fmt.Fprint(&list, id)
	}
	return list.String()
}
