package attention

import (
	"fmt"
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// The mixtures of synthesizers (Tay et al. 2020, arXiv:2005.00743, sec. 3.4) combine components: R
// is Random, D is Dense, V is dot product. There are several definitions of them.
//
// mix = logits is the paper's definition: one softmax over mixed scores, with one V and one O.
//
//	A = softmax(Σ_c α_c·S_c)    α = softmax(alphas)    S_c among R, D(X), Q·Kᵀ/√d_h
//
// mix = outputs is a variant: every component is a complete attention with its own V and O, and
// their results are mixed. There is no single matrix that multiplies the values.
//
//	Y = Σ_c α_c·Y_c    α = softmax(alphas)
//
// mix = sum and mix = gate are the authors' code (Mesh TensorFlow, modes "random_plus",
// "dense_plus" and the same with "_alpha") for one synthesizer combined with dot product. Scores
// are added as they are, or with weights from one trained number.
//
//	sum: S + Q·Kᵀ/√d_h        gate: σ(alpha)·S + (1−σ(alpha))·Q·Kᵀ/√d_h
var (
	MixtureRV = mixtureEntry("mixture-rv",
		`A = \mathrm{softmax}(\alpha_1R + \alpha_2\frac{QK^\top}{\sqrt{d_h}}) \quad \alpha_1 + \alpha_2 = 1`, "O(N²·d)",
		parts{&Random, &DotProduct})
	MixtureRD = mixtureEntry("mixture-rd",
		`A = \mathrm{softmax}(\alpha_1R + \alpha_2D) \quad D_i = W_2\,\mathrm{ReLU}(W_1x_i + b_1) + b_2 \quad \alpha_1 + \alpha_2 = 1`, "O(N²·d + N·H·d·(d + N))", parts{&Random, &Dense})
	MixtureDV = mixtureEntry("mixture-dv",
		`A = \mathrm{softmax}(\alpha_1D + \alpha_2\frac{QK^\top}{\sqrt{d_h}}) \quad D_i = W_2\,\mathrm{ReLU}(W_1x_i + b_1) + b_2 \quad \alpha_1 + \alpha_2 = 1`, "O(N²·d + N·H·d·(d + N))", parts{&Dense, &DotProduct})
	MixtureRDV = mixtureEntry("mixture-rdv",
		`A = \mathrm{softmax}(\alpha_1R + \alpha_2D + \alpha_3\frac{QK^\top}{\sqrt{d_h}}) \quad D_i = W_2\,\mathrm{ReLU}(W_1x_i + b_1) + b_2 \quad \alpha_1 + \alpha_2 + \alpha_3 = 1`, "O(N²·d + N·H·d·(d + N))", parts{&Random, &Dense, &DotProduct})
)

// parts are the entries of a mixture's components, in the order of their alphas.
type parts []*Entry

func (m parts) has(e *Entry) bool { return slices.Contains(m, e) }

func (m parts) names() []string {
	var names []string
	for _, e := range m {
		names = append(names, e.ID)
	}
	return names
}

func (m parts) options() []Option {
	mix := Option{Name: "mix", Default: "logits", Values: []string{"logits", "outputs"},
		Help: message("mixture.option.mix")}
	if m.has(&DotProduct) && len(m) == 2 {
		mix.Values, mix.Help = append(mix.Values, "sum", "gate"), message("mixture.option.mix-pair")
	}
	if m.has(&Dense) {
		return []Option{mix, hiddenOption}
	}
	return []Option{mix}
}

func mixtureEntry(id, formula, cost string, m parts) Entry {
	views := []View{
		{Map: "weights", Symbol: "A", Caption: message("mixture.view.weights")},
		{Map: "alpha", Symbol: "α", Caption: message("mixture.view.alpha")},
		{Map: "scores", Symbol: "S", Caption: message("mixture.view.scores")},
	}
	for i, e := range m {
		views = append(views, View{Map: e.ID + termName, Symbol: fmt.Sprintf("α_%d·S_%s", i+1, partSymbols[e.ID]),
			Caption: message("mixture.view.term")})
	}
	for _, e := range m {
		views = append(views, View{Map: e.ID + " weights", Symbol: "A_" + partSymbols[e.ID],
			Caption: message("mixture.view.part")})
	}
	family := synthesizers
	if m.has(&DotProduct) {
		family = comparing
	}
	return newEntry(Entry{
		ID: id, Family: family, Texts: Texts{Differences: m.differences()}, Formula: formula, Cost: cost, Growth: 2,
		Masks: Masks{EmptyRow: uniformRow}, Views: views, Terms: m.terms(), Parts: m.names(), Options: m.options(),
		Forms:         m.forms(formula),
		Paper:         synthesizer("sec. 3.4, Y = Softmax(α₁S₁(X) + … + α_N S_N(X))G(X)"),
		ParamsFormula: m.paramsFormula(), FLOPsFormula: m.flopsFormula(), State: m.stateFormula(),
		Params:      func(c Config) int { return m.of(c).params() },
		FLOPs:       func(c Config, n int) int64 { return m.of(c).flops(n) },
		PerPosition: everyPosition, // every mixture contains R or D
		New: func(s *nn.Scope, c Config) (Mixer, error) {
			o := m.of(c)
			if o.mix == "outputs" {
				return o.newOutputMixture(s)
			}
			return o.newScoreMixture(s), nil
		},
	})
}

// mixtureConfig holds the values of the options of a mixture.
type mixtureConfig struct {
	parts
	denseConfig
	mix string
}

func (m parts) of(c Config) mixtureConfig {
	return mixtureConfig{m, denseOf(c), c.choices(m.options()...).text("mix")}
}

// alone returns the Config of one component as a separate mechanism.
func (o mixtureConfig) alone(e *Entry) Config {
	c := o.Config
	c.Options = nil
	if o.query && e == &Dense {
		c.Options = map[string]string{"hidden": "query"}
	}
	return c
}

// alphas returns the number of trained numbers from which the mixing weights are computed.
func (o mixtureConfig) alphas() int {
	switch o.mix {
	case "sum":
		return 0
	case "gate":
		return 1
	}
	return len(o.parts)
}

// needsQuery reports whether scores are computed from a query.
func (o mixtureConfig) needsQuery() bool { return o.has(&DotProduct) || o.has(&Dense) && o.query }

func (o mixtureConfig) params() int {
	total, square := o.alphas(), linear(o.Width, o.Width)
	if o.mix == "outputs" {
		for _, e := range o.parts {
			total += e.Params(o.alone(e))
		}
		return total
	}
	total += 2 * square // V and O
	if o.has(&Random) {
		total += o.Heads * o.Length * o.Length
	}
	if o.has(&Dense) {
		total += o.denseConfig.params()
	}
	if o.needsQuery() {
		total += square
	}
	if o.has(&DotProduct) {
		total += square
	}
	return total
}

func (o mixtureConfig) flops(n int) int64 {
	d, count := o.Width, len(o.parts)
	if o.mix == "outputs" {
		total := 2 * product64(count, n, d)
		for _, e := range o.parts {
			total += e.FLOPs(o.alone(e), n)
		}
		return total
	}
	total := valueFLOPs(o.Config, n) + 2*product64(count, o.Heads, n, n)
	if o.has(&Dense) {
		total += o.denseConfig.flops(n)
	}
	if o.needsQuery() {
		total += 2 * product64(n, d, d)
	}
	if o.has(&DotProduct) {
		total += 2*product64(n, d, d) + 2*product64(n, n, d)
	}
	return total
}

// scoreMixture mixes scores: mix = logits, sum or gate.
type scoreMixture struct {
	mixtureConfig
	r      *nn.Param // [H,L,L]
	layers denseLayers
	q, k   nn.Linear
	alpha  *nn.Param // [C], or [1] for a gate
	v, o   nn.Linear
}

func (o mixtureConfig) newScoreMixture(s *nn.Scope) *scoreMixture {
	m := &scoreMixture{mixtureConfig: o, v: square(s, "V", o.Config), o: square(s, "O", o.Config)}
	if o.has(&Random) {
		m.r = s.Param("R", nn.Normal(0.02), o.Heads, o.Length, o.Length).Faster(10).NoDecay()
	}
	if o.has(&Dense) {
		m.layers = o.newLayers(s)
	}
	if o.needsQuery() {
		m.q = square(s, "Q", o.Config)
	}
	if o.has(&DotProduct) {
		m.k = square(s, "K", o.Config)
	}
	m.alpha = o.newAlpha(s)
	return m
}

// newAlpha makes the parameter of the mixing weights; nil if there is none.
func (o mixtureConfig) newAlpha(s *nn.Scope) *nn.Param {
	switch n := o.alphas(); n {
	case 0:
		return nil
	case 1:
		return s.Param("alpha", nn.Zeros, 1)
	default:
		return s.Param("alphas", nn.Constant(1/float64(n)), n)
	}
}

// Mix returns the output [B,N,d] for x [B,N,d], from the softmax of a weighted sum of scores.
func (m *scoreMixture) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	input := x
	var q, k *ad.Var
	if m.needsQuery() {
		q = scaledQuery(p, m.q, x, m.Config) // [N,d]
	}
	if m.query {
		input = q
	}
	if m.has(&DotProduct) {
		k = project(p, "k", m.k, x) // [N,d]
	}
	v := project(p, "v", m.v, x) // [N,d]
	return p.Project(m.o, p.Read(m.attend(p, input, q, k, v)))
}

