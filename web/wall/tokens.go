package wall

import (
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
)

// Tokens are tokens as pages show them.
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

// beginningOf is the start of a state's text.
func beginningOf(s address.State) string { return exhibit.Beginning(s.Text) }

// Strip is the token strip: what can be hidden or shown has a button, which belongs to
// the last token of its word.
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
		if c.Kind == engine.CutWord && c.Col <= len(views) {
			views[c.Col-1].Cut = true
		}
	}
	for i := range r.Segments {
		views[i].Segment = [...]string{"A", "B"}[r.Segments[i]]
		views[i].Begins = i == 0 || r.Segments[i] != r.Segments[i-1]
	}
	return views
}

// Hint says what can be done with the strip, or how it is to be read.
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

// TopShown is how many words a card lists for each place.
const TopShown = 5

// predictions are what a mechanism's model expects of the page's text. The word that is
// really there is marked: the hidden one, where the address knows it, or the next.
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

// ownTokens are those of a mechanism whose model cuts the text otherwise than the page does.
func (p *View) ownTokens(m *engine.Result) (own components.OwnTokens) {
	spans := p.Sel.Report.Aligned(m)
	if spans == nil {
		return own
	}
	own.Chips, own.Words = Tokens(m.Tokens), tokenizer.Labels(m.Tokens)
	for _, s := range spans {
		own.Spans = append(own.Spans, [2]int{s.First, s.Last})
	}
	return own
}

// alignedNote says on a card that its tokens are not those of the page.
func (p *View) alignedNote(m *engine.Result) messages.Message {
	if p.Sel.Report.Aligned(m) == nil {
		return messages.Message{}
	}
	return messages.New("guest.aligned", "own", len(m.Tokens), "page", len(p.Sel.Report.Tokens))
}

// hidden are the pieces behind masks, by the number of their token in a list, which may be another model's.
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

// hiddenWord says where the hidden word is among the likeliest.
func (p *View) hiddenWord(words []predict.Word, piece string) string {
	label := tokenizer.PieceLabel(piece)
	for i, w := range words {
		if w.Piece == piece {
			return p.T("prediction.hidden", "word", label, "number", i+1, "p", messages.Number(w.P))
		}
	}
	return p.T("prediction.hidden-unlikely", "word", label, "words", len(words))
}

// WordProbs are words with bars; the one that is right is marked.
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
