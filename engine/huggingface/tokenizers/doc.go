// Package tokenizers opens the tokenizer of a transformers model and encodes texts like the
// library's package of that name (tokenizers 0.23.3). It returns the same ids, and for every token
// its bytes in the original text.
//
// The parts have the names and the order of tokenizer.json. A text is first split at the added
// tokens that are not normalized. The normalizer rewrites the rest, which is then split at the
// other added tokens, and into words by the pre-tokenizer. The model converts words to tokens, and
// the post-processor adds tokens around them. Every kind of part has a table from its "type" to its
// constructor. An unknown type, field or regular expression is rejected with its name, because it
// could change the tokens.
//
// Through all steps, each byte of a text keeps its bytes in the original. Where the library
// deviates from Unicode, SentencePiece or BERT, so does the package: it uses the library's
// character tables (unicode.txt), its normalization forms of Unicode 9, and its treatment of
// graphemes.
//
// Regular expressions are not executed. Hand-written scanners find the matches of their
// alternatives (alternatives.go), because Go's regexp has no look-ahead.
package tokenizers
