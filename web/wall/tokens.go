package wall

import (
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/ablation"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
)

// Tokens returns tokens as pages show them.
func Tokens(list []tokenizer.Token) []components.TokenChip {
	views := make([]components.TokenChip, len(list))
	for i, t := range list {
		views[i] = components.TokenChip{
			Piece: t.Piece, Label: t.Label(), Start: t.Start, End: t.End,
			Special: t.IsSpecial(), Byte: t.IsByte(),
			Joined: i > 0 && t.Start > 0 && t.Start == list[i-1].End && !t.IsSpecial() && t.Continues(),
		}
	}
	return views
}

// beginningOf returns the start of a state's text.
func beginningOf(s address.State) string { return exhibit.Beginning(s.Text) }

// Strip returns the token strip. A word that can be masked or shown has a button, on its last token.
func (p *View) Strip() []components.TokenChip {
	r := p.Sel.Report
	views := Tokens(r.Tokens)
	known := p.hidden(r.Tokens)
	for _, word := range p.Site.Vocab.Words(p.State.Text, r.Tokens) {
		first, last := r.Tokens[word.First], &views[word.Last-1]
		button := components.HideButton{Name: address.Hide, Value: address.WordKey(word)}
		if !first.IsMask() {
			button.Label = p.T("strip.hide", "word", tokenizer.Visible(p.State.Text[word.Start:word.End]))
			last.Hide = button
			continue
		}
		var was strings.Builder
		for i := word.First; i < word.Last; i++ {
			if known[i].Text != "" {
				views[i].Hides = tokenizer.Visible(known[i].Text)
			}
			was.WriteString(known[i].Text)
		}
		if !slices.ContainsFunc(views[word.First:word.Last], func(t components.TokenChip) bool { return t.Hides == "" }) {
			button.Label, button.Back = p.T("strip.show", "word", tokenizer.Visible(was.String())), true
			last.Hide = button
		}
	}
	for _, c := range p.State.Cuts.All {
		if c.Kind == ablation.CutWord && c.Col <= len(views) {
			views[c.Col-1].Cut = true
		}
	}
	for i := range r.Segments {
		views[i].Segment = [...]string{"A", "B"}[r.Segments[i]]
		views[i].Begins = i == 0 || r.Segments[i] != r.Segments[i-1]
	}
	return views
}

// Hint says what a visitor can do with the strip, or how to read it.
func (p *View) Hint() components.StripHint {
	id := "strip.hint"
	switch {
	case p.Sel.Report.Segments != nil:
		id = "strip.pair"
	case p.State.Pin.Row > 0:
		id = "strip.tinted"
	}
	return components.StripHint{Says: p.T(id), More: p.T(id + "-more")}
}

// TopShown is the number of words that a card lists for each position.
const TopShown = 5

// predictions returns the predictions of a mechanism's model for the page's text. The right word is marked: the
// masked one, if the address knows it, or the next one.
func (p *View) predictions(m *engine.Result) components.Predictions {
	var all components.Predictions
	list := p.Sel.Report.TokensOf(m)
	behind := p.hidden(list)
	for _, guess := range m.Predictions {
		all.Next = guess.Next
		one := components.Prediction{At: guess.At, Label: list[guess.At].Label()}
		right := ""
		switch was, known := behind[guess.At]; {
		case guess.Next:
			right = list[guess.At+1].Piece
		case known:
			right = was.Piece
			one.Hidden = p.hiddenWord(guess.Words, right)
		}
		one.Words = WordProbs(guess.Words[:min(TopShown, len(guess.Words))], right)
		all.List = append(all.List, one)
	}
	if all.Next {
		all.Now = max(len(all.List)-1, 0)
		for i, one := range all.List {
			if one.At == p.State.Pin.Row-1 {
				all.Now = i
			}
		}
	}
	return all
}

