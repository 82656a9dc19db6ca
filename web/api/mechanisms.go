package api

import (
	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/formula"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
)

// plain returns a formula as plain text, or unchanged if it cannot be parsed.
func plain(tex string) string {
	f, err := formula.Parse(tex)
	if err != nil {
		return tex
	}
	return f.Text()
}

// Describe returns the description of a catalogue entry in a language, with its architecture, the
// id of its mixer, and the model on the pages.
func Describe(e *attention.Entry, stack *encoder.StackEntry, mixer string, model *engine.ModelInfo,
	l *messages.Language) Mechanism {
	m := Mechanism{
		ID: e.ID, Kind: mixerKind, Name: l.Say(e.Name), Summary: l.Say(e.Summary), Formula: plain(e.Formula), TeX: e.Formula,
		Cost:   plain(e.Cost),
		Params: e.ParamsFormula, FLOPs: e.FLOPsFormula, Unlike: l.Lines(e.Differences),
		Paper: MechanismPaper(e.Paper),
		Masks: []MechanismMask{
			{Mask: nn.NoMask.String(), Defined: true},
			{Mask: "padding", Defined: e.Masks.NoPadding.IsZero(), Reason: l.Say(e.Masks.NoPadding)},
			{Mask: nn.Causal.String(), Defined: e.Masks.NoCausal.IsZero(), Reason: l.Say(e.Masks.NoCausal)},
		},
		Nothing: MechanismNothing{Padding: string(e.Masks.EmptyRow.Padding), Pairs: string(e.Masks.EmptyRow.Pairs),
			Text: l.Say(e.Masks.EmptyRow.Text)},
		Views: append([]MechanismView{}, views(e.Views, l)...),
		Model: model,
	}
	if stack != nil {
		m.Kind, m.Mixer, m.Maps = stackKind, mixer, views(stack.Views, l)
	}
	return m
}

func views(list []attention.View, l *messages.Language) []MechanismView {
	var all []MechanismView
	for _, v := range list {
		all = append(all, MechanismView{Map: v.Map, Symbol: v.Symbol, Caption: l.Say(v.Caption), By: v.By})
	}
	return all
}

// The values of Mechanism.Kind.
const (
	mixerKind = "mixer"
	stackKind = "stack"
)
