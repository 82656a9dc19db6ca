package wall

import (
	"cmp"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/tensor"
	"attnatlas/web/api"
)

// AttentionQuestion asks for the attention of one model. Layers, heads and rows count from 1; an
// empty list stands for all.
type AttentionQuestion struct {
	Model string `json:"model" doc:"Id of a mechanism, an architecture, or a model of the transformers library on this machine"`
	Text  string `json:"text,omitempty" doc:"Text, at most 65536 bytes"`
	IDs   []int  `json:"ids,omitempty" doc:"Token ids instead of a text, including special tokens"`
	Types []int  `json:"token_type_ids,omitempty" doc:"Token types of ids, such as 0 for the first text of a pair and 1 for the second; default all 0"`

	DecoderText string   `json:"decoder_text,omitempty" doc:"Text for the decoder of an encoder–decoder, which reads it shifted right, as labels in training; without it, the encoder runs alone"`
	DecoderIDs  []int    `json:"decoder_input_ids,omitempty" doc:"Token ids for the decoder instead of decoder_text, exactly as it reads them"`
	Attentions  []string `json:"attentions,omitempty" enum:"encoder_attentions,decoder_attentions,cross_attentions" doc:"Lists of the answer, if a decoder runs; default all three"`

	Layers []int  `json:"layers,omitempty" doc:"Layers, from 1; default all layers"`
	Heads  []int  `json:"heads,omitempty" doc:"Heads, from 1; default all heads"`
	Rows   []int  `json:"rows,omitempty" doc:"Tokens whose rows are wanted, from 1; default all rows"`
	Top    int    `json:"top,omitempty" doc:"Only so many largest weights of each row, and the sum of the others; default all weights"`
	Format string `json:"format,omitempty" enum:"json,npz,npy" doc:"json is the default. npz holds arrays of NumPy named layer1, or keys1, weights1 and rest1 with top. If a decoder runs, the name of the list stands before, as in cross_attentions.layer1. npy is one array of layers × heads × rows × tokens"`
	Half   bool   `json:"half,omitempty" doc:"Half precision: float16 in NPY and NPZ; in JSON, each number has as few digits as give the same float16"`
	Stream bool   `json:"stream,omitempty" doc:"Sends each layer as soon as it is computed. JSON then has lines: first the object without layers, then one for each layer"`
}

// Attention is the attention of one model.
type Attention struct {
	Version int               `json:"version" doc:"Version of this format: 1"`
	Model   string            `json:"model" doc:"Id of the model"`
	Tokens  []api.AttendToken `json:"tokens" doc:"Tokens of the text; for token ids, start and end are positions in their list"`
	Heads   []int             `json:"heads,omitzero" doc:"Heads of layers or encoder_attentions, from 1, in the order of the answer"`
	Rows    []int             `json:"rows,omitzero" doc:"Rows of layers or encoder_attentions, as tokens from 1, in the order of the answer"`
	Layers  []AttentionLayer  `json:"layers,omitzero" doc:"Layers of the answer, unless a decoder runs"`

	DecoderTokens []api.AttendToken `json:"decoder_tokens,omitempty" doc:"Tokens that the decoder reads"`
	DecoderHeads  []int             `json:"decoder_heads,omitempty" doc:"Heads of decoder_attentions and cross_attentions, from 1"`
	DecoderRows   []int             `json:"decoder_rows,omitempty" doc:"Rows of decoder_attentions and cross_attentions, as decoder_tokens from 1"`
	Encoder       []AttentionLayer  `json:"encoder_attentions,omitempty" doc:"Layers of the encoder, if a decoder runs"`
	Decoder       []AttentionLayer  `json:"decoder_attentions,omitempty" doc:"Self-attention of the decoder’s layers"`
	Cross         []AttentionLayer  `json:"cross_attentions,omitempty" doc:"Attention of the decoder’s layers to the encoder’s tokens"`
}

// Begin returns an empty response.
func (q *AttentionQuestion) Begin(of engine.Attended) Attention {
	a := Attention{Version: 1, Model: q.Model, Tokens: api.Tokens(of.Tokens)}
	if of.Decoder != nil {
		a.DecoderTokens = api.Tokens(of.Decoder)
	}
	for _, part := range q.Parts(of) {
		heads, rows := orAll(q.Heads, part.Heads), orAll(q.Rows, part.Rows)
		switch part.Name {
		case engine.DecoderAttentions, engine.CrossAttentions:
			a.DecoderHeads, a.DecoderRows = heads, rows
		default:
			a.Heads, a.Rows = heads, rows
		}
	}
	return a
}

// list returns the list of a part.
func (a *Attention) list(part string) *[]AttentionLayer {
	switch part {
	case engine.EncoderAttentions:
		return &a.Encoder
	case engine.DecoderAttentions:
		return &a.Decoder
	case engine.CrossAttentions:
		return &a.Cross
	}
	return &a.Layers
}

// Add adds a layer to its list.
func (a *Attention) Add(l AttentionLayer) {
	to := a.list(l.Attentions)
	*to = append(*to, l)
}

