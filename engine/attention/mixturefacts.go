package attention

import (
	"fmt"

	"attnatlas/engine/messages"
)

// The formulas and sentences of mixtures, which depend on their components.

// partSymbols are the letters of the components in formulas.
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

func (m parts) stateFormula() string {
	if m.has(&DotProduct) {
		return DotProduct.State
	}
	return Random.State
}

func (m parts) differences() messages.Message {
	all := []messages.Message{message("mixture.differences.start")}
	if m.has(&Dense) {
		all = append(all, message("mixture.differences.hidden"))
	}
	return messages.Join("\n", append(all, message("mixture.differences.outputs"))...)
}

// forms returns the definitions of a mixture. formula is the formula of the default.
func (m parts) forms(formula string) []Variant {
	forms := []Variant{mixtureForm("logits", formula), mixtureForm("outputs", `Y = \sum_c \alpha_cY_c`)}
	if !m.has(&DotProduct) || len(m) != 2 {
		return forms
	}
	return append(forms,
		mixtureForm("sum", `A = \mathrm{softmax}(S + \frac{QK^\top}{\sqrt{d_h}})`),
		mixtureForm("gate", `A = \mathrm{softmax}(\sigma(a)S + (1 - \sigma(a))\frac{QK^\top}{\sqrt{d_h}})`))
}

func mixtureForm(mix, formula string) Variant {
	id := "mixture.form." + mix
	return Variant{"mix = " + mix, formula, message(id + ".source"), message(id + ".text")}
}
