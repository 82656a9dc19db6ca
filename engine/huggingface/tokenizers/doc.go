// Package tokenizers opens the tokenizer of a model of the transformers library and encodes texts as the
// library's own package of that name does (tokenizers 0.23.3): the same ids, and for every token the bytes of the
// original text that it stands for.
package tokenizers
