package explain

import (
	"strconv"
	"strings"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
)

// numberKey is the key of a number that an explanation named: that of its array and its place, "44.1203".
const numberKey = "number"

// Asked is what a page of a number is about, beside the state: the pinned cell of a map, or a number that
// an earlier explanation named.
type Asked struct {
	ID, Map      string
	Array, Place int // Array 0: the pinned cell
	Word         int // whose guess the pass ends with, from 1; 0: the usual one
}

// askedTable has the parameters of the page alone.
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

// write is the value of a number.
func (a Asked) write() string {
	if a.Array == 0 {
		return ""
	}
	return strconv.Itoa(a.Array) + "." + strconv.Itoa(a.Place)
}

// URL is the address of the page, or under path of its numbers.
func (a Asked) URL(path string, s address.State) string {
	if a.Array > 0 {
		s = s.SingleCard(a.ID)
		s.Pin, s.Layer, s.Head, a.Map = address.Pin{Row: a.Word}, 0, exhibit.Auto, ""
	}
	return address.One(path, s, a.ID, askedTable.Encode(a, Asked{}))
}
