package verify

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/huggingface"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// bertLike returns a model of the transformers library with another mixer. It has BERT's
// embeddings, layers and names, without the model's prefix.
func (r *run) bertLike(length int) model {
	var hf struct {
		Layers int     `json:"num_hidden_layers"`
		Heads  int     `json:"num_attention_heads"`
		Act    string  `json:"hidden_act"`
		Eps    float64 `json:"layer_norm_eps"`
		Pad    int     `json:"pad_token_id"`
	}
	r.hf(&hf)
	words, types := r.array("embeddings.word_embeddings.weight"), r.array("embeddings.token_type_embeddings.weight")
	m := model{untrained: true, pad: hf.Pad, outputs: r.pooled, config: encoder.Config{
		Stack: encoder.BERT.ID, Norm: encoder.PostNorm, Layers: hf.Layers, Width: words.Dim(1), Heads: hf.Heads, Eps: hf.Eps,
		Act:   activation(hf.Act),
		Inner: r.array("encoder.layer.0.intermediate.dense.bias").Len(), Length: length, Vocab: words.Dim(0),
		Types: types.Dim(0),
	}}
	m.place = func(param string) (huggingface.Place, error) {
		plain := strings.TrimSuffix(param, "'") // for global positions
		p, err := huggingface.PlaceOf("bert", plain)
		if err != nil {
			return p, err
		}
		name := strings.TrimPrefix(p.Names[0], "bert.")
		if at := strings.LastIndexByte(name, '.'); plain != param {
			name = name[:at] + "_global" + name[at:]
		}
		if short := strings.Replace(name, "pooler.dense.", "pooler.", 1); r.Weights.Arrays[short] != nil {
			name = short
		}
		p.Names[0] = name
		return p, nil
	}
	return m
}

// pooled returns the pooler's output, if the reference has one.
func (r *run) pooled(m *encoder.Model, p *nn.Pass, x *ad.Var) map[string]*ad.Var {
	if r.Weights.Arrays["pooler.weight"] == nil && r.Weights.Arrays["pooler.dense.weight"] == nil {
		return map[string]*ad.Var{}
	}
	return map[string]*ad.Var{"pooler_output": m.Pool(p, x)}
}

// multiple returns the smallest multiple of m that is at least n.
func multiple(n, m int) int { return (n + m - 1) / m * m }

// bigbird reads BigBirdModel.
func bigbird(r *run) forward {
	var config struct {
		Block  int    `json:"block_size"`
		Random int    `json:"num_random_blocks"`
		Mode   string `json:"mode_used"` // block_sparse, original_full
	}
	r.read(&config)
	n := r.words()
	full, length := config.Mode == "original_full", n
	if !full {
		length = multiple(n, config.Block)
	}
	m := r.bertLike(length)
	m.mixer = func(layer int) (attention.Entry, options) {
		if full && n > (5+2*config.Random)*config.Block {
			return attention.DotProduct, nil
		}
		return attention.BigBird, options{"block": strconv.Itoa(config.Block), "random": strconv.Itoa(config.Random),
			"random-blocks": r.randomBlocks(layer)}
	}
	return r.model(m)
}

