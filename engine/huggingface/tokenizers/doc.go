// Package tokenizers opens the tokenizer of a model of the transformers library and encodes texts as the library's
// own package of that name does (tokenizers 0.23.3): the same ids, and for every token the bytes of the original
// text that it stands for.
//
// The parts have the names and the order of tokenizer.json. A text is split at the added tokens that are not
// normalized; what lies between is rewritten by the normalizer, split at the other added tokens, then by the
// pre-tokenizer into words, of which the model makes tokens; the post-processor adds tokens around them. Every
// kind of part has a table from its "type" to its constructor. A type, a field or a regular expression that the
// package does not know is refused with its name, as it could change the tokens.
//
// A text knows through all steps which bytes of the original each of its bytes stands for. Where the library
// departs from Unicode, SentencePiece or BERT, so does the package: it follows the library's tables of characters
// (unicode.txt), its normalization forms of Unicode 9, and what it does with graphemes.
//
// Regular expressions are not run: scanners written by hand find what their alternatives find (alternatives.go),
// because Go's regexp has no look-ahead.
package tokenizers
