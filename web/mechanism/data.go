package mechanism

import (
	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/formula"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
)

// Mechanisms is the response of /api/v1/mechanisms.
type Mechanisms struct {
	Version    int         `json:"version" doc:"Version of this format"`
	Mechanisms []Mechanism `json:"mechanisms" doc:"Mechanisms, then architectures, in the order of the catalogue"`
}

// Mechanism describes one mechanism.
type Mechanism struct {
	ID      string            `json:"id" doc:"ID in URLs and file names"`
	Kind    string            `json:"kind" enum:"mixer,stack" doc:"Kind of the entry. mixer: a mechanism, used in place of attention in a layer; stack: an architecture, which arranges layers into a model"`
	Mixer   string            `json:"mixer,omitempty" doc:"ID of the mechanism in an architecture’s layers. A dot selects another one, as in albert.linformer"`
	Name    string            `json:"name" doc:"Name of the mechanism or architecture"`
	Summary string            `json:"summary" doc:"Summary in one sentence"`
	Formula string            `json:"formula" doc:"Formula as plain text with Unicode mathematics"`
	TeX     string            `json:"tex" doc:"Formula in a subset of TeX"`
	Cost    string            `json:"cost" doc:"Time complexity according to the paper"`
	Params  string            `json:"params" doc:"Formula of the number of parameters with the default options, in d, H and L"`
	FLOPs   string            `json:"flops" doc:"Formula of the number of operations with the default options, in N, d, H and L"`
	Unlike  []string          `json:"differences" doc:"Differences of the bundled model from the paper"`
	Paper   MechanismPaper    `json:"paper" doc:"Paper that introduced the mechanism or architecture"`
	Masks   []MechanismMask   `json:"masks" doc:"Attention masks, and whether the mechanism is defined under them"`
	Nothing MechanismNothing  `json:"nothing" doc:"Output for a token that can attend to nothing under a mask"`
	Views   []MechanismView   `json:"views" doc:"Maps of a layer that the pages show, the main map first"`
	Maps    []MechanismView   `json:"maps,omitempty" doc:"Maps of a whole architecture"`
	Model   *engine.ModelInfo `json:"model,omitempty" doc:"Model on the pages: its sizes, options and provenance"`
}

// MechanismPaper is the paper that introduced a mechanism.
type MechanismPaper struct {
	Authors   string `json:"authors" doc:"Names of the authors, separated by commas"`
	Title     string `json:"title" doc:"Title of the paper"`
	Venue     string `json:"venue" doc:"Conference or journal"`
	Year      int    `json:"year" doc:"Year of publication"`
	ArXiv     string `json:"arxiv,omitempty" doc:"Number of the paper on arXiv"`
	Equations string `json:"equations,omitempty" doc:"Equations or sections that define the mechanism"`
}

// MechanismMask states whether a mechanism is defined under an attention mask.
type MechanismMask struct {
	Mask    string `json:"mask" enum:"none,padding,causal" doc:"Attention mask"`
	Defined bool   `json:"defined" doc:"Whether the mechanism is defined under this mask"`
	Reason  string `json:"reason,omitempty" doc:"Reason why the mechanism is not defined under this mask"`
}

// MechanismNothing is attention.EmptyRow. alike: the row attends to every position with 1/N,
// including masked-out ones. zero: the row is 0. itself: it attends to itself only. unmasked: the
// result without the mask. blank: the result for a text of zeros.
type MechanismNothing struct {
	Padding string `json:"padding,omitempty" enum:"alike,zero,itself,unmasked,blank" doc:"Output for a text that is all padding, with the default options; absent if a padding mask is not defined"`
	Pairs   string `json:"pairs,omitempty" enum:"alike,zero,itself,unmasked,blank" doc:"Output for a token whose cells are all masked out; absent if single cells cannot be masked out"`
	Text    string `json:"text" doc:"Explanation of both in sentences, including the effect of other options and lengths"`
}

// MechanismView is a map to show.
type MechanismView struct {
	Map     string `json:"map" doc:"Name of the map in /api/v1/attend"`
	Symbol  string `json:"symbol" doc:"Symbol of the map in the formulas"`
	Caption string `json:"caption" doc:"Meaning of a cell"`
	By      string `json:"by,omitempty" doc:"Name of the map with the classes of tokens, for a map whose values are tokens"`
}

// plain returns a formula as plain text, or unchanged if it cannot be parsed.
func plain(tex string) string {
	f, err := formula.Parse(tex)
	if err != nil {
		return tex
	}
	return f.Text()
}

// describe returns the description of a catalogue entry in a language, with its architecture, the
// id of its mixer, and the model on the pages.
func describe(e *attention.Entry, stack *encoder.StackEntry, mixer string, model *engine.ModelInfo,
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
