package tokenizers

// wordLevel has an entry for every known word.
type wordLevel struct {
	*vocabulary
	unknown string
}

// newWordLevel reads a WordLevel.
func newWordLevel(o *object) model {
	v := o.vocabulary()
	return &wordLevel{v, o.text("unk_token", "<unk>")}
}

func (w *wordLevel) tokenize(_ *scratch, out []piece, word string) ([]piece, error) {
	id, ok := w.ids[word]
	if !ok {
		if id, ok = w.ids[w.unknown]; !ok {
			return out, unknownWord(word, "unk_token")
		}
	}
	return append(out, piece{id, 0, int32(len(word)), ""}), nil
}
