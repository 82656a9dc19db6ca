// Package tokenizer turns a visitor's text into vocabulary pieces and back,
// and never loses sight of where in the text a piece came from.
//
// # Pieces
//
// A vocabulary is a list of pieces; the id of a piece is its place in the list.
// Three layers are always there, in this order:
//
//	0 … 4      [PAD] [UNK] [CLS] [SEP] [MASK]
//	5 … 260    <00> … <FF>, one piece for each byte
//	261 …      what was learned: letters, punctuation, parts of words, words, Han characters
//
// A learned piece that begins a word is written as it is ("the"); one that
// continues a word carries "##" ("##ing"). The letter a at the beginning of a
// word and the letter a inside one are two pieces.
//
// # From text to pieces
//
// Encode reads the text once, from left to right:
//
//  1. Each character is folded: lower case, full-width forms to ASCII
//     ("Ａ" to "a", "，" to ","), curly quotes to straight ones. Folding maps
//     one character to one character, so a position in the folded text is a
//     position in the text as sent, even where the number of bytes differs:
//     the Kelvin sign has three bytes, the "k" it folds to has one.
//  2. White space separates and is dropped. What remains falls into pre-tokens:
//     one Han character, a run of other letters with the combining marks that
//     follow them, or a single character of any other sort: one digit, one
//     punctuation mark, one symbol.
//  3. Within a pre-token the longest piece that fits is taken, then the longest
//     continuation piece that fits behind it, and so on (the WordPiece rule:
//     Wu et al. 2016, arXiv:1609.08144).
//  4. A character for which there is no piece becomes its UTF-8 bytes, one
//     piece each. So does every byte that is not UTF-8 at all. Encode therefore
//     never emits [UNK]: every string of bytes can be represented.
//
// The bytes of such a character are those of its folded form when that has as
// many bytes as the character itself, so that "Ж" and "ж" get the same pieces;
// otherwise (ẞ, Ⱥ) they are the bytes as sent. In both cases the i-th byte piece
// covers exactly the i-th byte of the character in the text.
//
// The six characters [MASK] in a text are the mask, because the page lets a
// visitor mask a word by writing that. No other special piece can be written.
//
// # Offsets
//
// Token.Start and Token.End are byte offsets into the text as sent. Tokens are
// ordered, do not overlap and together cover every byte that is not white
// space; Token.Text is the visitor's own spelling. Only [CLS] and [SEP], which
// Encode adds, are empty.
//
// # Learning a vocabulary
//
// TrainFiles counts the words of a corpus and joins, again and again, the pair of
// neighbouring pieces that occurs most often (byte-pair encoding, Sennrich et
// al. 2016, arXiv:1508.07909). Pairs never cross the border of a pre-token. It
// is deterministic: the same corpus and options give the same file, byte for
// byte. Recipe names the corpus and the options of the vocabulary that is
// embedded here, which Default returns; VOCAB.md tells where it comes from.
//
// # Differences from the usual BERT pipeline
//
//   - Unknown characters become bytes, never [UNK], and one of them does not
//     spoil the rest of its word.
//   - Digits stand alone, accents are kept.
//   - Lower-casing is one to one: İ becomes i, without the extra dot that the
//     Unicode full mapping puts behind it, and no normal form is applied, so a
//     letter and a combining accent stay two characters.
package tokenizer