// Attend is Mix between the projections, for dense scores that are computed from the query.
func (m *scoreMixture) Attend(p *nn.Pass, q, k, v *ad.Var) *ad.Var { return m.attend(p, q, q, k, v) }

// attend adds up v with the weights of the mixed scores. Dense scores are computed from input.
func (m *scoreMixture) attend(p *nn.Pass, input, q, k, v *ad.Var) *ad.Var {
	var parts []scores
	if m.has(&Random) {
		parts = append(parts, randomScores(p, m.r, v.Dim(-2)))
	}
	if m.has(&Dense) {
		parts = append(parts, m.layers.scores(p, input))
	}
	if m.has(&DotProduct) {
		parts = append(parts, productScores(q, k, m.Heads, 1))
	}
	return mixHeads(p, v, `S = \sum_c \alpha_c S_c`, m.mixed(p, parts, v.Dim(-2)))
}

// mixed returns the scores [H,N,N] of the components, added with their mixing weights.
func (m *scoreMixture) mixed(p *nn.Pass, parts []scores, n int) scores {
	alpha := m.shares(p, m.alpha) // [C]
	rows := func(from, to int) *ad.Var {
		s := make([]*ad.Var, len(parts))
		for i, name := range m.names() {
			s[i] = p.Step(name+" scores", `S_c`, trace.Activation, parts[i].rows(from, to), trace.Head, trace.Query,
				trace.Key) // [H,to-from,N]
			if p.Watched() {
				p.Step(name+" weights", `\mathrm{softmax}(S_c)`, trace.Probability,
					p.Mask.RestFrom(ad.Softmax(p.Mask.Apply(s[i], from)), from), trace.Head, trace.Query, trace.Key) // [H,N,N]
				showTerm(p, name, alpha, i, s[i])
			}
		}
		return ad.Combine(alpha, s) // [H,to-from,N]
	}
	quick := func() ad.Scorer {
		var list []ad.Scorer
		for _, part := range parts {
			list = append(list, part.quick())
		}
		return ad.MixScorer(alpha, list, n, n)
	}
	return scores{heads: m.Heads, rows: rows, quick: quick}
}

