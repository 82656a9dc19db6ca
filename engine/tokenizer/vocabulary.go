package tokenizer

import (
	"fmt"
	"strings"
)

// Ids of the special pieces. They are the same in every vocabulary.
const (
	padID = iota
	unkID
	clsID
	sepID
	maskID
)

const (
	// FirstByte is the id of the piece <00>. The piece of byte b has the id FirstByte + b.
	FirstByte = 5
	// FirstLearned is the id of the first piece that was learned from text.
	// A random replacement for a masked word is drawn from [FirstLearned, Size()).
	FirstLearned = FirstByte + 256
)

// continuation marks a piece that does not begin a word.
const continuation = "##"

var specials = [FirstByte]string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}

// Vocabulary is an immutable list of pieces. It is safe for concurrent use. TrainFiles makes one;
// Default returns the vocabulary of the bundled models.
type Vocabulary struct {
	pieces []string
	ids    map[string]int
	trie   trie
}

// newVocabulary makes a vocabulary from the complete list of pieces: special tokens, bytes, and
// learned pieces without repetition. checkLearned must accept the learned pieces.
func newVocabulary(pieces []string) *Vocabulary {
	v := &Vocabulary{pieces: pieces, ids: make(map[string]int, len(pieces)), trie: newTrie()}
	for id, p := range pieces {
		v.ids[p] = id
		if id < FirstLearned {
			continue
		}
		if rest, ok := cutContinuation(p); ok {
			v.trie.add(insideRoot, rest, id)
		} else {
			v.trie.add(initialRoot, p, id)
		}
	}
	return v
}

// cutContinuation removes the ## of a continuation piece. A lone "#" is a
// punctuation mark.
func cutContinuation(piece string) (rest string, ok bool) {
	return strings.CutPrefix(piece, continuation)
}

// bytePiece returns the spelling of a byte in the vocabulary: <E7>.
func bytePiece(b int) string { return fmt.Sprintf("<%02X>", b) }

// Size returns the number of pieces, which is the number of rows of an embedding table.
func (v *Vocabulary) Size() int { return len(v.pieces) }

// Piece returns the spelling of a piece. It panics if id is outside [0, Size()).
func (v *Vocabulary) Piece(id int) string {
	if id < 0 || id >= len(v.pieces) {
		panic(fmt.Sprintf("tokenizer: piece %d of a vocabulary of %d", id, len(v.pieces)))
	}
	return v.pieces[id]
}

// ID returns the id of a piece by its exact spelling: "the", "##ing", "[MASK]", "<E7>".
func (v *Vocabulary) ID(piece string) (id int, ok bool) {
	id, ok = v.ids[piece]
	return id, ok
}

// PAD returns the id of [PAD], the padding.
func (v *Vocabulary) PAD() int { return padID }

// UNK returns the id of [UNK], the unknown piece, which Encode never emits.
func (v *Vocabulary) UNK() int { return unkID }

// CLS returns the id of [CLS], which begins every encoded text.
func (v *Vocabulary) CLS() int { return clsID }

// SEP returns the id of [SEP], which ends every encoded text.
func (v *Vocabulary) SEP() int { return sepID }

// MASK returns the id of [MASK], which replaces a word that the model must predict.
func (v *Vocabulary) MASK() int { return maskID }

// IsSpecial reports whether id is one of [PAD] [UNK] [CLS] [SEP] [MASK].
func (v *Vocabulary) IsSpecial(id int) bool { return id >= 0 && id < FirstByte }

// IsByte reports whether id represents a single byte.
func (v *Vocabulary) IsByte(id int) bool { return id >= FirstByte && id < FirstLearned }

// IsContinuation reports whether the piece continues the one before it: a "##" piece, or a byte
// that only occurs inside a UTF-8 sequence (80 … BF).
func (v *Vocabulary) IsContinuation(id int) bool {
	if v.IsByte(id) {
		return (id-FirstByte)&0xC0 == 0x80
	}
	return strings.HasPrefix(v.Piece(id), continuation)
}

// IsWordStart reports whether a word can begin with this piece. Whole-word masking masks from one
// word start up to the next. A leading byte counts as a start even if it spells a rare letter
// inside a word, because the piece alone does not show it.
func (v *Vocabulary) IsWordStart(id int) bool {
	return !v.IsSpecial(id) && !v.IsContinuation(id)
}
