package attention

import "fmt"

// The formulas and sentences of mixtures, by their parts.

// partSymbols are the letters of the parts in formulas.
var partSymbols = map[string]string{Random.ID: "R", Dense.ID: "D", DotProduct.ID: "V"}

func (m parts) paramsFormula() string {
	f := ""
	if m.has(&Random) {
		f += "HL² + "
	}
	if m.has(&Dense) {
		f += "H(d² + d + dL + L) + "
	}
	if m.has(&DotProduct) {
		f += "4d² + 4d"
	} else {
		f += "2d² + 2d"
	}
	return fmt.Sprintf("%s + %d", f, len(m))
}

func (m parts) flopsFormula() string {
	f := "4Nd² + 2N²d"
	if m.has(&DotProduct) {
		f = "8Nd² + 4N²d"
	}
	f += fmt.Sprintf(" + %dHN²", 2*len(m))
	if m.has(&Dense) {
		f += " + H(2Nd² + 2N²d)"
	}
	return f
}

func (m parts) differences() []string {
	all := []string{"The numbers behind the shares start at 1 divided by the number of parts, before their softmax, which makes all parts equal."}
	if m.has(&Dense) {
		all = append(all, "In the authors’ code, dense scores are made of the query: hidden = query.")
	}
	return append(all, "With mix = outputs, the maps A and S are the sums of the parts’ maps in their shares, which are shown but multiply nothing.")
}

// forms are the definitions of a mixture; formula is the default one's.
func (m parts) forms(formula string) []Form {
	forms := []Form{
		{"mix = logits", "the paper’s definition, and the default", formula,
			"The scores of the parts are mixed before one softmax; the parts share one V and one O. One map multiplies the values."},
		{"mix = outputs", "a variant, in which results are mixed", `Y = \sum_c \alpha_cY_c`,
			"Every part is a complete attention with a V and an O of its own, and the results are mixed. No single map multiplies the values."},
	}
	if !m.has(&DotProduct) || len(m) != 2 {
		return forms
	}
	return append(forms,
		Form{"mix = sum", "the authors’ code, modes “…_plus”", `A = \mathrm{softmax}(S + \frac{QK^\top}{\sqrt{d_h}})`,
			"The synthesizer’s scores S are added to those of dot product as they are."},
		Form{"mix = gate", "the authors’ code, modes “…_plus_alpha”", `A = \mathrm{softmax}(\sigma(a)S + (1 - \sigma(a))\frac{QK^\top}{\sqrt{d_h}})`,
			"One trained number a decides about the shares of the synthesizer’s scores S and of dot product."})
}
