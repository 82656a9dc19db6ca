package desk

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/altered"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
)

// Keys of the playground's changes: share.2.random is the mixing weight of a component in layer 2,
// and rank is the rank of the learned scores in all layers and heads.
const (
	deskPath = "/desk"
	// Share begins the keys of mixing weights.
	Share = "share."
	// Rank is the key of the rank.
	Rank = "rank"
)

// change is a requested change to a model.
type change struct {
	ID string // id of the mechanism
	altered.Change
}

// changeTable is the table of the page's own parameters.
var changeTable = address.ParamTable[change]{
	address.Open(Share, func(d *address.Decoder, rests []string, c *change) { c.readShares(d, rests) }, change.shares),
	address.Number(Rank, func(c *change) *int { return &c.Rank }),
}

// shareKey returns the key of a component's mixing weight in a layer, from 1.
func shareKey(layer int, part string) string { return Share + strconv.Itoa(layer) + "." + part }

// mostLayers exceeds the layers of any mixture in the playground. Every link of the page repeats
// the mixing weights of all layers.
const mostLayers = 64

// parts returns the components of a mixture.
func parts(id string) []string {
	if entry, _, ok := engine.Find(id); ok {
		return entry.Parts
	}
	return nil
}

// readShares reads the mixing weights of a mixture by layer. A missing one is the rest of the
// others in its layer.
func (c *change) readShares(d *address.Decoder, rests []string) {
	parts := parts(d.First(address.Mechanisms))
	all := map[int][]float64{}
	for _, name := range rests {
		of, part, _ := strings.Cut(name, ".")
		layer, whole := address.WholeNumber(of)
		i := slices.Index(parts, part)
		if !whole || i < 0 || layer > mostLayers {
			d.Fail(Share+name, "desk.error.share-of", "parts", messages.List(parts))
			continue
		}
		value, _ := d.Get(Share + name)
		share, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsInf(share, 0) || math.IsNaN(share) { // NaN stands below for a missing one
			d.Fail(Share+name, "desk.error.share", "value", messages.Quote(value))
			continue
		}
		if all[layer] == nil {
			all[layer] = slices.Repeat([]float64{math.NaN()}, len(parts))
		}
		all[layer][i] = share
	}
	for _, layer := range slices.Sorted(maps.Keys(all)) {
		if missing := complete(all[layer]); missing >= 0 {
			d.Fail(shareKey(layer, parts[missing]), "desk.error.missing", "layer", layer, "parts", messages.List(parts))
			delete(all, layer)
		}
	}
	c.Shares = all
}

// shares returns the mixing weights as in a URL.
func (c change) shares() map[string]string {
	all := map[string]string{}
	for layer, shares := range c.Shares {
		for i, part := range parts(c.ID) {
			all[strconv.Itoa(layer)+"."+part] = shareValue(shares[i])
		}
	}
	return all
}

// complete sets a missing share to the rest of the others. Of several missing ones it returns the
// first, otherwise -1.
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
		if math.Abs(rest) < 1e-9 { // rounding error of numbers that people write
			rest = 0
		}
		shares[missing] = rest
	}
	return -1
}

// url returns the URL of the page, or of its numbers for another path.
func (c change) url(path string, s address.State) string {
	return address.One(path, s.Word(), c.ID, changeTable.Encode(c, change{}))
}

// shareValue formats a share with the fewest digits that identify the float32, or as it was
// written.
func shareValue(v float64) string {
	if short := strconv.FormatFloat(v, 'g', -1, 64); len(short) <= 8 {
		return short
	}
	return strconv.FormatFloat(v, 'g', -1, 32)
}
