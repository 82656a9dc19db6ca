package exhibit

import (
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/trace"
)

// A map rests on [CLS] and [SEP] if they get at least restingShare of what words read, and
// restingTimes as much as if all that is in reach were read alike: of a text of two words
// they are half.
const (
	restingShare = 0.4
	restingTimes = 2
)

// Resting is the mean share of the words' rows that goes to [CLS] and [SEP], and says
// whether they are a resting place of the map: places that heads read when there is nothing
// to look for (Clark et al. 2019, arXiv:1906.04341, sec. 3.2; Xiao et al. 2023,
// arXiv:2309.17453). Only weights of words and words have one.
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
	share, even = share/float64(words), even/float64(words) // of no words NaN, which is no less than anything
	return share, share >= max(restingShare, restingTimes*even)
}

// marks is the share of a row that goes to [CLS] and [SEP], and the share that would if it
// read all in its reach alike.
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

// ofWords says that rows and columns are the words of the text.
func ofWords(t trace.Map) bool {
	return len(t.Axes) == 2 && t.Axes[0].Text && t.Axes[1].Text
}

// RestingNote says what the resting place of a card's main map is; zero where it has none.
func (c *Card) RestingNote() messages.Message {
	share, rests := c.Main.Resting()
	if !rests {
		return messages.Message{}
	}
	return messages.New("note.resting", "share", messages.Percent(share))
}
