package verify

import (
	"fmt"
	"slices"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/huggingface"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// stackDialects are the references that are whole models around a mixer.
var stackDialects = map[string]dialect{
	"longformer": {run: computeLongformer, inputs: []string{"input_ids", "attention_mask", "global_attention_mask"}},
	"bigbird":    {run: computeBigBird, inputs: []string{"input_ids", "attention_mask", "rand_blocks."}},
	"bert":       {run: computeLibrary, inputs: libraryInputs},
	"albert":     {run: computeLibrary, inputs: libraryInputs},
	"gpt2":       {run: computeLibrary, inputs: libraryInputs},
}

// modelRun is a case of a whole model on its way through the engine's own
// (encoder.Model). The sequences are run one at a time, each by a model of its
// own, because some mechanisms are told what a sequence looks like; gradients
// of the weights add up.
type modelRun struct {
	c       *Case
	config  encoder.Config                                // its length is that of a sequence as it is run: the text and what it is padded with
	build   func(b int) encoder.Builder                   // the mixers for a sequence, layer by layer; nil: those of the configuration
	place   func(param string) (huggingface.Place, error) // of a parameter in the reference's weights
	rows    func(ids []int) []int                         // of the table of positions; nil: 0, 1, 2, …
	padRows []string                                      // tables of which looking up the padding's row does not train it
	show    func(b int, run *trace.Run)                   // hands over what the pass showed
	outputs func(m *encoder.Model, p *nn.Pass, x *ad.Var) map[string]*ad.Var
	out     computed
}

func (r *modelRun) run() (computed, error) {
	batch, _, err := r.c.size()
	if err != nil {
		return nil, err
	}
	r.out = computed{}
	for name := range r.c.IO.Arrays { // an unused weight has the gradient 0
		if w, ok := strings.CutPrefix(name, "grad."); ok && r.c.Weights.Arrays[w] != nil {
			r.out[name] = tensor.New(r.c.Weights.Arrays[w].Shape...)
		}
	}
	for b := range batch {
		if err := r.sequence(b); err != nil {
			return nil, fmt.Errorf("verify: %s/%s: %w", r.c.Mechanism, r.c.Name, err)
		}
	}
	return r.out, nil
}

// sequence runs sequence b forwards and backwards.
func (r *modelRun) sequence(b int) error {
	in, mask, err := r.input(b)
	if err != nil {
		return err
	}
	var params []*parameter
	m, err := r.model(b)
	if err == nil {
		params, err = r.parameters(m, in.IDs)
	}
	if err != nil {
		return err
	}
	p := nn.NewPass(ad.NewTape())
	p.Mask, p.Run = mask, &trace.Run{}
	r.padding(in.IDs)
	x := m.Run(p, in)
	r.hidden(b, p.Run)
	r.show(b, p.Run)
	outputs := r.outputs(m, p, x)
	outputs["last_hidden_state"] = x
	for name, y := range outputs {
		r.put(name, b, y.Value)
	}
	if loss := r.loss(b, outputs); loss != nil {
		p.Tape.Backward(loss, tensor.From([]tensor.Elem{1}))
		for _, w := range params {
			r.gradient(w, p.Grad(w.Param))
		}
	}
	return nil
}

// input reads sequence b and its mask. Every text is masked where the case says
// so, and where it is padded to the length that is run.
func (r *modelRun) input(b int) (encoder.Input, nn.Mask, error) {
	_, n, err := r.c.size()
	if err != nil {
		return encoder.Input{}, nn.Mask{}, err
	}
	in := encoder.Input{Count: 1}
	if in.IDs, err = r.c.row("input_ids", b, r.config.Length, r.c.Config.HF.Pad); err != nil {
		return in, nn.Mask{}, err
	}
	if _, ok := r.c.IO.Ints["token_type_ids"]; ok {
		if in.Types, err = r.c.row("token_type_ids", b, r.config.Length, 0); err != nil {
			return in, nn.Mask{}, err
		}
	}
	text := make([]int, r.config.Length)
	for i := range n {
		text[i] = 1
	}
	if _, ok := r.c.IO.Ints["attention_mask"]; ok {
		if text, err = r.c.row("attention_mask", b, r.config.Length, 0); err != nil {
			return in, nn.Mask{}, err
		}
	}
	if !slices.Contains(text, 0) {
		return in, nn.Mask{}, nil
	}
	mask := nn.Mask{Keys: make([]bool, len(text)), N: len(text), Added: true}
	for i, v := range text {
		mask.Keys[i] = v != 0
	}
	return in, mask, nil
}

func (r *modelRun) model(b int) (*encoder.Model, error) {
	c := r.config
	if r.untrained("words") {
		c.Vocab++ // its last row stands for the padding's where it is looked up
	}
	if r.build == nil {
		return encoder.New(c, 0)
	}
	return encoder.NewWith(c, 0, r.build(b))
}

// untrained says whether looking up the padding does not train the table of
// that name of ours.
func (r *modelRun) untrained(table string) bool {
	p, err := r.place(table)
	return err == nil && slices.Contains(r.padRows, p.Name)
}

// padding replaces the id of the padding by that of the row that stands for it.
func (r *modelRun) padding(ids []int) {
	for i, id := range ids {
		if id == r.c.Config.HF.Pad && r.untrained("words") {
			ids[i] = r.config.Vocab
		}
	}
}

// parameter is one of ours and where the reference has it.
type parameter struct {
	*nn.Param
	place huggingface.Place
	rows  []int // of a table: which of theirs is which of ours, -1: none that is trained; nil: not a table
}

// parameters fills the model with the reference's weights. What a model of ours has
// and the reference has not is not part of the case.
func (r *modelRun) parameters(m *encoder.Model, ids []int) ([]*parameter, error) {
	var list []*parameter
	for _, p := range m.Params {
		place, err := r.place(p.Name)
		if err != nil {
			return nil, err
		}
		theirs, ok := r.c.Weights.Arrays[place.Name]
		if !ok && (strings.HasPrefix(p.Name, "masked word/") || strings.HasPrefix(p.Name, "pooler/")) && r.build != nil {
			continue
		} else if !ok {
			return nil, fmt.Errorf("the weight %q is missing", place.Name)
		}
		w := &parameter{Param: p, place: place, rows: r.tableRows(p, ids)}
		if err := w.read(theirs, r.c.Config.HF.Pad); err != nil {
			return nil, err
		}
		list = append(list, w)
	}
	return list, nil
}

// tableRows says which rows of the reference's table are those of ours.
func (r *modelRun) tableRows(p *nn.Param, ids []int) []int {
	var rows []int
	pad := r.c.Config.HF.Pad
	switch {
	case p.Name == "positions" && r.rows != nil:
		rows = r.rows(ids)
		for i, row := range rows {
			if row == pad && r.untrained("positions") {
				rows[i] = -1
			}
		}
	case p.Name == "positions", (p.Name == "words" || p.Name == "masked word/b") && r.untrained("words"):
		for i := range p.Value.Dim(0) {
			rows = append(rows, i)
		}
		if p.Name != "positions" {
			rows[len(rows)-1] = -1
		}
	}
	return rows
}

func (w *parameter) read(theirs *tensor.T, pad int) error {
	if w.rows == nil {
		if !w.place.Fits(theirs.Shape, w.Value.Shape) {
			return fmt.Errorf("the weight %q has shape %v, which does not fit %q %v", w.place.Name, theirs.Shape, w.Name, w.Value.Shape)
		}
		w.place.Read(w.Value, theirs)
		return nil
	}
	for i, row := range w.rows {
		if row < 0 {
			row = pad
		}
		if row >= theirs.Dim(0) || theirs.Len()/theirs.Dim(0) != w.Value.Len()/len(w.rows) {
			return fmt.Errorf("the weight %q has shape %v: no row %d as %q needs it", w.place.Name, theirs.Shape, row, w.Name)
		}
		width := theirs.Len() / theirs.Dim(0)
		copy(w.Value.Data[i*width:][:width], theirs.Data[row*width:])
	}
	return nil
}

// gradient adds what a sequence contributes to the gradient of a weight.
func (r *modelRun) gradient(w *parameter, g *tensor.T) {
	to := r.out["grad."+w.place.Name]
	switch {
	case g == nil || to == nil:
	case w.rows == nil:
		w.place.Add(to, g)
	default:
		width := g.Len() / len(w.rows)
		for i, row := range w.rows {
			if row >= 0 {
				tensor.Add(to.Data[row*width:][:width], to.Data[row*width:][:width], g.Data[i*width:][:width])
			}
		}
	}
}

// hidden files what goes into the first layer and what comes out of each.
func (r *modelRun) hidden(b int, run *trace.Run) {
	if m, ok := run.Find("embedded"); ok {
		r.put("hidden.0", b, m.Value)
	}
	each := len(run.Parts) / r.config.Layers // layers of a group
	for l := range r.config.Layers {
		if m, ok := run.Parts[(l+1)*each-1].Find("layer output"); ok {
			r.put(fmt.Sprintf("hidden.%d", l+1), b, m.Value)
		}
	}
	if m, ok := run.Find("output"); ok && r.config.Norm == encoder.PreNorm { // the library's last one is normalised
		r.put(fmt.Sprintf("hidden.%d", r.config.Layers), b, m.Value)
	}
}

// loss is the sum of the outputs that the case weighs.
func (r *modelRun) loss(b int, outputs map[string]*ad.Var) *ad.Var {
	var loss *ad.Var
	for name, y := range outputs {
		w, ok := r.c.IO.Arrays["loss_w."+name]
		if !ok {
			continue
		}
		w = w.Sub(b)
		part := tensor.New(y.Shape()...) // what lies beyond the text has no part in the loss
		crop(part.Data, part.Shape[part.Rank()-w.Rank():], w.Data, w.Shape)
		if d := ad.Dot(y, part); loss == nil {
			loss = d
		} else {
			loss = ad.Add(loss, d)
		}
	}
	return loss
}