// Parts returns the requested parts of a model.
func (q *AttentionQuestion) Parts(of engine.Attended) (parts []engine.AttendedPart) {
	for _, part := range of.Parts {
		if len(q.Attentions) == 0 || slices.Contains(q.Attentions, part.Name) {
			parts = append(parts, part)
		}
	}
	return parts
}

// Wants reports whether a layer is requested.
func (q *AttentionQuestion) Wants(l engine.AttendedLayer) bool {
	return (len(q.Layers) == 0 || slices.Contains(q.Layers, l.Number)) &&
		(len(q.Attentions) == 0 || slices.Contains(q.Attentions, l.Part))
}

// shape returns the numbers of layers, heads, rows and weights in a row of a part of the response.
func (q *AttentionQuestion) shape(part engine.AttendedPart) [4]int {
	layers, keys := slices.Clone(orAll(q.Layers, part.Layers)), part.Keys
	slices.Sort(layers)
	if q.Top > 0 {
		keys = q.Top
	}
	return [4]int{len(slices.Compact(layers)), len(orAll(q.Heads, part.Heads)), len(orAll(q.Rows, part.Rows)), keys}
}

// Bytes estimates the memory of a response, with its JSON, in bytes.
func (q *AttentionQuestion) Bytes(of engine.Attended) (bytes int64) {
	const each = 20 // a number, and its digits
	for _, part := range q.Parts(of) {
		shape := q.shape(part)
		row := int64(shape[3])
		if q.Top > 0 {
			row = 2*row + 1
		}
		layer := each * row * int64(shape[1]) * int64(shape[2])
		if q.Stream { // one at a time
			bytes = max(bytes, layer)
		} else {
			bytes += layer * int64(shape[0])
		}
	}
	return bytes
}

// orAll returns the list, or all numbers from 1 to count if it is empty.
func orAll(list []int, count int) []int {
	if len(list) > 0 {
		return list
	}
	all := make([]int, count)
	for i := range all {
		all[i] = i + 1
	}
	return all
}

// AttentionLayer holds the requested rows of all requested heads, one after another.
type AttentionLayer struct {
	Attentions string `json:"attentions,omitempty" doc:"List of the layer: encoder_attentions, decoder_attentions or cross_attentions"`

	Layer   int        `json:"layer" doc:"Number of the layer, from 1"`
	Shape   []int      `json:"shape" doc:"Number of heads, of rows, and of weights in a row"`
	Weights api.Values `json:"weights" doc:"Attention weights of all heads and rows; with top, the largest of each row in descending order"`
	Keys    []int      `json:"keys,omitempty" doc:"Tokens of the weights, from 1; only with top"`
	Rest    api.Values `json:"rest,omitempty" doc:"Sum of the other weights of each row; only with top"`
}

// Layer returns the requested part of a layer.
func (q *AttentionQuestion) Layer(l engine.AttendedLayer) AttentionLayer {
	all, rows, n := l.Weights, l.Weights.Dim(1), l.Weights.Dim(2)
	heads, wanted := orAll(q.Heads, all.Dim(0)), orAll(q.Rows, rows)
	layer := AttentionLayer{Attentions: l.Part, Layer: l.Number, Shape: []int{len(heads), len(wanted), n}}
	if q.Top > 0 {
		layer.Shape[2] = min(q.Top, n)
	}
	layer.Weights = make(api.Values, 0, layer.Shape[0]*layer.Shape[1]*layer.Shape[2])
	for _, h := range heads {
		for _, r := range wanted {
			row := all.Data[((h-1)*rows+r-1)*n:][:n]
			if q.Top == 0 {
				layer.Weights = append(layer.Weights, row...)
				continue
			}
			layer.largest(row, layer.Shape[2])
		}
	}
	if q.Half {
		shorten(layer.Weights)
		shorten(layer.Rest)
	}
	return layer
}

// AppendJSON appends the layer as JSON, without the copies that encoding/json makes of its numbers.
func (l *AttentionLayer) AppendJSON(b []byte) ([]byte, error) {
	b, err := api.AppendObject(b, struct {
		Attentions string `json:"attentions,omitempty"`
		Layer      int    `json:"layer"`
		Shape      []int  `json:"shape"`
		Keys       []int  `json:"keys,omitempty"`
	}{l.Attentions, l.Layer, l.Shape, l.Keys})
	if err != nil {
		return nil, err
	}
	b = l.Weights.AppendJSON(append(b, `,"weights":`...))
	if l.Rest != nil {
		b = l.Rest.AppendJSON(append(b, `,"rest":`...))
	}
	return append(b, '}'), nil
}

// largest adds the largest weights of a row, the earlier of equal ones first, and the sum of the
// others.
func (l *AttentionLayer) largest(row []tensor.Elem, count int) {
	order := make([]int, len(row))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(row[j], row[i]) })
	rest := 0.0
	for place, i := range order {
		if place < count {
			l.Weights, l.Keys = append(l.Weights, row[i]), append(l.Keys, i+1)
		} else {
			rest += float64(row[i])
		}
	}
	l.Rest = append(l.Rest, tensor.Elem(rest))
}
