package compare

import (
	"math"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/web/api"
)

// Compare is the response of /api/v1/compare.
type Compare struct {
	Version int          `json:"version" doc:"Version of this format"`
	Tokens  CompareWords `json:"tokens" doc:"Tokens of both texts"`
	A       CompareMap   `json:"a" doc:"First map"`
	B       CompareMap   `json:"b" doc:"Second map"`
	// Difference is A − B, where it is defined.
	Difference   api.Values `json:"difference,omitempty" doc:"Difference A − B in row-major order; a cell that one map does not compute counts as 0 there. Absent if it is not defined"`
	NoDifference string     `json:"noDifference,omitempty" doc:"Reason why there is no difference"`

	Identical bool              `json:"identical" doc:"Whether the two maps are bit-identical"`
	Changed   *float64          `json:"changed" doc:"Relative difference ‖A − B‖₁ ÷ (‖A‖₁ + ‖B‖₁), 0…1; for rows that sum to 1 it is ‖A − B‖₁ ÷ 2n. Null if it is not defined"`
	Rank      *float64          `json:"spearman" doc:"Spearman’s rank correlation of the cells that both maps compute, −1…1; equal values share the mean of their ranks. Null if it is not defined"`
	NoRank    string            `json:"noSpearman,omitempty" doc:"Reason why there is no rank correlation"`
	Divergent *float64          `json:"jensenShannon" doc:"Mean Jensen–Shannon divergence of the rows in bits, 0…1. Null if it is not defined"`
	Rows      []*float64        `json:"jensenShannonRows,omitempty" doc:"Jensen–Shannon divergence of each row in bits, 0…1; null for a row that is not a distribution in both maps"`
	NoRows    string            `json:"noJensenShannon,omitempty" doc:"Reason why rows have no divergence"`
	Largest   []CompareContrast `json:"largest" doc:"Cells with the largest differences, at most five"`
}

// CompareWords are the tokens of each side's text.
type CompareWords struct {
	A []api.AttendToken `json:"a" doc:"Tokens of the first text"`
	B []api.AttendToken `json:"b" doc:"Tokens of the second text; equal to a if there is only one text"`
}

// CompareMap is one of the two maps.
type CompareMap struct {
	ID    string `json:"id" doc:"ID of the mechanism"`
	Layer int    `json:"layer" doc:"Number of the layer, from 1"`
	Where string `json:"where" doc:"Layer and head in words"`
	api.AttendMap
}

// CompareContrast is a cell with a difference between the maps.
type CompareContrast struct {
	Row    int     `json:"row" doc:"Index of the row, from 0, in tokens"`
	Column int     `json:"column" doc:"Index of the column, from 0, in tokens"`
	A      float64 `json:"a" doc:"Value in the first map"`
	B      float64 `json:"b" doc:"Value in the second map"`
	Text   string  `json:"text" doc:"Description of the difference in one sentence"`
}

// newCompare returns the response to a comparison.
func newCompare(c *exhibit.Comparison, a, b *exhibit.Selection, l *messages.Language) Compare {
	answer := Compare{
		Version: 1, Tokens: CompareWords{api.Tokens(a.Report.Tokens), api.Tokens(b.Report.Tokens)}, A: newCompareMap(c.A, l),
		B:            newCompareMap(c.B, l),
		NoDifference: l.Say(c.NoDifference), Identical: c.Same, Changed: known(c.Changed), Rank: known(c.Rank),
		NoRank:    l.Say(c.NoRank),
		Divergent: known(c.Divergence()), NoRows: l.Say(c.NoRows), Largest: []CompareContrast{},
	}
	if c.Difference != nil {
		answer.Difference = api.Values(c.Difference.Map.Value.Data)
	}
	for _, d := range c.Rows {
		answer.Rows = append(answer.Rows, known(d))
	}
	for _, k := range c.Contrasts(a.Choice.Show) {
		answer.Largest = append(answer.Largest, CompareContrast{Row: k.Row, Column: k.Col, A: k.A, B: k.B,
			Text: l.Say(k.Text)})
	}
	return answer
}

func newCompareMap(x *exhibit.Exhibit, l *messages.Language) CompareMap {
	return CompareMap{ID: x.Result.ID, Layer: x.Layer.Number, Where: l.Say(x.Where(", ")), AttendMap: api.NewMap(x.Map)}
}

// known returns a pointer to a number, or nil for NaN.
func known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}
