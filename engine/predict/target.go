package predict

import (
	"slices"

	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Target says how the decoder of another program’s model begins and ends its text.
type Target struct {
	Start  int   // id of the token that it begins with
	Forced int   // id of the first token that it writes; -1: any
	Stops  []int // ids that end its text
	Never  []int // ids that it never writes
}

// Write lets a decoder write greedily, and returns the written ids. It ends with one of Stops, or after most ids. renew
// prepares the pass before each token, and ends the writing with its error.
func (t Target) Write(p *nn.Pass, reader TokenReader, most int, renew func() error) (written []int, err error) {
	for next := t.Start; ; {
		if err := renew(); err != nil {
			return nil, err
		}
		next = t.choose(reader.Read(p, next).Value.Sub(0), len(written))
		written = append(written, next)
		if slices.Contains(t.Stops, next) || len(written) >= most {
			return written, nil
		}
	}
}

// choose returns the most probable token after this number of written ones, given the scores [V].
func (t Target) choose(scores *tensor.T, written int) int {
	if written == 0 && t.Forced >= 0 {
		return t.Forced
	}
	t.forbid(scores)
	return Likeliest(scores.Data, 1)[0]
}

// forbid gives the lowest score to tokens that are never written.
func (t Target) forbid(scores *tensor.T) {
	for _, id := range t.Never {
		if id < scores.Len() {
			scores.Data[id] = nn.Masked
		}
	}
}

// Over returns the Writer of the decoder. It spells as w does, and ends and omits tokens as the target says.
func (t Target) Over(w Writer) Writer { return decoding{w, t} }

// decoding spells as text does. Its ends and its special tokens are those of the target.
type decoding struct {
	text Writer
	Target
}

func (d decoding) Decode(ids []int) string { return d.text.Decode(ids) }
func (d decoding) Ends() []int             { return d.Stops }
func (d decoding) Specials() []int         { return d.Never }
