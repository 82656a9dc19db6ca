package unroll

import "attnatlas/web/address"

// Paths of the pages.
const (
	hashingPath   = "/hashing"
	ponderingPath = "/pondering"
	reversingPath = "/reversing"
)

// through selects the steps of a page, in addition to the state: those of a mechanism, in the
// state's layer and head, for the token of the pinned row.
type through struct {
	ID    string
	Step  string // selected step; empty: the first
	Plane int    // plane of a stack, from 1; 0: the first
}

// throughTable is the table of the steps page's own parameters.
var throughTable = address.ParamTable[through]{
	address.String(address.Map, func(t *through) *string { return &t.Step }),
	address.OneBased(address.Number(address.Plane, func(t *through) *int { return &t.Plane })),
}

// url returns the URL of the page, or of its numbers for another path.
func (t through) url(path string, s address.State) string {
	return address.One(path, s.Word(), t.ID, throughTable.Encode(t, through{}))
}

// Keys of the hashing page.
const (
	roundsKey = "rounds"
	seedKey   = "seed"
	topKey    = "k"
	roundKey  = "round"
)

// hashes holds the settings of the hashing page, for the state's layer and head and the token of
// the pinned row.
type hashes struct {
	ID     string
	Rounds int // 0: the model's
	Seed   int // of the directions; 0: the model's
	Top    int // number of most attended tokens for recall; 0: default
	Round  int // selected round, from 1; 0: the first
}

// hashesTable is the table of the hashing page's own parameters.
var hashesTable = address.ParamTable[hashes]{
	address.FormNumber(roundsKey, func(h *hashes) *int { return &h.Rounds }),
	address.FormNumber(seedKey, func(h *hashes) *int { return &h.Seed }),
	address.OneBased(address.FormNumber(roundKey, func(h *hashes) *int { return &h.Round })),
	address.FormNumber(topKey, func(h *hashes) *int { return &h.Top }),
}

// url returns the URL of the page, or of its numbers for another path.
func (h hashes) url(path string, s address.State) string {
	return address.One(path, s.Word(), h.ID, hashesTable.Encode(h, hashes{}))
}
