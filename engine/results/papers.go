package results

import (
	_ "embed"
	"sync"

	"github.com/BurntSushi/toml"
)

// Paper is a table of a paper that compares mechanisms which are here, too, and what it claims.
type Paper struct {
	ID       string       `toml:"id"`
	Citation string       `toml:"citation"` // with its version
	Table    string       `toml:"table"`
	Task     string       `toml:"task"`
	Unit     string       `toml:"unit"`    // of the values, of which more is better
	Gap      string       `toml:"gap"`     // of differences of them
	Least    float64      `toml:"least"`   // a smaller difference is none: the papers tell no deviations
	Measure  string       `toml:"measure"` // what is held against it here: "loss", or a task of Model.Score
	Found    string       `toml:"found"`   // where the figures were found
	Rows     []PaperRow   `toml:"row"`     // the first is what the others are compared with
	Claims   []PaperClaim `toml:"claim"`
}

// PaperRow is a figure of a paper.
type PaperRow struct {
	Name  string  `toml:"name"`  // as the paper has it
	Model string  `toml:"model"` // the id of ours
	Value float64 `toml:"value"`
}

// PaperClaim is an order that a paper claims in words.
type PaperClaim struct {
	Quote  string   `toml:"quote"`
	Better []string `toml:"better"` // ids: each of them is better than …
	Than   string   `toml:"than"`
	Level  bool     `toml:"level"` // … or as good
}

//go:embed papers.toml
var papersFile string

// Papers are those of papers.toml.
func Papers() []Paper { return parsedPapers() }

var parsedPapers = sync.OnceValue(func() []Paper {
	var file struct {
		Papers []Paper `toml:"paper"`
	}
	if meta, err := toml.Decode(papersFile, &file); err != nil || len(meta.Undecoded()) > 0 {
		panic("results: papers.toml cannot be read")
	}
	return file.Papers
})
