package address

import "slices"

// Parameter is one that an operation takes, as its documentation tells it.
type Parameter struct {
	Key    string
	Values []string // that it can have; nil: more than a few
	// Listed says that it may stand in an address several times.
	Listed bool
}

// Parameters are those of some keys. What a parameter of a state can be is known.
func Parameters(keys ...string) []Parameter {
	all := make([]Parameter, len(keys))
	for i, key := range keys {
		all[i] = Parameter{Key: key, Listed: key == Was}
		if at := slices.IndexFunc(params, func(p param) bool { return p.key == key }); at >= 0 {
			all[i].Values = params[at].values
		}
	}
	return all
}