// randomBlocks returns the case's random blocks of a layer [H,blocks-2,r] as BigBird's option.
func (r *run) randomBlocks(layer int) string {
	t := r.IO.Arrays[fmt.Sprintf("rand_blocks.%d", layer)]
	if t == nil || t.Rank() != 3 {
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

// long is a case of Longformer: the windows of its layers and the global positions of its
// sequences.
type long struct {
	*run
	heads   int
	windows []int
	length  int     // length of a padded text
	global  [][]int // [B]
	most    int     // largest number of global positions of a sequence
}

// longformer reads LongformerModel.
func longformer(r *run) forward {
	var config struct {
		Windows []int `json:"attention_window"` // window of each layer
	}
	r.hf(&config)
	l := long{run: r, windows: config.Windows, length: multiple(r.words(), slices.Max(config.Windows))}
	l.readGlobal()
	m := r.bertLike(l.length)
	l.heads = m.config.Heads
	last := m.pad
	for _, id := range r.row("input_ids", l.length, m.pad) { // padding has position pad, text starts at pad + 1
		at := -1
		if id != m.pad {
			last++
			at = last
		}
		m.positions = append(m.positions, at)
	}
	m.mixer = func(layer int) (attention.Entry, options) {
		global := strings.ReplaceAll(strings.Trim(fmt.Sprint(l.global[r.b]), "[]"), " ", ",")
		return attention.Longformer, options{"window": strconv.Itoa(l.windows[layer]), "global": global}
	}
	r.show = func(shown *trace.Run) {
		input, _ := shown.Find("embedded")
		for i, part := range shown.Parts {
			l.layer(i, part, input.Value)
			input, _ = part.Find("layer output")
		}
	}
	return r.model(m)
}

// readGlobal reads the global positions of all sequences, without padding.
func (l *long) readGlobal() {
	l.global = make([][]int, l.count)
	if l.shape("global_attention_mask") == nil {
		return
	}
	text, n := l.input("attention_mask"), l.words()
	for i, global := range l.input("global_attention_mask").Data {
		if b := i / n; global != 0 && text.Data[i] != 0 {
			l.global[b] = append(l.global[b], i%n)
			l.most = max(l.most, len(l.global[b]))
		}
	}
}

// layer files the recorded values of a layer.
func (l *long) layer(i int, shown *trace.Run, input *tensor.T) {
	if a, ok := shown.Find("weights"); ok {
		l.put(fmt.Sprintf("attn_raw.%d", i), l.band(l.windows[i], a.Value))
	}
	if l.most == 0 {
		return
	}
	l.fillers(i, shown, input)
	if gw, ok := shown.Find("global weights"); ok { // [H,G,N], in the reference [H,N,G]
		l.put(fmt.Sprintf("global_attn_raw.%d", i), permuted(gw.Value, 0, 2, 1))
	}
}

// fillers computes the reference's values for missing global positions, in a sequence with fewer of
// them than another in its batch. Their queries are made of zeros, so they equal the bias and
// attend to all positions equally. No token attends to their keys and values.
func (l *long) fillers(i int, shown *trace.Run, input *tensor.T) {
	layer := fmt.Sprintf("encoder.layer.%d.attention.self.", i)
	for _, part := range [...]string{"query", "key", "value"} {
		w, bias := l.array(layer+part+"_global.weight"), l.array(layer+part+"_global.bias")
		d, rows := bias.Len(), l.length
		if part == "query" {
			rows = l.most
		}
		y := tensor.New(rows, d)
		if part != "query" {
			tensor.Gemm(tensor.NewMatrix(y.Data, rows, d), tensor.NewMatrix(input.Data, rows, d),
				tensor.NewMatrix(w.Data, d, d).T(), 1, tensor.Overwrite)
		}
		tensor.AddRow(y.Data, y.Data, bias.Data)
		if own, ok := shown.Find("global " + part[:1]); ok {
			copy(y.Data, own.Value.Data)
		}
		l.put(layer+part+"_global.0", y)
	}
	alike := tensor.New(l.heads, l.length, l.most)
	for i := range alike.Data {
		alike.Data[i] = 1 / tensor.Elem(l.length)
	}
	l.put(fmt.Sprintf("global_attn_raw.%d", i), alike)
}

// band returns the local weights [H,N,N] in the reference's layout: for each query the global keys,
// then the window without global keys. Rows of global queries are 0.
func (l *long) band(window int, a *tensor.T) *tensor.T {
	heads, n, global := a.Dim(0), a.Dim(1), l.global[l.b]
	out := tensor.New(heads, n, l.most+window+1)
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
					out.Set(a.At(h, q, k), h, q, l.most+i)
				}
			}
		}
	}
	return out
}
