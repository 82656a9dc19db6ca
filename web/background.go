package web

import (
	"fmt"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/tokenizer"
)

// background is what is known of a mechanism for texts of n tokens: for its
// model's sizes, or for those that a model of it would have when there is none.
func (s *Server) background(e subject, model *engine.ModelInfo, n int) components.Background {
	b := components.Background{Cost: e.Cost, Paper: paper(e.Paper), Limits: limits(e.Masks)}
	like := model
	if like == nil {
		like = s.wouldBe(e)
	}
	if like == nil {
		return b
	}
	c := attention.Config{Width: like.Width, Heads: like.Heads, Length: like.Length, Knobs: like.Knobs}
	params, flops := e.ParamsFormula, e.FLOPsFormula
	if len(c.Knobs) > 0 {
		params, flops = "", "" // they are those of the default options
	}
	b.Counts = []components.Tally{
		{Label: "parameters of one layer’s mixer", Formula: params, Value: components.Grouped(e.Params(c)), Help: "trained numbers, exactly"},
		{Label: fmt.Sprintf("operations for %s", components.Count(n, "token")), Formula: flops, Value: components.Grouped(e.FLOPs(c, n)),
			Help: "multiplications and additions in one layer’s mixer; biases, activations, masks and softmax not counted"},
	}
	if model != nil {
		b.Counts = append(b.Counts, components.Tally{Label: "parameters of the whole model", Value: components.Grouped(model.Params),
			Help: e.wholeHelp(model)})
	}
	if e.Sizes != nil {
		for _, size := range e.Sizes(c, n) {
			b.Sizes = append(b.Sizes, components.Fact{Label: size.Symbol, Value: components.Grouped(size.Value), Help: size.Meaning})
		}
	}
	return b
}

// wholeHelp says what counts among the parameters of the whole model.
func (e subject) wholeHelp(model *engine.ModelInfo) string {
	if e.shares(model) {
		return "one layer for all depths, with its feed-forward part, embeddings and classifiers"
	}
	if f := factsOf(e.Stack, model); f.Own < f.Runs {
		return fmt.Sprintf("%s for all %d depths, with their feed-forward parts, embeddings and classifiers", components.Count(f.Own, "layer"), f.Runs)
	}
	return components.Count(e.depth(model), "layer") + " with their feed-forward parts, embeddings and classifiers"
}

// setting says for which sizes the numbers of a background are.
func (s *Server) setting(e *subject, model *engine.ModelInfo, n int) string {
	whose := "The numbers are those of " + s.whose()
	if model == nil {
		model, whose = s.wouldBe(*e), "The numbers are those that a model like the shipped ones would have"
		if s.own {
			whose = "The numbers are those that a model like your others would have"
		}
		if e.Stack != nil {
			whose = "The numbers are those that a model trained with the default sizes would have"
		}
	}
	if model == nil {
		return "."
	}
	layers, rest := "", ""
	if e.Stack != nil {
		layers, rest = fmt.Sprintf("l = %d layers, ", e.depth(model)), " “Mixer” is the work of what mixes the words; “inner” the width of the small network after it."
	}
	return fmt.Sprintf(". %s: %swidth d = %d, H = %d heads, L = %d positions, and a text of N = %d tokens.%s", whose, layers, model.Width, model.Heads, model.Length, n, rest)
}

// wouldBe has the sizes of the model that training makes of what has none: of a stack its
// own, of a mechanism those of all other mechanisms' models. Nil: there are no such models.
func (s *Server) wouldBe(e subject) *engine.ModelInfo {
	if e.Stack != nil {
		c, err := encoder.Default(e.Stack.ID, e.mixer().ID, tokenizer.Default().Size())
		if err != nil {
			return nil // a stack that engine.Find knows has a default
		}
		return &engine.ModelInfo{Layers: c.Layers, Width: c.Width, Heads: c.Heads, Length: c.Length, Knobs: c.Knobs}
	}
	for _, other := range s.subjects {
		if m := s.model(other.ID); m != nil && other.Stack == nil {
			like := *m
			like.Knobs = nil // they are the other's
			return &like
		}
	}
	return nil
}

// limits say which masks a mechanism is not defined for.
func limits(m attention.Masks) []string {
	var all []string
	for _, reason := range []string{m.NoPadding, m.NoCausal, m.NoPairs} {
		if reason != "" {
			all = append(all, reason)
		}
	}
	return all
}

func paper(p attention.Paper) components.Paper {
	v := components.Paper{
		Authors: authors(p), Title: p.Title, Venue: strings.TrimSpace(p.Venue + " " + strconv.Itoa(p.Year)),
		Equations: p.Equations, BibTeX: bibTeX(p),
	}
	if p.ArXiv != "" {
		v.URL, v.URLLabel = "https://arxiv.org/abs/"+p.ArXiv, "arXiv:"+p.ArXiv
	}
	return v
}

// authors are up to three names, or the first one's.
func authors(p attention.Paper) string {
	names := strings.Split(p.Authors, ", ")
	switch {
	case len(names) > 3:
		return names[0] + " et al."
	case len(names) == 1:
		return names[0]
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// bibTeX is the paper as an entry of a bibliography. What is known of authors
// are their family names.
func bibTeX(p attention.Paper) string {
	names := strings.Split(p.Authors, ", ")
	kind, where := "inproceedings", "booktitle"
	switch p.Venue {
	case "arXiv":
		kind, where = "misc", "howpublished"
	case "OpenAI": // a company, not a conference
		kind, where = "techreport", "institution"
	}
	key := strings.ToLower(strings.Map(ascii, names[0])) + strconv.Itoa(p.Year)
	fields := []string{
		"title = {{" + p.Title + "}}",
		"author = {" + strings.Join(names, " and ") + "}",
		where + " = {" + p.Venue + "}",
		"year = {" + strconv.Itoa(p.Year) + "}",
	}
	if p.ArXiv != "" {
		fields = append(fields, "eprint = {"+p.ArXiv+"}", "archivePrefix = {arXiv}")
	}
	return fmt.Sprintf("@%s{%s,\n  %s\n}", kind, key, strings.Join(fields, ",\n  "))
}

// ascii leaves out what has no place in the key of a bibliography.
func ascii(r rune) rune {
	if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
		return r
	}
	return -1
}
