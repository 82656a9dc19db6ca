package address

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"attnatlas/engine/ablation"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
)

// Keys of the URL. They are part of every saved link: keys can be added, but not renamed.
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
	Arrange    = "arrange" // order of the tokens along the axes
	Special    = "special" // 0: without [CLS] and [SEP]
	CutKey     = "cut"
	Compute    = "compute"
)

// params are all parameters of a state, in the order of a form. Masked words, which can be several,
// and the heads and ablations of single cards are read and written separately.
var params = ParamTable[State]{
	typed(Text, func(s *State) *string { return &s.Text }),
	Custom(Mechanisms, func(d *Decoder, s *State) { s.Mechanisms = d.ids(Mechanisms, s.Mechanisms) },
		func(s State) string { return listed(s.Mechanisms) }),
	choice(Show, exhibit.Shows(), func(s *State) *exhibit.Show { return &s.Show }),
	Number(Layer, func(s *State) *int { return &s.Layer }),
	Custom(Head, func(d *Decoder, s *State) { s.Head = d.head(Head) },
		func(s State) string { return exhibit.HeadName(s.Head) }),
	choice(Norm, figure.Norms(), func(s *State) *figure.Norm { return &s.Norm }),
	choice(Sinks, []exhibit.Sinks{exhibit.SinksShown, exhibit.SinksAside},
		func(s *State) *exhibit.Sinks { return &s.Filter.Sinks }),
	Custom(Mass, func(d *Decoder, s *State) { s.Filter.Mass = d.share(Mass) },
		func(s State) string { return share(s.Filter.Mass) }),
	FormNumber(Top, func(s *State) *int { return &s.Filter.Top }),
	choice(Cmap, figure.Palettes(), func(s *State) *figure.Palette { return &s.Cmap }),
	choice(Mask, []nn.MaskKind{nn.NoMask, nn.Causal}, func(s *State) *nn.MaskKind { return &s.Mask }),
	Custom(Task, func(d *Decoder, s *State) { s.Task = d.choice(Task, predict.WritingTasks(), s.Task) },
		func(s State) string { return s.Task }),
	OneOf(Theme, Themes, func(s *State) *string { return &s.Theme }),
	OneOf(Draw, Draws, func(s *State) *string { return &s.Draw }),
	choice(Arrange, exhibit.Orders(), func(s *State) *exhibit.Order { return &s.Order }),
	special,
	Custom(PinKey, func(d *Decoder, s *State) { s.Pin = d.pin(PinKey) }, func(s State) string { return s.Pin.String() }),
	Number(Step, func(s *State) *int { return &s.Step }),
	String(Example, func(s *State) *string { return &s.Example }),
	Number(Walk, func(s *State) *int { return &s.Walk }),
	String(From, func(s *State) *string { return &s.From }),
	String(Large, func(s *State) *string { return &s.Large }),
	Flag(Present, func(s *State) *bool { return &s.Present }),
	Custom(Race, func(d *Decoder, s *State) { s.Race = d.race(Race) }, func(s State) string { return raced(s.Race) }),
	Flag(Compact, func(s *State) *bool { return &s.Compact }),
	typed(Other, func(s *State) *string { return &s.Other }),
	Flag(Exact, func(s *State) *bool { return &s.Exact }),
	Custom(CutKey, func(d *Decoder, s *State) { s.Cuts.All = d.cuts(CutKey) },
		func(s State) string { return ablation.JoinCuts(s.Cuts.All) }),
	Custom(After, func(d *Decoder, s *State) { s.After = d.steps(After) }, func(s State) string { return s.After }),
	Custom(Compute, func(d *Decoder, s *State) { s.Compute = d.compute(Compute) },
		func(s State) string { return s.Compute }),
}

// special is the parameter that shows or leaves out [CLS] and [SEP].
var special = func() Param[State] {
	p := Custom(Special, func(d *Decoder, s *State) { s.Words = d.choice(Special, []string{"1", "0"}, "1") == "0" },
		func(s State) string {
			if s.Words {
				return "0"
			}
			return "1"
		})
	p.Values = []string{"1", "0"}
	return p
}()

