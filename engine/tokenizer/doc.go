// Package tokenizer splits a visitor's text into pieces of a vocabulary and joins them again. Each
// token has its position in the text.
//
// # Pieces
//
// A vocabulary is a list of pieces. The id of a piece is its index in the list. Every vocabulary
// has three layers, in this order:
//
//	0 … 4      [PAD] [UNK] [CLS] [SEP] [MASK]
//	5 … 260    <00> … <FF>, one piece for each byte
//	261 …      learned pieces: letters, punctuation, parts of words, words, Han characters
//
// A learned piece that begins a word is written as it is ("the"). A piece that continues a word
// begins with "##" ("##ing"). The letter a at the beginning of a word and the letter a inside a
// word are two pieces.
//
// # From text to pieces
//
// Encode reads the text once, from left to right:
//
//  1. Each character is folded: lower case, full-width forms to ASCII
//     ("Ａ" to "a", "，" to ","), curly quotes to straight ones. Folding maps
//     one character to one character, so a position in the folded text is a
//     position in the original text, even where the number of bytes differs:
//     the Kelvin sign has three bytes, the "k" it folds to has one.
//  2. White space separates and is dropped. The rest is split into pre-tokens:
//     one Han character, a run of other letters with the combining marks that
//     follow them, or a single character of any other kind (one digit, one
//     punctuation mark, one symbol).
//  3. Within a pre-token, the longest matching piece is taken, then the longest
//     continuation piece that matches after it, and so on (the WordPiece rule:
//     Wu et al. 2016, arXiv:1609.08144).
//  4. A character without a piece becomes its UTF-8 bytes, one piece each. So
//     does every byte that is not UTF-8. Encode therefore never emits [UNK]:
//     it can represent every string of bytes.
//
// The bytes of such a character are those of its folded form if it has as many bytes as the
// character itself, so that "Ж" and "ж" get the same pieces. Otherwise (ẞ, Ⱥ) they are the bytes of
// the text. In both cases the i-th byte piece covers exactly the i-th byte of the character in the
// text.
//
// The six characters [MASK] in a text represent the mask token, so that a visitor can mask a word
// on the page. No other special token can be written.
//
// # Offsets
//
// Token.Start and Token.End are byte offsets into the original text. Tokens are ordered and do not
// overlap. Together they cover every byte that is not white space. Token.Text is the visitor's own
// spelling. Only [CLS] and [SEP], which Encode adds, are empty.
//
// # Learning a vocabulary
//
// TrainFiles counts the words of a corpus and repeatedly joins the most frequent pair of
// neighbouring pieces (byte-pair encoding, Sennrich et al. 2016, arXiv:1508.07909). Pairs never
// cross the border of a pre-token. Training is deterministic: the same corpus and options give the
// same file, byte for byte. Recipe returns the corpus and the options of the bundled vocabulary,
// which Default returns. VOCAB.md describes its origin.
//
// # Differences from the usual BERT pipeline
//
//   - Unknown characters become bytes, never [UNK]. The rest of the word keeps its pieces.
//   - Each digit is a token, and accents are kept.
//   - Lower-casing is one to one: İ becomes i, without the extra dot of the
//     full Unicode mapping. No normal form is applied, so a letter and a
//     combining accent stay two characters.
package tokenizer
