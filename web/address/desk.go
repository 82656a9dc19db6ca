package address

import (
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
)

// The page of desks has keys of its own for what a model is to compute otherwise than it learned: share.2.random is
// the share of a part of a mixture in layer 2, and rank that of the learned scores of all layers and heads.
const (
	DeskPath  = "/desk"
	DeskShare = "share."
	DeskRank  = "rank"
)

// Desk is what a desk is about, beside the state.
type Desk struct {
	ID string // of the mechanism
	engine.Change
}

// ShareKey is the key of the share of a part in a layer, from 1.
func ShareKey(layer int, part string) string {
	return DeskShare + strconv.Itoa(layer) + "." + part
}

// DecodeDesk reads a desk; usual is the mechanism where none is named.
func DecodeDesk(v url.Values, s State, usual string) (d Desk, bad []ParamError) {
	r := decoder{values: v}
	d.ID = usual
	if v.Has(Mechanisms) {
		d.ID = s.Mechanisms[0]
	}
	d.Shares, d.Rank = r.shares(d.ID), r.number(DeskRank)
	return d, r.bad
}

// shares reads those of a mixture by layer. One that is missing beside others of its layer is what they leave.
func (d *decoder) shares(id string) map[int][]float64 {
	var parts []string
	if entry, _, ok := engine.Find(id); ok {
		parts = entry.Parts
	}
	all := map[int][]float64{}
	for _, key := range DeskKeys(d.values) {
		name, ok := strings.CutPrefix(key, DeskShare)
		if !ok {
			continue
		}
		of, part, _ := strings.Cut(name, ".")
		layer, whole := wholeNumber(of)
		i := slices.Index(parts, part)
		if !whole || i < 0 {
			d.fail(key, "desk.error.share-of", "parts", list(parts))
			continue
		}
		value, _ := d.get(key)
		share, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsInf(share, 0) || math.IsNaN(share) { // NaN stands below for what is missing
			d.fail(key, "desk.error.share", "value", quote(value))
			continue
		}
		if all[layer] == nil {
			all[layer] = slices.Repeat([]float64{math.NaN()}, len(parts))
		}
		all[layer][i] = share
	}
	for _, layer := range slices.Sorted(maps.Keys(all)) {
		if missing := complete(all[layer]); missing >= 0 {
			d.fail(ShareKey(layer, parts[missing]), "desk.error.missing", "layer", layer, "parts", list(parts))
			delete(all, layer)
		}
	}
	return all
}

// complete puts what the others leave in the place of a missing share; of several it gives the first, else -1.
func complete(shares []float64) int {
	missing, rest := -1, 1.0
	for i, share := range shares {
		switch {
		case !math.IsNaN(share):
			rest -= share
		case missing >= 0:
			return missing
		default:
			missing = i
		}
	}
	if missing >= 0 {
		if math.Abs(rest) < 1e-9 { // what is left of numbers that people write
			rest = 0
		}
		shares[missing] = rest
	}
	return -1
}

// DeskKeys are the keys that the page knows in these values, beside those of a state.
func DeskKeys(v url.Values) []string {
	var keys []string
	for key := range v {
		if key == DeskRank || strings.HasPrefix(key, DeskShare) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// DeskOf is the address of a desk, or under path of its data.
func DeskOf(path string, s State, d Desk) string { return of(path, s, EncodeDesk(s, d)) }

// EncodeDesk are the parameters of a desk.
func EncodeDesk(s State, d Desk) url.Values {
	s = s.Plain().Alone(d.ID)
	s.Mechanisms, s.Other, s.After, s.Show, s.Filter, s.Pin.Col = []string{d.ID}, "", "", exhibit.Maps, exhibit.Filter{}, 0
	v := Encode(s)
	v.Set(Mechanisms, d.ID)
	if d.Rank != 0 {
		v.Set(DeskRank, strconv.Itoa(d.Rank))
	}
	if entry, _, ok := engine.Find(d.ID); ok {
		for _, layer := range slices.Sorted(maps.Keys(d.Shares)) {
			for i, part := range entry.Parts {
				v.Set(ShareKey(layer, part), Share(d.Shares[layer][i]))
			}
		}
	}
	return v
}

// Share writes a share in as few digits as say which float32 it is, or as it was written.
func Share(v float64) string {
	if short := strconv.FormatFloat(v, 'g', -1, 64); len(short) <= 8 {
		return short
	}
	return strconv.FormatFloat(v, 'g', -1, 32)
}