// choice returns a parameter with a few permitted values.
func choice[T fmt.Stringer](key string, from []T, field func(*State) *T) Param[State] {
	names := make([]string, len(from))
	for i, v := range from {
		names[i] = v.String()
	}
	p := parameter(key, func(d *Decoder, s *State) {
		at := field(s)
		*at = from[slices.Index(names, d.choice(key, names, (*at).String()))]
	}, func(s *State) string { return (*field(s)).String() })
	p.Values = names
	return p
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

// find returns the parameter of a state with a key.
func find(key string) Param[State] {
	return params[slices.IndexFunc(params, func(p Param[State]) bool { return p.Key == key })]
}

// Value returns the value of a parameter in a state, as in URLs.
func (s State) Value(key string) string {
	return find(key).write(&s)
}

// Controls returns the keys of the parameters in a form, in order: layer, head, and those with a
// few permitted values.
func Controls() []string {
	var all []string
	for _, p := range params {
		if p.Values != nil || p.Key == Layer || p.Key == Head {
			all = append(all, p.Key)
		}
	}
	return all
}

// Values returns the permitted values of a parameter in the order of a page's list, or nil if they
// are not listed.
func Values(key string) []string {
	return find(key).Values
}

// Keys returns the keys of a state.
func Keys() []string {
	all := make([]string, len(params), len(params)+1)
	for i, p := range params {
		all[i] = p.Key
	}
	return append(all, Was)
}

// Decode reads the parameters of a state. Absent and wrong parameters have their defaults; wrong
// ones are reported. It ignores unknown parameters. page is the id of a mechanism's page, or empty.
func Decode(v url.Values, vocab *tokenizer.Vocabulary, page string) (State, []ParamError) {
	return decode(v, vocab, page, Keys())
}

// decode reads the parameters with some keys. The others get their defaults, but their errors are
// reported as well.
func decode(v url.Values, vocab *tokenizer.Vocabulary, page string, takes []string) (State, []ParamError) {
	d, s := Decoder{values: v}, Default()
	s.Text = defaultTextOf(page)
	for _, p := range params {
		usual := s
		if p.read(&d, &s); !slices.Contains(takes, p.Key) {
			s = usual
		}
	}
	heads, cuts := d.ownHeads(), d.ownCuts(s.Cuts.All)
	if slices.Contains(takes, Was) {
		s.Was = v[Was]
	}
	if slices.Contains(takes, Head) {
		s.Heads = heads
	}
	if slices.Contains(takes, CutKey) {
		s.Cuts.Own = cuts
	}
	return s.consistent(vocab), d.bad
}

// Encode is the inverse of Decode. The result is canonical: it leaves out parameters with their
// default values.
func Encode(s State) url.Values { return encode(s, DefaultText) }

// defaults returns the default state as in URLs. It is computed once, because a page has dozens of
// URLs.
var defaults = sync.OnceValue(func() []string { return params.written(Default()) })

func encode(s State, text string) url.Values {
	usual := defaults()
	if text != DefaultText {
		usual = slices.Clone(usual)
		usual[slices.IndexFunc(params, func(p Param[State]) bool { return p.Key == Text })] = text
	}
	v := params.encode(s, usual)
	if len(s.Was) > 0 {
		v[Was] = s.Was
	}
	own := s.plain()
	writeHeads(v, own.Heads)
	writeCuts(v, own.Cuts.Own)
	return v
}

// Unknown reports parameters that belong neither to a state nor to others.
func Unknown(v url.Values, others ...string) []ParamError {
	return unknown(v, others, func(string) bool { return false })
}

// unknown reports parameters that belong neither to a state nor to others, and for which has
// returns false.
func unknown(v url.Values, others []string, has func(key string) bool) []ParamError {
	known := slices.Concat(others, Keys())
	var bad []ParamError
	for key := range v {
		if _, own := cardOf(key); own == "" && !slices.Contains(known, key) && !has(key) {
			bad = append(bad, Invalid(key, "param.unknown", "key", quote(key), "known", list(known)))
		}
	}
	slices.SortFunc(bad, func(a, b ParamError) int { return strings.Compare(a.Param, b.Param) })
	return bad
}

// ThemeOf returns the theme of a query, even if other parameters are wrong.
func ThemeOf(v url.Values) string {
	d := Decoder{values: v}
	return d.choice(Theme, Themes, Themes[0])
}
