package address

import (
	"net/url"
	"strconv"
	"strings"

	"attnatlas/engine/exhibit"
)

// Number is the key of a number that an explanation named: that of its array and its place, "44.1203".
const Number = "number"

// ExplainPath is that of the page of a number.
const ExplainPath = "/explain"

// Asked is what a page of a number is about, beside the state: the pinned cell of a map, or a number that
// an earlier explanation named.
type Asked struct {
	ID, Map      string
	Array, Place int // Array 0: the pinned cell
	Word         int // whose guess the pass ends with, from 1; 0: the usual one
}

// DecodeAsked reads which number is asked for.
func DecodeAsked(v url.Values, s State) (a Asked, bad []ParamError) {
	d := decoder{values: v}
	a.ID = s.Mechanisms[0]
	a.Map, _ = d.get(Map)
	if text, ok := d.get(Number); ok && text != "" {
		array, place, parted := strings.Cut(text, ".")
		n, wrong := strconv.ParseUint(array, 10, 31)
		k, off := strconv.ParseUint(place, 10, 31)
		if !parted || wrong != nil || off != nil || n < 1 {
			d.fail(Number, "param.array-number", "value", quote(text))
		}
		a.Array, a.Place, a.Word = int(n), int(k), s.Pin.Row
	}
	return a, d.bad
}

// Explain is the address of the page, or under path of the data, of where a number comes from.
func Explain(path string, s State, a Asked) string {
	s = s.Plain().Alone(a.ID)
	s.Mechanisms, s.Other, s.After, s.Show, s.Filter = []string{a.ID}, "", "", exhibit.Maps, exhibit.Filter{}
	if a.Array > 0 {
		s.Pin, s.Layer, s.Head, a.Map = Pin{Row: a.Word}, 0, exhibit.Auto, ""
	}
	v := Encode(s)
	v.Set(Mechanisms, a.ID)
	if a.Map != "" {
		v.Set(Map, a.Map)
	}
	if a.Array > 0 {
		v.Set(Number, strconv.Itoa(a.Array)+"."+strconv.Itoa(a.Place))
	}
	return of(path, s, v)
}
