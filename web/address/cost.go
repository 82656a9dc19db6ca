package address

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/costs"
)

// The keys of the page of costs, beside those of a state. Options of the mechanism that is looked at have the prefix
// CostOption before their names.
const (
	CostPath      = "/cost"
	CostLength    = "n"
	CostWidth     = "width"
	CostHeads     = "heads"
	CostPositions = "positions"
	CostMechanism = "of"
	CostOption    = "option."
	CostMeasure   = "measure"
)

// Measures are what can be asked of a measurement: to begin or go on, and to stop.
var Measures = []string{"now", "stop"}

// Cost is what the page of costs is about, beside the state.
type Cost struct {
	costs.Sizes
	Mechanism string            // that is looked at; empty: none is named
	Options   map[string]string // of it, that are not the usual ones
	Measure   string            // one of Measures, or empty
}

// DecodeCost reads what a page of costs is about; usual has the sizes where none are named. Without positions of its
// own a model has as many as the text.
func DecodeCost(v url.Values, usual costs.Sizes) (c Cost, bad []ParamError) {
	d := decoder{values: v}
	number := func(key string, usual int) int {
		if n := d.number(key); n > 0 {
			return n
		}
		return usual
	}
	c.Length, c.Width, c.Heads = number(CostLength, usual.Length), number(CostWidth, usual.Width), number(CostHeads, usual.Heads)
	c.Positions = max(c.Length, number(CostPositions, usual.Positions))
	c.Mechanism = d.text(CostMechanism, "")
	if _, ok := d.get(CostMeasure); ok {
		c.Measure = d.choice(CostMeasure, Measures, "")
	}
	for key := range v {
		if name, ok := strings.CutPrefix(key, CostOption); ok {
			if value, ok := d.get(key); ok {
				if c.Options == nil {
					c.Options = map[string]string{}
				}
				c.Options[name] = value
			}
		}
	}
	return c, d.bad
}

// CostKeys are the keys that a page of costs knows, beside those of a state.
func CostKeys(v url.Values) []string {
	keys := []string{CostLength, CostWidth, CostHeads, CostPositions, CostMechanism, CostMeasure}
	for key := range v {
		if strings.HasPrefix(key, CostOption) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// CostAbout is the address of the page of costs, of one mechanism and the text of a state.
func CostAbout(s State, id string) string {
	v := url.Values{}
	v.Set(CostMechanism, id)
	if s.Text != DefaultText {
		v.Set(Text, s.Text)
	}
	return At(CostPath, v)
}

// CostOf is the address of the page of costs, or under path of the data; what is as usual is left out.
func CostOf(path string, s State, c Cost, usual costs.Sizes) string {
	v := Encode(s)
	for key, pair := range map[string][2]int{
		CostLength: {c.Length, usual.Length}, CostWidth: {c.Width, usual.Width}, CostHeads: {c.Heads, usual.Heads},
		CostPositions: {c.Positions, max(c.Length, usual.Positions)},
	} {
		if pair[0] != pair[1] {
			v.Set(key, strconv.Itoa(pair[0]))
		}
	}
	for key, value := range map[string]string{CostMechanism: c.Mechanism, CostMeasure: c.Measure} {
		if value != "" {
			v.Set(key, value)
		}
	}
	for name, value := range c.Options {
		v.Set(CostOption+name, value)
	}
	return At(path, v)
}
