package unroll

import (
	"context"
	"math"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
)

// HashingRequest asks for the hashing of a text in a layer of Reformer.
type HashingRequest struct {
	engine.Request     // with one mechanism
	Layer, Head    int // from 1
	Rounds         int // 0: the number of the model
	Seed           int // of the random directions; 0: those of the model
	Top            int // number of most attended words to look for; 0: UsualTop
}

// Bounds of a HashingRequest.
const (
	MostRounds = 8
	MostTop    = 16
	UsualTop   = 4
)

// Hashing shows how one head of a layer of Reformer hashes a text, from the words to the map. The input of the
// layer is that of the model, whatever random directions are used.
type Hashing struct {
	Version int               `json:"version" doc:"Version of this format"`
	Tokens  []string          `json:"tokens" doc:"Labels of the N tokens, including [CLS] and [SEP]"`
	Text    []tokenizer.Token `json:"-"`
	Layers  int               `json:"layers" doc:"Number of layers of the model"`
	Layer   int               `json:"layer" doc:"Number of the layer, from 1"`
	Heads   int               `json:"heads" doc:"Number of heads in the layer"`
	Head    int               `json:"head" doc:"Number of the head, from 1"`
	Seed    int               `json:"seed" doc:"Seed of the random directions; 0 means the model’s own directions"`
	Rounds  int               `json:"rounds" doc:"Number of hashing rounds requested. list has one element per round, or a single one if the text is not hashed"`
	Own     int               `json:"own" doc:"Number of hashing rounds of the model"`
	Hashed  bool              `json:"hashed" doc:"Whether the text is longer than one chunk and is hashed. Otherwise every token attends to every other"`
	Factors []int             `json:"factors" doc:"Factors F1, F2, … of the number of buckets. Each factor F has F ÷ 2 directions, and the bucket is b1 + F1·b2 + …"`
	Size    int               `json:"size" doc:"Number of entries in a chunk of the sorted list"`
	Before  int               `json:"before" doc:"Number of preceding chunks that a token can attend to. The list of all rounds is circular"`
	After   int               `json:"after" doc:"Number of following chunks that a token can attend to. The list of all rounds is circular"`
	List    []HashRound       `json:"list" doc:"Hashing rounds"`
	Weights [][]tensor.Elem   `json:"weights" doc:"N × N attention weights of all rounds together"`
	Full    [][]tensor.Elem   `json:"full" doc:"N × N attention weights of the same queries and keys without hashing"`
	Top     int               `json:"top" doc:"Number k of tokens in words for each token; default 4"`
	Words   [][]HashedWord    `json:"words" doc:"Tokens with the k largest weights in full, for each of the N tokens, and whether hashing finds them"`
	Recall  []HashRecall      `json:"recall" doc:"Share of the tokens in words that hashing finds, after 1, 2, … rounds"`
}

// HashRound is one hashing round.
type HashRound struct {
	Products [][]tensor.Elem `json:"products" doc:"N × D products of the tokens’ vectors with the D random directions. The largest product or negated product gives the bucket"`
	Buckets  []int           `json:"buckets" doc:"Bucket of each token"`
	Order    []int           `json:"order" doc:"Index of the token, from 0, at each entry of the list sorted by bucket and position; −1 pads the last chunk"`
	Chunks   []HashChunk     `json:"chunks" doc:"Chunks of the sorted list"`
	Weights  [][]tensor.Elem `json:"weights" doc:"N × N attention weights of this round alone, in the order of the text"`
	Shares   []tensor.Elem   `json:"shares" doc:"Weight of this round among all rounds, for each token"`
}

// HashChunk is a chunk of the sorted list, with the places that its places can attend to.
type HashChunk struct {
	Words   []int           `json:"words" doc:"Index of the token, from 0, at each entry of the chunk; −1 for padding"`
	Sees    []HashPlace     `json:"sees" doc:"Entries of the chunk’s window, to which its entries can attend"`
	May     [][]bool        `json:"may" doc:"Matrix of chunk entries × window entries: whether the row’s token can attend to the column’s token"`
	Weights [][]tensor.Elem `json:"weights" doc:"Matrix of chunk entries × window entries: attention weights after the softmax within the window"`
}

// HashPlace is a place of the sorted list.
type HashPlace struct {
	Word  int `json:"word" doc:"Index of the token, from 0; −1 for padding"`
	Round int `json:"round" doc:"Number of the hashing round, from 1"`
}

// HashedWord is one of the words that another word attends to most without hashing.
type HashedWord struct {
	Word   int         `json:"word" doc:"Index of the token, from 0"`
	Weight tensor.Elem `json:"weight" doc:"Attention weight of the token in full"`
	Found  bool        `json:"found" doc:"Whether hashing puts the token into the window in at least one round"`
}

// HashRecall is the recall after a number of rounds, for the requested seed and for sixteen others.
type HashRecall struct {
	Rounds int     `json:"rounds" doc:"Number of hashing rounds"`
	Recall float64 `json:"recall" doc:"Recall with the requested seed, 0…1"`
	Mean   float64 `json:"mean" doc:"Mean recall over the seeds 1 to 16, 0…1"`
	Least  float64 `json:"least" doc:"Smallest recall over the seeds 1 to 16, 0…1"`
	Most   float64 `json:"most" doc:"Largest recall over the seeds 1 to 16, 0…1"`
}

