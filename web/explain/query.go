package explain

import (
	"strconv"
	"strings"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
)

// numberKey is the key of a number from an earlier explanation: its array and its place there, such as "44.1203".
const numberKey = "number"

// Asked names the number to trace, besides the state: the pinned cell of a map, or a number from an earlier
// explanation.
type Asked struct {
	ID, Map      string
	Array, Place int // Array 0: the pinned cell
	Word         int // token for whose prediction the pass is computed, from 1; 0: the default
}

// askedTable holds the page's own parameters.
var askedTable = address.ParamTable[Asked]{
	address.String(address.Map, func(a *Asked) *string { return &a.Map }),
	address.Custom(numberKey, func(d *address.Decoder, a *Asked) { a.read(d) }, Asked.write),
}

// read reads the number of an array and a place.
func (a *Asked) read(d *address.Decoder) {
	text, ok := d.Get(numberKey)
	if !ok || text == "" {
		return
	}
	array, place, parted := strings.Cut(text, ".")
	n, wrong := strconv.ParseUint(array, 10, 31)
	k, off := strconv.ParseUint(place, 10, 31)
	if !parted || wrong != nil || off != nil || n < 1 {
		d.Fail(numberKey, "param.array-number", "value", messages.Quote(text))
	}
	a.Array, a.Place = int(n), int(k)
}

// write returns the value of numberKey.
func (a Asked) write() string {
	if a.Array == 0 {
		return ""
	}
	return strconv.Itoa(a.Array) + "." + strconv.Itoa(a.Place)
}

// URL returns the address of the page, or, at another path, of its numbers.
func (a Asked) URL(path string, s address.State) string {
	if a.Array > 0 {
		s = s.SingleCard(a.ID)
		s.Pin, s.Layer, s.Head, a.Map = address.Pin{Row: a.Word}, 0, exhibit.Auto, ""
	}
	return address.One(path, s, a.ID, askedTable.Encode(a, Asked{}))
}
