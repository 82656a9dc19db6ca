package exhibit

import (
	"attnatlas/engine/attention"
	"attnatlas/engine/messages"
)

// Method is what a page tells of what it shows where that is made of a model's maps or layers in
// the same way for all.
type Method struct {
	Show    Show
	Name    messages.Message
	Formula string           // in the notation of package formula
	Text    messages.Message // what it means, in a sentence or two
	Paper   attention.Paper  // the zero one: it is of no paper
}

// Methods are all that there are, in the order in which a page offers them.
func Methods() []Method {
	var all []Method
	for _, s := range Shows() {
		if s != Maps {
			all = append(all, s.Method())
		}
	}
	return all
}

// Method tells what is shown; of what each mechanism computes itself there is nothing to tell.
func (s Show) Method() Method {
	if s == Maps {
		return Method{}
	}
	m := Method{Show: s, Name: messages.New("show." + s.String() + ".label"), Text: messages.New("method." + s.String())}
	switch s {
	case Influence:
		m.Formula = `I_{ij} = \lVert \partial y_i/\partial x_j \rVert`
	case Rollout:
		m.Formula, m.Paper = `R_l = \tilde A_l R_{l-1} \quad \tilde A_l = \frac{A_l + I}{2}`, abnar
	case ValueZeroing:
		m.Formula = `Z_{ij} = \frac{D_{ij}}{\sum_k D_{ik}} \quad D_{ij} = 1 - \mathrm{cos}(y_i, y_i^{(-j)})`
		m.Paper = attention.Paper{
			Authors: "Mohebbi, Zuidema, Chrupała, Alishahi", Year: 2023, Title: "Quantifying Context Mixing in Transformers", Venue: "EACL",
			ArXiv: "2301.12971", Equations: "sec. 3",
		}
	case Norm:
		m.Formula = `N_{ij} = \lVert \sum_h A_{hij} f_h(x_j) \rVert \quad f_h(x_j) = v_{hj} W_{O,h}`
		m.Paper = attention.Paper{
			Authors: "Kobayashi, Kuribayashi, Yokoi, Inui", Year: 2020,
			Title: "Attention is Not Only a Weight: Analyzing Transformers with Vector Norms", //nolint:misspell // its title
			Venue: "EMNLP", ArXiv: "2004.10102", Equations: "sec. 3",
		}
	case Flow:
		m.Formula, m.Paper = `F_{ij} = \frac{f_{ij}}{\sum_k f_{ik}} \quad f_{ij} = \mathrm{maxflow}(i \to j) \text{ through } \tilde A_l, …, \tilde A_1`, abnar
	}
	return m
}

// abnar is the paper of rollout and flow.
var abnar = attention.Paper{
	Authors: "Abnar, Zuidema", Year: 2020, Title: "Quantifying Attention Flow in Transformers", Venue: "ACL", ArXiv: "2005.00928", Equations: "sec. 3",
}
