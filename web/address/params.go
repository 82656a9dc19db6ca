package address

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/nn"
	"attnatlas/engine/tokenizer"
)

// The keys of the URL. They are part of every link that somebody has kept:
// they may be added to, but not renamed.
const (
	Text       = "text"
	Mechanisms = "m"
	Layer      = "layer"
	Head       = "head"
	Norm       = "norm"
	Cmap       = "cmap"
	Mask       = "mask"
	Task       = "task"
	Show       = "show"
	Theme      = "theme"
	PinKey     = "pin"
	Was        = "was"
	Step       = "step"
	After      = "after"
	Example    = "example"
	Walk       = "walk"
	From       = "from"
	Large      = "large"
	Present    = "present"
	Compact    = "compact"
	Other      = "other"
	Sinks      = "sinks"
	Mass       = "mass"
	Top        = "top"
	Exact      = "exact"
	Draw       = "draw"
	CutKey     = "cut"
	Compute    = "compute"
)

// param is a parameter of a state: its key, how it is read and how it is written. What is
// written as the default state's is left out of addresses.
type param struct {
	key    string
	decode func(d *decoder, s *State)
	encode func(s State) string
	values []string // of a choice among a few
}

// params are all parameters of a state, in the order in which a form offers them. The words
// behind masks, of which there may be several, and the heads and cuts of single cards are read and
// written apart.
var params = []param{
	{Text, func(d *decoder, s *State) { s.Text = d.text(Text, s.Text) }, func(s State) string { return s.Text }, nil},
	{Mechanisms, func(d *decoder, s *State) { s.Mechanisms = d.ids(Mechanisms, s.Mechanisms) }, func(s State) string { return strings.Join(s.Mechanisms, ",") }, nil},
	choice(Show, exhibit.Shows(), func(s *State) *exhibit.Show { return &s.Show }),
	{Layer, func(d *decoder, s *State) { s.Layer = d.number(Layer) }, func(s State) string { return count(s.Layer) }, nil},
	{Head, func(d *decoder, s *State) { s.Head = d.head(Head) }, func(s State) string { return exhibit.HeadName(s.Head) }, nil},
	choice(Norm, figure.Norms(), func(s *State) *figure.Norm { return &s.Norm }),
	choice(Sinks, []exhibit.Sinks{exhibit.SinksShown, exhibit.SinksAside}, func(s *State) *exhibit.Sinks { return &s.Filter.Sinks }),
	{Mass, func(d *decoder, s *State) { s.Filter.Mass = d.share(Mass) }, func(s State) string { return share(s.Filter.Mass) }, nil},
	{Top, func(d *decoder, s *State) { s.Filter.Top = d.number(Top) }, func(s State) string { return count(s.Filter.Top) }, nil},
	choice(Cmap, figure.Palettes(), func(s *State) *figure.Palette { return &s.Cmap }),
	choice(Mask, []nn.MaskKind{nn.NoMask, nn.Causal}, func(s *State) *nn.MaskKind { return &s.Mask }),
	{Task, func(d *decoder, s *State) { s.Task = d.choice(Task, engine.WritingTasks(), s.Task) }, func(s State) string { return s.Task }, nil},
	{Theme, func(d *decoder, s *State) { s.Theme = d.choice(Theme, Themes, s.Theme) }, func(s State) string { return s.Theme }, Themes},
	{Draw, func(d *decoder, s *State) { s.Draw = d.choice(Draw, Draws, s.Draw) }, func(s State) string { return s.Draw }, Draws},
	{PinKey, func(d *decoder, s *State) { s.Pin = d.pin(PinKey) }, func(s State) string { return s.Pin.String() }, nil},
	{Step, func(d *decoder, s *State) { s.Step = d.number(Step) }, func(s State) string { return count(s.Step) }, nil},
	{Example, func(d *decoder, s *State) { s.Example = d.text(Example, "") }, func(s State) string { return s.Example }, nil},
	{Walk, func(d *decoder, s *State) { s.Walk = d.number(Walk) }, func(s State) string { return count(s.Walk) }, nil},
	{From, func(d *decoder, s *State) { s.From = d.text(From, "") }, func(s State) string { return s.From }, nil},
	{Large, func(d *decoder, s *State) { s.Large = d.text(Large, "") }, func(s State) string { return s.Large }, nil},
	{Present, func(d *decoder, s *State) { s.Present = d.flag(Present) }, func(s State) string { return flagged(s.Present) }, nil},
	{Race, func(d *decoder, s *State) { s.Race = d.race(Race) }, func(s State) string { return raced(s.Race) }, nil},
	{Compact, func(d *decoder, s *State) { s.Compact = d.flag(Compact) }, func(s State) string { return flagged(s.Compact) }, nil},
	{Other, func(d *decoder, s *State) { s.Other = d.text(Other, "") }, func(s State) string { return s.Other }, nil},
	{Exact, func(d *decoder, s *State) { s.Exact = d.flag(Exact) }, func(s State) string { return flagged(s.Exact) }, nil},
	{CutKey, func(d *decoder, s *State) { s.Cuts.All = d.cuts(CutKey) }, func(s State) string { return engine.JoinCuts(s.Cuts.All) }, nil},
	{After, func(d *decoder, s *State) { s.After = d.steps(After) }, func(s State) string { return s.After }, nil},
	{Compute, func(d *decoder, s *State) { s.Compute = d.compute(Compute) }, func(s State) string { return s.Compute }, nil},
}

