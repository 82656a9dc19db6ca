package exhibit

import (
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/trace"
)

// A map has an attention sink at [CLS] and [SEP] if they get at least restingShare of the words' attention. They
// must also get restingTimes their share under uniform attention within reach: in a text of two words, they are
// half of the tokens.
const (
	restingShare = 0.4
	restingTimes = 2
)

// Resting returns the mean share of the words' rows that goes to [CLS] and [SEP]. It also reports whether they are
// an attention sink: columns that heads attend to when there is nothing to look for (Clark et al. 2019,
// arXiv:1906.04341, sec. 3.2; Xiao et al. 2023, arXiv:2309.17453). Only attention weights between words have a
// sink.
func (x *Exhibit) Resting() (share float64, rests bool) {
	if made, _ := method.Of(x.Map.Name); made != nil || x.rearranged || x.Map.Kind != trace.Probability || !ofWords(x.Map) {
		return 0, false
	}
	even, words := 0.0, 0
	for i, row := range x.tokens() {
		if row.IsBoundary() {
			continue
		}
		words++
		read, alike := x.marks(i)
		share, even = share+read, even+alike
	}
	share, even = share/float64(words), even/float64(words) // NaN without words, which is not at least anything
	return share, share >= max(restingShare, restingTimes*even)
}

// marks returns the share of a row that goes to [CLS] and [SEP], and their share under uniform attention within
// reach.
func (x *Exhibit) marks(row int) (share, alike float64) {
	reach, marks := 0, 0
	for j, t := range x.tokens() {
		if !x.Map.Reaches(row, j) {
			continue
		}
		reach++
		if t.IsBoundary() {
			marks++
			share += float64(x.Map.Value.At(row, j))
		}
	}
	return share, float64(marks) / float64(max(reach, 1))
}

// ofWords reports whether rows and columns are the words of the text.
func ofWords(t trace.Map) bool {
	return len(t.Axes) == 2 && t.Axes[0].Text && t.Axes[1].Text
}

// RestingNote describes the attention sink of a card's main map. It is zero if there is none.
func (c *Card) RestingNote() messages.Message {
	share, rests := c.Main.Resting()
	if !rests {
		return messages.Message{}
	}
	return messages.New("note.resting", "share", messages.Percent(share))
}
