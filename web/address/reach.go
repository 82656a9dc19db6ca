package address

import (
	"net/url"
	"slices"
	"strconv"
)

// The page of who has heard of whom has the keys of costs for the length, the mechanism and its options, and one of
// its own.
const (
	ReachPath   = "/reach"
	ReachLayers = "layers"
)

// DecodeLayers reads through how many layers is listened; 0: nothing is said.
func DecodeLayers(v url.Values) (layers int, bad []ParamError) {
	d := decoder{values: v}
	return d.number(ReachLayers), d.bad
}

// ReachKeys are the keys that the page knows, beside those of a state.
func ReachKeys(v url.Values) []string {
	keys := slices.DeleteFunc(CostKeys(v), func(key string) bool { return key == CostMeasure })
	return append(keys, ReachLayers)
}

// ReachAbout is the address of the page, of one mechanism.
func ReachAbout(id string) string { return At(ReachPath, url.Values{CostMechanism: {id}}) }

// ReachOf is the address of the page, or under path of the data; a length that is usual is left out.
func ReachOf(path string, s State, c Cost, layers, usual int) string {
	v := Encode(s)
	if c.Length != usual {
		v.Set(CostLength, strconv.Itoa(c.Length))
	}
	v.Set(ReachLayers, strconv.Itoa(layers))
	if c.Mechanism != "" {
		v.Set(CostMechanism, c.Mechanism)
	}
	for name, value := range c.Options {
		v.Set(CostOption+name, value)
	}
	return At(path, v)
}
