package unroll

import (
	"slices"
	"strconv"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/fault"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Pondering shows adaptive computation time for a text, step by step: how many steps each word takes.
type Pondering struct {
	Version   int            `json:"version" doc:"Version of this format"`
	Tokens    []string       `json:"tokens" doc:"Labels of the tokens"`
	Steps     int            `json:"steps" doc:"Number of recurrent steps for this text: that of its slowest token"`
	Most      int            `json:"most" doc:"Largest number of recurrent steps of the model"`
	Threshold float64        `json:"threshold" doc:"Halting threshold 1 − ε. A token halts when its accumulated halting probability exceeds the threshold"`
	Rule      string         `json:"rule" doc:"Rule that combines the states of the steps into the output: basic, accumulated or global"`
	Price     float64        `json:"price" doc:"Cost of one recurrent step in the training loss"`
	Cost      float64        `json:"cost" doc:"Ponder cost of this text: price × mean over the tokens of (number of steps + remainder)"`
	Words     []PonderedWord `json:"words" doc:"Adaptive computation of each token"`
	Maps      []trace.Map    `json:"-"` // the mechanism's main map of each step, with all heads
}

// PonderedWord is the computation of one word.
type PonderedWord struct {
	Steps     int          `json:"steps" doc:"Number of recurrent steps of the token"`
	Halted    bool         `json:"halted" doc:"Whether the token halted by itself. Otherwise it used all steps of the model, and its remainder is 0"`
	Remainder tensor.Elem  `json:"remainder" doc:"Remainder: 1 minus the accumulated halting probability before the halting step"`
	List      []PonderStep `json:"list" doc:"All recurrent steps of the text, including those after the token halted"`
}

// PonderStep is one step of a word.
type PonderStep struct {
	Does   string      `json:"does" enum:"goes on,halts,has halted" doc:"State of the token in this step"`
	P      tensor.Elem `json:"p" doc:"Halting probability computed in this step"`
	Before tensor.Elem `json:"before" doc:"Accumulated halting probability before this step"`
	Sum    tensor.Elem `json:"sum" doc:"Accumulated halting probability after this step, including the remainder if the token halts here"`
	Weight tensor.Elem `json:"weight" doc:"Weight of this step’s state when it is added to the output: p, or the remainder in the halting step; 0 after halting"`
	Left   tensor.Elem `json:"left" doc:"Weight of this step’s state in the final output, after all steps"`
}

// PonderingOf returns the adaptive computation of a model in a report.
func PonderingOf(rep *engine.Report, id string) (*Pondering, error) {
	i := slices.IndexFunc(rep.Mechanisms, func(r engine.Result) bool { return r.ID == id })
	res := &rep.Mechanisms[i]
	if res.Err != nil {
		return nil, res.Err
	}
	find := func(name string) *tensor.T {
		m, _ := (&trace.Run{Steps: res.Maps}).Find(name)
		return m.Value
	}
	running := find("running")
	if running == nil || res.Stack == nil {
		return nil, fault.Errorf(fault.Unsupported, "pondering.none")
	}
	p := &Pondering{
		Version: 1, Tokens: tokenizer.Labels(rep.Tokens), Steps: running.Dim(0), Most: res.Model.Layers,
		Threshold: share(res, "threshold"), Price: share(res, "ponder"), Rule: option(res, "halting"),
	}
	for _, c := range res.Charges {
		if c.Name == "ponder" {
			p.Cost = c.Value
		}
	}
	m, _ := (&trace.Run{Steps: res.Maps}).Find("running")
	chance, sum, weight, left := find("halting"), find("cumulated halting"), find("update weights"),
		find("effective weights")
	remainders := find("remainders")
	for word := range p.Tokens {
		w := PonderedWord{Steps: int(find("updates").Data[word]), Remainder: remainders.Data[word]}
		before := tensor.Elem(0)
		for t := range p.Steps {
			does := m.Classes[int(running.At(t, word))]
			w.Halted = w.Halted || does == m.Classes[2]
			w.List = append(w.List, PonderStep{does, chance.At(t, word), before, sum.At(t, word), weight.At(t, word),
				left.At(t, word)})
			before = sum.At(t, word)
		}
		p.Words = append(p.Words, w)
	}
	p.Maps = mainMaps(res)
	return p, nil
}

// mainMaps returns the first map of each layer from words to words, with all heads. It returns none if a layer has
// no such map.
func mainMaps(res *engine.Result) (list []trace.Map) {
	for _, layer := range res.Layers {
		for _, v := range res.Entry.Views {
			m, ok := layer.Find(v.Map)
			if ok && slices.Equal(m.Roles(), []trace.Role{trace.Head, trace.Query, trace.Key}) {
				list = append(list, m)
				break
			}
		}
	}
	if len(list) < len(res.Layers) {
		return nil
	}
	return list
}

// option returns the value of an option of the architecture.
func option(res *engine.Result, name string) string {
	if v, ok := res.Model.Options[name]; ok {
		return v
	}
	i := slices.IndexFunc(res.Stack.Options, func(o attention.Option) bool { return o.Name == name })
	return res.Stack.Options[i].Default
}

// share returns the value of an option that is a number.
func share(res *engine.Result, name string) float64 {
	x, err := strconv.ParseFloat(option(res, name), 64)
	if err != nil {
		return 0 // it was checked when the model was built
	}
	return x
}
