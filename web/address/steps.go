package address

import (
	"net/url"

	"attnatlas/engine/exhibit"
)

// StepsPath is that of the page of the steps of a pass.
const StepsPath = "/steps"

// Through is which steps a page tells, beside the state: those of a mechanism, in the layer and head of the state,
// following the word of the pinned row.
type Through struct {
	ID    string
	Step  string // the one that is looked at; empty: the first
	Plane int    // of what is stacked, from 1; 0: the first
}

// DecodeThrough reads which steps are asked for.
func DecodeThrough(v url.Values, s State) (a Through, bad []ParamError) {
	d := decoder{values: v}
	a.ID = s.Mechanisms[0]
	a.Step, _ = d.get(Map)
	a.Plane = d.number(Plane)
	return a, d.bad
}

// Steps is the address of the page, or under path of the data, of the steps of a pass.
func Steps(path string, s State, a Through) string {
	v := alone(s, a.ID)
	if a.Step != "" {
		v.Set(Map, a.Step)
	}
	if a.Plane > 1 {
		v.Set(Plane, count(a.Plane))
	}
	return of(path, s, v)
}

// alone are the parameters of a page about one pass of one model: what its cards are compared with is left out.
func alone(s State, id string) url.Values {
	s = s.Plain().Alone(id)
	s.Mechanisms, s.Other, s.After, s.Show, s.Filter, s.Pin.Col = []string{id}, "", "", exhibit.Maps, exhibit.Filter{}, 0
	v := Encode(s)
	v.Set(Mechanisms, id)
	return v
}
