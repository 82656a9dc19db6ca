package api

import "attnatlas/engine"

// Match is the response of /api/v1/match.
type Match struct {
	Version  int            `json:"version" doc:"Version of this format"`
	Model    string         `json:"model"`
	Score    string         `json:"score" enum:"mean,cls,cross" doc:"mean: cosine of the means of all tokens; cls: cosine of the outputs at the first token; cross: score of a classifier that reads both texts"`
	Said     bool           `json:"said" doc:"The model's files say how a vector is made of a text; else it is the mean"`
	Query    MatchText      `json:"query"`
	Passages []MatchPassage `json:"passages" doc:"In the order of the request"`
	Ranking  []int          `json:"ranking" doc:"Numbers of passages, from 1, the best first"`
	Chosen   int            `json:"chosen" doc:"Number of the passage, from 1, that cells and zeroed are of"`
	Cells    [][]float64    `json:"cells,omitempty" doc:"xᵢ·yⱼ/(n·m·‖x̄‖·‖ȳ‖) of token i of the query and j of the passage; they sum to the cosine"`
	Sum      float64        `json:"sum,omitempty" doc:"Sum of all cells"`
	Zeroed   [][]float64    `json:"zeroed,omitempty" doc:"For cls: shares of the first token's output in the last layer that hang on the value of each token, of the query and of the passage"`
}

// MatchText is a text with the tokens that the model reads.
type MatchText struct {
	Text   string        `json:"text"`
	Tokens []AttendToken `json:"tokens"`
	Left   int           `json:"left,omitempty" doc:"Tokens at the end that the model did not read"`
}

// MatchPassage is a text with its score.
type MatchPassage struct {
	MatchText
	Score float64 `json:"score"`
	Label string  `json:"label,omitempty" doc:"Class whose score it is"`
	P     float64 `json:"p,omitempty" doc:"Probability of this class"`
}

// NewMatch returns the response with a match.
func NewMatch(m *engine.Match) Match {
	text := func(t engine.MatchText) MatchText { return MatchText{t.Text, tokens(t.Tokens), t.Left} }
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
