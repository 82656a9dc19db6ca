package match

import (
	"attnatlas/engine/similarity"
	"attnatlas/web/api"
)

// Match is the response of /api/v1/match.
type Match struct {
	Version  int            `json:"version" doc:"Version of this format"`
	Model    string         `json:"model" doc:"ID of the model"`
	Score    string         `json:"score" enum:"mean,cls,cross" doc:"Kind of score. mean: cosine of the means of all tokens; cls: cosine of the outputs at the first token. cross: score of a classifier for the pair of texts"`
	Said     bool           `json:"said" doc:"Whether the model’s files define how a text becomes a vector; otherwise the vector is the mean over the tokens"`
	Query    MatchText      `json:"query" doc:"Query with its tokens"`
	Passages []MatchPassage `json:"passages" doc:"Passages with their scores, in the order of the request"`
	Ranking  []int          `json:"ranking" doc:"Numbers of the passages, from 1, best first"`
	Chosen   int            `json:"chosen" doc:"Number of the passage, from 1, to which cells and zeroed belong"`
	Cells    [][]float64    `json:"cells,omitempty" doc:"Contribution xᵢ·yⱼ/(n·m·‖x̄‖·‖ȳ‖) of token i of the query and token j of the passage; the contributions sum to the cosine"`
	Sum      float64        `json:"sum,omitempty" doc:"Sum of all cells"`
	Zeroed   [][]float64    `json:"zeroed,omitempty" doc:"Value zeroing for cls: share of each token’s value in the first token’s output of the last layer, for the query and for the passage"`
}

// MatchText is a text with the tokens that the model reads.
type MatchText struct {
	Text   string            `json:"text" doc:"Text as sent"`
	Tokens []api.AttendToken `json:"tokens" doc:"Tokens that the model processes"`
	Left   int               `json:"left,omitempty" doc:"Number of tokens cut off at the end because the text is too long for the model"`
}

// MatchPassage is a text with its score.
type MatchPassage struct {
	MatchText
	Score float64 `json:"score" doc:"Score of the passage"`
	Label string  `json:"label,omitempty" doc:"Name of the class to which the score belongs"`
	P     float64 `json:"p,omitempty" doc:"Probability of this class, 0…1"`
}

// newMatch returns the response with a match.
func newMatch(m *similarity.Scores) Match {
	text := func(t similarity.Text) MatchText { return MatchText{t.Text, api.Tokens(t.Tokens), t.Left} }
	a := Match{Version: 1, Model: m.Mechanism, Score: m.Kind, Said: m.Pooling.Said, Query: text(m.Query),
		Chosen: m.Chosen + 1}
	for _, p := range m.Passages {
		a.Passages = append(a.Passages, MatchPassage{text(p), p.Score, p.Label, p.P})
	}
	for _, i := range m.Ranking {
		a.Ranking = append(a.Ranking, i+1)
	}
	if m.Pairs != nil {
		a.Cells = m.Pairs.Cells
		if a.Cells != nil {
			a.Sum = m.Pairs.Sum()
		}
		if m.Pairs.Zeroed[0] != nil {
			a.Zeroed = m.Pairs.Zeroed[:]
		}
	}
	return a
}
