package unroll

import "attnatlas/web/address"

// The paths of the pages.
const (
	hashingPath   = "/hashing"
	ponderingPath = "/pondering"
	reversingPath = "/reversing"
)

// through is which steps a page tells, beside the state: those of a mechanism, in the layer and head of the state,
// following the word of the pinned row.
type through struct {
	ID    string
	Step  string // the one that is looked at; empty: the first
	Plane int    // of what is stacked, from 1; 0: the first
}

// throughTable has the parameters of the page of steps alone.
var throughTable = address.ParamTable[through]{
	address.String(address.Map, func(t *through) *string { return &t.Step }),
	address.OneBased(address.Number(address.Plane, func(t *through) *int { return &t.Plane })),
}

// url is the address of the page, or under path of its numbers.
func (t through) url(path string, s address.State) string {
	return address.One(path, s.Word(), t.ID, throughTable.Encode(t, through{}))
}

// The keys of the page of hashing.
const (
	roundsKey = "rounds"
	seedKey   = "seed"
	topKey    = "k"
	roundKey  = "round"
)

// hashes is what the page of hashing draws and looks at: of the layer and head of the state, following the word of the
// pinned row.
type hashes struct {
	ID     string
	Rounds int // 0: those of the model
	Seed   int // of the directions; 0: those of the model
	Top    int // how many most attended words are looked for; 0: the usual number
	Round  int // that is looked at, from 1; 0: the first
}

// hashesTable has the parameters of the page of hashing alone.
var hashesTable = address.ParamTable[hashes]{
	address.FormNumber(roundsKey, func(h *hashes) *int { return &h.Rounds }),
	address.FormNumber(seedKey, func(h *hashes) *int { return &h.Seed }),
	address.OneBased(address.FormNumber(roundKey, func(h *hashes) *int { return &h.Round })),
	address.FormNumber(topKey, func(h *hashes) *int { return &h.Top }),
}

// url is the address of the page, or under path of its numbers.
func (h hashes) url(path string, s address.State) string {
	return address.One(path, s.Word(), h.ID, hashesTable.Encode(h, hashes{}))
}
