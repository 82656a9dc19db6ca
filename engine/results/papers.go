package results

import (
	_ "embed"
	"sync"

	"github.com/BurntSushi/toml"
)

// Paper is a table of a paper that compares mechanisms of the Atlas, with the paper's claims.
type Paper struct {
	ID       string       `toml:"id"`
	Citation string       `toml:"citation"` // with its version
	Table    string       `toml:"table"`
	Task     string       `toml:"task"`
	Unit     string       `toml:"unit"`    // unit of the values; larger values are better
	Gap      string       `toml:"gap"`     // unit of their differences
	Least    float64      `toml:"least"`   // smaller differences count as none, because the papers give no deviations
	Measure  string       `toml:"measure"` // measure here to compare with: "loss", or a task of ModelResults.Score
	Found    string       `toml:"found"`   // source of the figures
	Rows     []PaperRow   `toml:"row"`     // the first row is the baseline of the others
	Claims   []PaperClaim `toml:"claim"`
}

// PaperRow is a figure of a paper.
type PaperRow struct {
	Name  string  `toml:"name"`  // name in the paper
	Model string  `toml:"model"` // id of our model
	Value float64 `toml:"value"`
}

// PaperClaim is an order of models that a paper claims in words.
type PaperClaim struct {
	Quote  string   `toml:"quote"`
	Better []string `toml:"better"` // ids: each is better than …
	Than   string   `toml:"than"`
	Level  bool     `toml:"level"` // … or equally good
	Long   bool     `toml:"long"`  // the quote is about long texts
}

//go:embed papers.toml
var papersFile string

// Papers returns the papers of papers.toml.
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