// ownTokens returns the tokens of a card if they differ from those of the page, or have another order: for a model
// that splits the text differently, without [CLS] and [SEP], or sorted by similarity.
func (p *View) ownTokens(m *engine.Result) (own components.OwnTokens) {
	spans := p.Sel.Report.Aligned(m)
	shown := p.shown(m)
	if spans == nil && shown == nil {
		return own
	}
	tokens := p.Sel.Report.TokensOf(m)
	for _, i := range shown {
		own.Numbers = append(own.Numbers, i+1)
	}
	if shown == nil {
		shown = indices(len(tokens))
	}
	own.Chips, own.Words = Tokens(pick(tokens, shown)), tokenizer.Labels(pick(tokens, shown))
	for i := range p.Sel.Report.Tokens {
		at := []int{}
		for k, from := range shown {
			if spans == nil && from == i || spans != nil && spans[i].First <= from && from < spans[i].Last {
				at = append(at, k)
			}
		}
		own.Places = append(own.Places, at)
	}
	return own
}

// shown returns the indices of the tokens that a card shows, in their order. It returns nil if the card shows all tokens
// as the text has them.
func (p *View) shown(m *engine.Result) []int {
	if p.State.Order == exhibit.TextOrder && !p.State.Words || m.Err != nil {
		return nil
	}
	return p.arrangedSelection().Shown(m)
}

// arrangedSelection returns the selection with the tokens that cards show, and their order. Sel has all tokens in the
// order of the text, in which scripts count them.
func (p *View) arrangedSelection() *exhibit.Selection {
	if p.arranged == nil || p.arranged.Report != p.Sel.Report {
		p.arranged = exhibit.Select(p.Sel.Report, p.State.Choice)
	}
	return p.arranged
}

func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func pick[T any](all []T, indices []int) []T {
	some := make([]T, len(indices))
	for to, from := range indices {
		some[to] = all[from]
	}
	return some
}

// alignedNote says on a card that its tokens differ from those of the page.
func (p *View) alignedNote(m *engine.Result) messages.Message {
	if p.Sel.Report.Aligned(m) == nil {
		return messages.Message{}
	}
	return messages.New("guest.aligned", "own", len(m.Tokens), "page", len(p.Sel.Report.Tokens))
}

// hidden returns the tokens behind masks, by their position in a list that may belong to another model.
func (p *View) hidden(list []tokenizer.Token) map[int]tokenizer.Token {
	known := p.State.Hidden(p.Site.Vocab)
	if len(known) == 0 {
		return known
	}
	masks := func(list []tokenizer.Token) (all []int) {
		for i, t := range list {
			if t.IsMask() {
				all = append(all, i)
			}
		}
		return all
	}
	usual, _ := p.Site.Vocab.EncodePair(p.State.Text)
	ours, theirs := masks(usual), masks(list)
	found := map[int]tokenizer.Token{}
	for i := range min(len(ours), len(theirs)) {
		if was, ok := known[ours[i]]; ok {
			found[theirs[i]] = was
		}
	}
	return found
}

// hiddenWord gives the rank of the masked word among the predictions.
func (p *View) hiddenWord(words []predict.Word, piece string) string {
	label := tokenizer.PieceLabel(piece)
	for i, w := range words {
		if w.Piece == piece {
			return p.T("prediction.hidden", "word", label, "number", i+1, "p", messages.Number(w.P))
		}
	}
	return p.T("prediction.hidden-unlikely", "word", label, "words", len(words))
}

// WordProbs returns words with bars; the right one is marked.
func WordProbs(words []predict.Word, right string) []components.WordProb {
	list := make([]components.WordProb, len(words))
	for i, w := range words {
		list[i] = wordProb(tokenizer.PieceLabel(w.Piece), w.P)
		list[i].Right = w.Piece == right
	}
	return list
}

// wordProb is a word with a bar.
func wordProb(label string, p float64) components.WordProb {
	return components.WordProb{Label: label, P: messages.Number(p), Exact: strconv.FormatFloat(p, 'g', -1, 32), Share: p}
}
