package desk

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
)

// The page has keys of its own for what a model is to compute otherwise than it learned: share.2.random is
// the share of a part of a mixture in layer 2, and rank that of the learned scores of all layers and heads.
const (
	deskPath = "/desk"
	// Share begins the keys of shares.
	Share = "share."
	// Rank is the key of the rank.
	Rank = "rank"
)

// change is what a desk is about, beside the state.
type change struct {
	ID string // of the mechanism
	engine.Change
}

// changeTable has the parameters of the page alone.
var changeTable = address.ParamTable[change]{
	address.Open(Share, func(d *address.Decoder, rests []string, c *change) { c.readShares(d, rests) }, change.shares),
	address.Number(Rank, func(c *change) *int { return &c.Rank }),
}

// shareKey is the key of the share of a part in a layer, from 1.
func shareKey(layer int, part string) string { return Share + strconv.Itoa(layer) + "." + part }

// mostLayers is more than a mixture has that a desk shows; every link of the page repeats the shares of all layers.
const mostLayers = 64

// parts are those of the mixture that a desk is about.
func parts(id string) []string {
	if entry, _, ok := engine.Find(id); ok {
		return entry.Parts
	}
	return nil
}

// readShares reads those of a mixture by layer. One that is missing beside others of its layer is what they leave.
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
		if err != nil || math.IsInf(share, 0) || math.IsNaN(share) { // NaN stands below for what is missing
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

// shares are those that an address names.
func (c change) shares() map[string]string {
	all := map[string]string{}
	for layer, shares := range c.Shares {
		for i, part := range parts(c.ID) {
			all[strconv.Itoa(layer)+"."+part] = shareValue(shares[i])
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

// url is the address of the page, or under path of its numbers.
func (c change) url(path string, s address.State) string {
	return address.One(path, s.Word(), c.ID, changeTable.Encode(c, change{}))
}

// shareValue writes a share in as few digits as say which float32 it is, or as it was written.
func shareValue(v float64) string {
	if short := strconv.FormatFloat(v, 'g', -1, 64); len(short) <= 8 {
		return short
	}
	return strconv.FormatFloat(v, 'g', -1, 32)
}
