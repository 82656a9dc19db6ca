package cost

import (
	"net/url"
	"slices"

	"attnatlas/engine/costs"
	"attnatlas/web/address"
)

// Paths of the pages, and their keys. Options of the selected mechanism have the prefix optionKey.
const (
	costPath     = "/cost"
	reachPath    = "/reach"
	lengthKey    = "n"
	widthKey     = "width"
	headsKey     = "heads"
	positionsKey = "positions"
	mechanismKey = "of"
	optionKey    = "option."
	measureKey   = "measure"
	layersKey    = "layers"
)

// measures are the actions on a measurement: start or resume, and stop.
var measures = []string{"now", "stop"}

// asked holds the settings of a cost page, in addition to the state.
type asked struct {
	costs.Sizes
	Mechanism string            // selected mechanism; empty: not named
	Options   map[string]string // its options that are not defaults
	Measure   string            // one of measures, or empty
	Layers    int               // number of layers on the receptive field page; 0: default
}

// Parameters of both pages.
var (
	length    = address.Number(lengthKey, func(a *asked) *int { return &a.Length })
	width     = address.Number(widthKey, func(a *asked) *int { return &a.Width })
	heads     = address.Number(headsKey, func(a *asked) *int { return &a.Heads })
	positions = address.Number(positionsKey, func(a *asked) *int { return &a.Positions })
	mechanism = address.String(mechanismKey, func(a *asked) *string { return &a.Mechanism })
	options   = address.Open(optionKey, readOptions, func(a asked) map[string]string { return a.Options })
)

// costTable is the table of the cost page's parameters, measureTable that of its form for
// measurements, and reachTable that of the receptive field page.
var (
	costTable    = address.ParamTable[asked]{length, width, heads, positions, mechanism, options}
	measureTable = append(slices.Clone(costTable),
		address.OneOf(measureKey, measures, func(a *asked) *string { return &a.Measure }))
	reachTable = address.ParamTable[asked]{length, mechanism,
		address.Number(layersKey, func(a *asked) *int { return &a.Layers }), options}
)

// readOptions reads the options of a mechanism.
func readOptions(d *address.Decoder, names []string, a *asked) {
	for _, name := range names {
		if value, ok := d.Get(optionKey + name); ok {
			if a.Options == nil {
				a.Options = map[string]string{}
			}
			a.Options[name] = value
		}
	}
}

// decode reads the settings of a page. usual has the default sizes. The default number of positions
// is the length of the text.
func decode(v url.Values, t address.ParamTable[asked], usual costs.Sizes) asked {
	a, _ := t.Decode(v)
	for _, size := range [][2]*int{{&a.Length, &usual.Length}, {&a.Width, &usual.Width}, {&a.Heads, &usual.Heads},
		{&a.Positions, &usual.Positions}} {
		if *size[0] == 0 {
			*size[0] = *size[1]
		}
	}
	a.Positions = max(a.Length, a.Positions)
	return a
}

// url returns the URL of a page, or of its numbers for another path. Default sizes are left out.
func (a asked) url(path string, t address.ParamTable[asked], s address.State, usual costs.Sizes) string {
	usual.Positions = max(a.Length, usual.Positions)
	v := address.Encode(s)
	for key, values := range t.Encode(a, asked{Sizes: usual}) {
		v[key] = values
	}
	return address.At(path, v)
}

// About returns the URL of the cost page for a mechanism and the text of a state.
func About(s address.State, id string) string {
	v := url.Values{mechanismKey: {id}}
	if s.Text != address.DefaultText {
		v.Set(address.Text, s.Text)
	}
	return address.At(costPath, v)
}

// ReachOf returns the URL of the receptive field page for a mechanism.
func ReachOf(id string) string { return address.At(reachPath, url.Values{mechanismKey: {id}}) }