// choice is a parameter that is one of a few values.
func choice[T fmt.Stringer](key string, from []T, field func(*State) *T) param {
	names := make([]string, len(from))
	for i, v := range from {
		names[i] = v.String()
	}
	return param{
		key: key, values: names,
		decode: func(d *decoder, s *State) {
			at := field(s)
			*at = from[slices.Index(names, d.choice(key, names, (*at).String()))]
		},
		encode: func(s State) string { return (*field(&s)).String() },
	}
}

func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func flagged(is bool) string {
	if is {
		return "1"
	}
	return ""
}

// Value is how a state writes a parameter.
func (s State) Value(key string) string {
	i := slices.IndexFunc(params, func(p param) bool { return p.key == key })
	return params[i].encode(s)
}

// Controls are the keys of the parameters that a form offers, in its order: layer, head,
// and those that are one of a few values.
func Controls() []string {
	var all []string
	for _, p := range params {
		if p.values != nil || p.key == Layer || p.key == Head {
			all = append(all, p.key)
		}
	}
	return all
}

// Values are what a parameter can be that is one of a few values, in the order in which a
// page offers them; nil: it is none of these.
func Values(key string) []string {
	i := slices.IndexFunc(params, func(p param) bool { return p.key == key })
	return params[i].values
}

// Keys are those of a state.
func Keys() []string {
	all := make([]string, len(params), len(params)+1)
	for i, p := range params {
		all[i] = p.key
	}
	return append(all, Was)
}

// Decode reads what it can: a parameter that is absent has its default, one that is wrong,
// too, and is reported. It does not look at parameters that it does not know. The page is
// that of a mechanism; empty: another.
func Decode(v url.Values, vocab *tokenizer.Vocabulary, page string) (State, []ParamError) {
	d, s := decoder{values: v}, Default()
	s.Text = defaultTextOf(page)
	for _, p := range params {
		p.decode(&d, &s)
	}
	s.Was, s.Heads, s.Cuts.Own = v[Was], d.ownHeads(), d.ownCuts(s.Cuts.All)
	return s.consistent(vocab), d.bad
}

// Encode is the inverse of Decode. The result is canonical: a parameter with
// its default value is left out.
func Encode(s State) url.Values { return encode(s, DefaultText) }

func encode(s State, text string) url.Values {
	v := url.Values{}
	for i, p := range params {
		usual := usualValues()[i]
		if p.key == Text {
			usual = text
		}
		if value := p.encode(s); value != usual {
			v.Set(p.key, value)
		}
	}
	if len(s.Was) > 0 {
		v[Was] = s.Was
	}
	own := s.plain()
	writeHeads(v, own.Heads)
	writeCuts(v, own.Cuts.Own)
	return v
}

// usualValues are the parameters of the default state, in the order of params.
var usualValues = sync.OnceValue(func() (all []string) {
	usual := Default()
	for _, p := range params {
		all = append(all, p.encode(usual))
	}
	return all
})

// Unknown complains of parameters that are neither those of a state nor the other ones.
func Unknown(v url.Values, others ...string) []ParamError {
	known := slices.Concat(others, Keys())
	var bad []ParamError
	for key := range v {
		if _, own := cardOf(key); own == "" && !slices.Contains(known, key) {
			bad = append(bad, Invalid(key, "param.unknown", "key", quote(key), "known", list(known)))
		}
	}
	slices.SortFunc(bad, func(a, b ParamError) int { return strings.Compare(a.Param, b.Param) })
	return bad
}

// ThemeOf is the theme that a query asks for, whatever else is wrong with it.
func ThemeOf(v url.Values) string {
	d := decoder{values: v}
	return d.choice(Theme, Themes, Themes[0])
}