// Hashing returns the intermediate results of hashing in a layer.
func (u Unroller) Hashing(ctx context.Context, r HashingRequest) (found *Hashing, err error) {
	m, err := u.engine.Prepare(r.Request)
	if err != nil {
		return nil, err
	}
	err = m.Run(ctx, func(p *nn.Pass) (err error) {
		found, err = hash(ctx, p, m, r)
		return err
	})
	return found, err
}

// hash runs the model up to its layers, and unrolls one of them.
func hash(ctx context.Context, p *nn.Pass, m *engine.Prepared, r HashingRequest) (*Hashing, error) {
	if m.Seq2Seq != nil {
		return nil, fault.Errorf(fault.Unsupported, "hashing.none")
	}
	calls := encoder.ObserveFirst(p, math.MaxInt)
	m.Model.Run(p, m.Input())
	if r.Layer < 1 || r.Layer > len(*calls) {
		return nil, fault.Errorf(fault.NotFound, "explain.no-layer", "layer", r.Layer, "layers", len(*calls))
	}
	call := (*calls)[r.Layer-1]
	layer := p.WithMask(call.Mask)
	layer.OnMix, layer.Around, layer.Only = nil, nil, nil
	h, ok := attention.NewHashing(layer, call.Mixer, p.Tape.Const(call.X))
	switch {
	case !ok:
		return nil, fault.Errorf(fault.Unsupported, "hashing.none")
	case r.Head < 1 || r.Head > h.Heads():
		return nil, fault.Errorf(fault.NotFound, "hashing.no-head", "head", r.Head, "heads", h.Heads())
	}
	if r.Rounds == 0 {
		r.Rounds = h.Rounds()
	}
	if r.Top == 0 {
		r.Top = UsualTop
	}
	found := newHashing(h.Unroll(attention.Draw{Rounds: r.Rounds, Seed: uint64(r.Seed)}), r)
	found.Own, found.Layers, found.Heads, found.Text, found.Tokens = h.Rounds(), len(*calls), h.Heads(), m.Text.Tokens,
		tokenizer.Labels(m.Text.Tokens)
	full := h.Full()
	if found.Full = rowsOf(full.Sub(r.Head - 1)); !finiteRows(found.Full, found.Weights) {
		return nil, fault.Errorf(fault.Unsupported, "error.no-numbers")
	}
	return found, found.look(ctx, h, r)
}

// newHashing returns one head of an unrolled layer.
func newHashing(u *attention.Unrolled, r HashingRequest) *Hashing {
	h := &Hashing{
		Version: 1, Layer: r.Layer, Head: r.Head, Seed: r.Seed, Rounds: r.Rounds, Hashed: u.Factors != nil,
		Factors: u.Factors,
		Size:    u.Size, Before: u.Before, After: u.After, Top: r.Top,
	}
	find := func(name string) *tensor.T {
		m, _ := u.Run.Find(name)
		return m.Value.Sub(r.Head - 1)
	}
	h.Weights = rowsOf(find("weights"))
	byRound, buckets, shares, windows := find("weights by round"), rowsOf(find("buckets")), rowsOf(find("round weights")),
		find("window weights")
	n, places, wide := len(h.Weights), u.Rounds*u.Padded, u.Window()
	order := slices.Clone(u.Order[r.Head-1])
	for i, token := range order {
		if token >= n {
			order[i] = -1
		}
	}
	may := u.May[(r.Head-1)*places*wide:][:places*wide]
	for round := range u.Rounds {
		one := HashRound{Order: order[round*u.Padded:][:u.Padded], Weights: rowsOf(byRound.Sub(round)), Shares: shares[round]}
		for _, b := range buckets[round] {
			one.Buckets = append(one.Buckets, int(b))
		}
		if u.Products != nil {
			one.Products = rowsOf(u.Products.Sub(r.Head - 1).Sub(round))
		}
		for chunk := round * u.Padded / u.Size; chunk < (round+1)*u.Padded/u.Size; chunk++ {
			c := HashChunk{Words: order[chunk*u.Size:][:u.Size]}
			for _, place := range u.Sees(chunk) {
				c.Sees = append(c.Sees, HashPlace{order[place], place/u.Padded + 1})
			}
			for place := chunk * u.Size; place < (chunk+1)*u.Size; place++ {
				c.May = append(c.May, may[place*wide:][:wide])
				c.Weights = append(c.Weights, windows.Sub(place).Data)
			}
			one.Chunks = append(one.Chunks, c)
		}
		h.List = append(h.List, one)
	}
	return h
}

// rowsOf returns the rows of a matrix.
func rowsOf(t *tensor.T) [][]tensor.Elem {
	rows := make([][]tensor.Elem, t.Dim(0))
	for i := range rows {
		rows[i] = t.Sub(i).Data
	}
	return rows
}

// finiteRows reports whether all numbers are finite.
func finiteRows(all ...[][]tensor.Elem) bool {
	for _, rows := range all {
		for _, row := range rows {
			for _, v := range row {
				if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
					return false
				}
			}
		}
	}
	return true
}
