package claim

import (
	"attnatlas/engine"
	"attnatlas/engine/ablation"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// Claim is a number of a report with the bounds that it must meet.
type Claim struct {
	Name        string // argument of the sentence for the number
	Mechanism   string
	Map         string // for a classifier its task; empty: the main map
	Layer, Head int    // from 1; head 0: the mean
	What        Measure
	Row, Col    string // words; the measure determines which are needed
	Least, Most float64
	Text        string // text instead of the scene's: the same with words moved or replaced; can be empty
	Cut         string // ablations of the pass, as in URLs: "word:5,head:2.3"; can be empty
	Above       string // name of another claim of the same sentence with a smaller number; can be empty
}

// Holds reports whether a number meets the claim's bounds.
func (c Claim) Holds(value float64) bool { return value >= c.Least && value <= c.Most }

// Request returns the request for the report on which the claim is measured. Its text is the
// scene's text, unless the claim has its own.
func (c Claim) Request(text string, mask nn.MaskKind) engine.Request {
	if c.Text != "" {
		text = c.Text
	}
	r := engine.Request{Text: text, Mechanisms: []string{c.Mechanism}, Mask: mask}
	r.Method = c.choice().Measurement()
	r.Cuts.All = ablation.ReadCuts(c.Cut)
	return r
}

// On measures the claim on the report of a text. other is the report of the second text for
// measures that compare texts, else nil.
func (c Claim) On(text, other *engine.Report) (float64, error) {
	res := exhibit.Select(text, c.choice()).Result(c.Mechanism)
	switch {
	case res == nil:
		return 0, fault.Errorf(fault.NotFound, "error.not-in-report", "id", messages.Quote(c.Mechanism))
	case res.Err != nil:
		return 0, res.Err
	case c.What == Guess:
		return c.guess(res)
	case c.What == Hidden || c.What == Predicted || c.What == Listed:
		return c.hidden(res, text)
	case c.What == Right:
		return c.right(res)
	}
	m, err := c.mapOf(text)
	if err != nil {
		return 0, err
	}
	s := seen{m: m, tokens: text.Tokens}
	if s.rows, err = wordsOf(text.Tokens, c.Row); err != nil {
		return 0, err
	}
	if s.cols, err = wordsOf(text.Tokens, c.Col); err != nil {
		return 0, err
	}
	if c.What.compares() {
		if other == nil {
			return 0, c.undefined()
		}
		if s.other, err = c.mapOf(other); err != nil {
			return 0, err
		}
	}
	value, ok := measures[c.What].of(s)
	if !ok {
		return 0, c.undefined()
	}
	return value, nil
}

func (c Claim) choice() exhibit.Choice {
	return exhibit.Choice{Layer: c.Layer, Head: c.Head, Show: exhibit.ShowOf(c.Map), Norm: figure.PerMap}
}

// mapOf returns the claim's map in a report.
func (c Claim) mapOf(r *engine.Report) (trace.Map, error) {
	x, err := exhibit.Select(r, c.choice()).Exhibit(c.Mechanism, c.Map, 0)
	if err != nil {
		return trace.Map{}, err
	}
	return x.Map, nil
}

// perHead reports whether heads have their own maps.
func (c Claim) perHead(r *engine.Report) bool {
	x, err := exhibit.Select(r, c.choice()).Exhibit(c.Mechanism, c.Map, 0)
	return err == nil && x.PerHead()
}

// undefined returns the error for a measure that is not defined for the map or the named words.
func (c Claim) undefined() error {
	return fault.Errorf(fault.Unsupported, "error.claim.undefined", "measure", c.What.String(), "id", c.Mechanism)
}

// guess returns the probability of a class.
func (c Claim) guess(res *engine.Result) (float64, error) {
	for _, g := range res.Guesses {
		for _, class := range g.Classes {
			if g.Task == c.Map && class.Name == c.Col {
				return class.P, nil
			}
		}
	}
	return 0, c.undefined()
}

// hidden returns the probability of a masked word, or of the next word, if it is among the most probable. For Predicted
// it must be the most probable one. For Listed, hidden returns 1 if the word is among them, else 0.
func (c Claim) hidden(res *engine.Result, text *engine.Report) (float64, error) {
	at, err := wordsOf(text.Tokens, c.Row)
	if err != nil {
		return 0, err
	}
	for _, p := range res.Predictions {
		if len(at) != 1 || p.At != at[0] {
			continue
		}
		for rank, w := range p.Words {
			switch {
			case w.Piece != c.Col || c.What == Predicted && rank > 0:
			case c.What == Listed:
				return 1, nil
			default:
				return w.P, nil
			}
		}
		if c.What == Listed {
			return 0, nil
		}
	}
	return 0, c.undefined()
}

// right returns the number of words that were written correctly.
func (c Claim) right(res *engine.Result) (float64, error) {
	if res.Generated == nil {
		return 0, c.undefined()
	}
	n := 0.0
	for i := range res.Generated.Answer {
		if i < len(res.Generated.Steps) && res.Generated.RightStep(i) {
			n++
		}
	}
	return n, nil
}
