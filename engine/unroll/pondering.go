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
	Tokens    []string       `json:"tokens"`
	Steps     int            `json:"steps" doc:"That the text took: as many as the slowest of its words"`
	Most      int            `json:"most" doc:"That the model can take"`
	Threshold float64        `json:"threshold" doc:"1 − ε: a word halts when the sum of its probabilities passes it"`
	Rule      string         `json:"rule" doc:"How steps become the output: basic, accumulated or global"`
	Price     float64        `json:"price" doc:"Of a step in training"`
	Cost      float64        `json:"cost" doc:"What training would pay for this text: the price times the mean over the words of steps and remainder"`
	Words     []PonderedWord `json:"words"`
	Maps      []trace.Map    `json:"-"` // the mechanism's main map of each step, with all heads
}

// PonderedWord is the computation of one word.
type PonderedWord struct {
	Steps     int          `json:"steps" doc:"That it took"`
	Halted    bool         `json:"halted" doc:"Whether it halted by itself; else the model’s steps were used up, and there is no remainder"`
	Remainder tensor.Elem  `json:"remainder" doc:"What was left of 1 when it halted"`
	List      []PonderStep `json:"list" doc:"All steps of the text"`
}

// PonderStep is one step of a word.
type PonderStep struct {
	Does   string      `json:"does" enum:"goes on,halts,has halted"`
	P      tensor.Elem `json:"p" doc:"The halting probability of this step"`
	Before tensor.Elem `json:"before" doc:"The sum of those of the steps before"`
	Sum    tensor.Elem `json:"sum" doc:"The sum behind this step, with the remainder where it halts"`
	Weight tensor.Elem `json:"weight" doc:"Of the step’s state when it joins the output: p, or the remainder; 0 behind the halt"`
	Left   tensor.Elem `json:"left" doc:"What of it is left in the output after all steps"`
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
