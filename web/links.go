package web

import (
	"net/url"
	"strconv"
	"strings"

	"attnatlas/engine/nn"
)

// pageURL is the address of the wall in a state.
func pageURL(s State) string { return address("/", Encode(s)) }

// exportURL is the address of a figure. Neither the pin nor what masks hide
// is on any figure.
func exportURL(s State, mechanism string, extra url.Values) string {
	s.Pin, s.Was = Pin{}, nil
	v := Encode(s)
	for key, values := range extra {
		v[key] = values
	}
	return address("/export/"+url.PathEscape(mechanism)+".png", v)
}

// attendURL is the address of the numbers of one layer and one head, of the maps of
// these names, or of all.
func attendURL(s State, maps []string) string {
	v := url.Values{keyText: {s.Text}, keyMech: {strings.Join(s.Mechanisms, ",")}, keyHead: {headName(s.Head)}}
	if s.Layer > 0 {
		v.Set(keyLayer, strconv.Itoa(s.Layer))
	}
	if s.Mask != nn.NoMask {
		v.Set(keyMask, s.Mask.String())
	}
	if s.Show != ShowMaps {
		v.Set(keyShow, s.Show.String())
	}
	if len(maps) > 0 {
		v.Set(keyMap, strings.Join(maps, ","))
	}
	return address("/api/v1/attend", v)
}

func address(path string, v url.Values) string {
	if len(v) == 0 {
		return path
	}
	return path + "?" + v.Encode()
}