// termName is appended to the id of a component to give the name of the map of its term in the
// scores.
const termName = " term"

// terms returns the names of these maps.
func (m parts) terms() (names []string) {
	for _, e := range m {
		names = append(names, e.ID+termName)
	}
	return names
}

// showTerm records the term of a component in the scores: α_c·S_c [H,N,N].
func showTerm(p *nn.Pass, name string, alpha *ad.Var, c int, s *ad.Var) {
	share := ad.Reshape(ad.Rows(ad.Reshape(alpha, alpha.Value.Len(), 1), []int{c}), 1) // [1]
	p.Step(name+termName, `\alpha_cS_c`, trace.Activation, ad.Combine(share, []*ad.Var{s}), trace.Head,
		trace.Query, trace.Key)
}

// shares returns the mixing weights of the components [C].
func (o mixtureConfig) shares(p *nn.Pass, param *nn.Param) *ad.Var {
	axes := []trace.Axis{{Role: trace.Channel, Name: "part", Labels: o.names()}}
	show := func(name, tex string, k trace.Kind, v *ad.Var) *ad.Var {
		if p.Watched() {
			p.ShowVar(trace.Map{Name: name, Tex: tex, Kind: k, Axes: axes[:v.Value.Rank()]}, v)
		}
		return v
	}
	switch o.mix {
	case "sum":
		ones := tensor.New(len(o.names()))
		nn.Ones(nil, ones)
		return show("alpha", `\alpha = 1`, trace.Weight, p.Tape.Const(ones))
	case "gate":
		return show("alpha", `\alpha = (\sigma(a), 1 - \sigma(a))`, trace.Probability, ad.SigmoidPair(p.Use(param)))
	}
	alphas := show("alphas", `a`, trace.Activation, p.Use(param))
	return show("alpha", `\alpha = \mathrm{softmax}(a)`, trace.Probability, ad.Softmax(alphas))
}
