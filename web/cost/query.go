package cost

import (
	"net/url"
	"slices"

	"attnatlas/engine/costs"
	"attnatlas/web/address"
)

// The paths of the pages, and their keys. Options of the mechanism that is looked at have the prefix option before
// their names.
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

// measures are what can be asked of a measurement: to begin or go on, and to stop.
var measures = []string{"now", "stop"}

// asked is what a page of costs is about, beside the state.
type asked struct {
	costs.Sizes
	Mechanism string            // that is looked at; empty: none is named
	Options   map[string]string // of it, that are not the usual ones
	Measure   string            // one of measures, or empty
	Layers    int               // through how many is listened, on the page of reach; 0: nothing is said
}

// The parameters of both pages.
var (
	length    = address.Number(lengthKey, func(a *asked) *int { return &a.Length })
	width     = address.Number(widthKey, func(a *asked) *int { return &a.Width })
	heads     = address.Number(headsKey, func(a *asked) *int { return &a.Heads })
	positions = address.Number(positionsKey, func(a *asked) *int { return &a.Positions })
	mechanism = address.String(mechanismKey, func(a *asked) *string { return &a.Mechanism })
	options   = address.Open(optionKey, readOptions, func(a asked) map[string]string { return a.Options })
)

// costTable has the parameters of the page of costs, measureTable those of asking it to measure, and reachTable those
// of the page of who has heard of whom.
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

// decode reads what a page is about; usual has the sizes where none are named. Without positions of its own a model
// has as many as the text.
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

// url is the address of a page, or under path of its numbers; sizes that are usual are left out.
func (a asked) url(path string, t address.ParamTable[asked], s address.State, usual costs.Sizes) string {
	usual.Positions = max(a.Length, usual.Positions)
	v := address.Encode(s)
	for key, values := range t.Encode(a, asked{Sizes: usual}) {
		v[key] = values
	}
	return address.At(path, v)
}

// About is the address of the page of costs, of one mechanism and the text of a state.
func About(s address.State, id string) string {
	v := url.Values{mechanismKey: {id}}
	if s.Text != address.DefaultText {
		v.Set(address.Text, s.Text)
	}
	return address.At(costPath, v)
}

// ReachOf is the address of the page of who has heard of whom, of one mechanism.
func ReachOf(id string) string { return address.At(reachPath, url.Values{mechanismKey: {id}}) }
