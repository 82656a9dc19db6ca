package tokenizers

import (
	"unicode/utf8"

	"attnatlas/engine/messages"
)

// wordPiece takes the longest entry at the beginning of a word, then the longest at the beginning
// of the rest, and so on (Wu et al. 2016). Entries that continue a word begin with a prefix.
type wordPiece struct {
	*vocabulary
	entries   *trie
	first     uint32 // root of entries that begin a word
	inside    uint32 // root of entries that continue a word
	continues bool   // such entries exist
	unknown   int32
	longest   int // longest word in characters; longer words are unknown
}

// newWordPiece reads a WordPiece.
func newWordPiece(o *object) model {
	v := o.vocabulary()
	unknown := o.needed(v, "unk_token", o.text("unk_token", "[UNK]"))
	prefix := o.text("continuing_subword_prefix", "##")
	longest := o.count("max_input_chars_per_word", 100, mostEntries)
	w, err := wordPieceOf(v, prefix, unknown, longest)
	if err != nil {
		o.file.fail(err)
	}
	return w
}

// wordPieceOf builds the trie.
func wordPieceOf(v *vocabulary, prefix string, unknown int32, longest int) (*wordPiece, error) {
	w := &wordPiece{vocabulary: v, entries: newTrie(len(v.ids)), unknown: unknown, longest: longest}
	for entry, id := range v.ids {
		if !w.entries.add(entry, id) {
			return w, messages.Errorf("tokenizers.vocabulary", "most", mostNodes)
		}
	}
	w.inside, w.continues = w.entries.walk(prefix)
	return w, nil
}

func (w *wordPiece) tokenize(_ *scratch, out []piece, word string) ([]piece, error) {
	before, node := len(out), w.first
	if utf8.RuneCountInString(word) > w.longest {
		return append(out, piece{w.unknown, 0, int32(len(word)), ""}), nil
	}
	for i := 0; i < len(word); {
		id, size := w.entries.longest(node, word[i:])
		if id < 0 || i > 0 && !w.continues {
			return append(out[:before], piece{w.unknown, 0, int32(len(word)), ""}), nil
		}
		out = append(out, piece{id, int32(i), int32(i + size), ""})
		i, node = i+size, w.inside
	}
	return out, nil
}
