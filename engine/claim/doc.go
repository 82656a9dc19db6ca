// Package claim measures what a sentence says of a map, so that the sentence can be data: which
// map of which model, which words of it, what is counted, and between which bounds the number
// must be. Pages fill sentences with the numbers as they are measured, a test holds them against
// the bounds, and viz find looks for the heads of which something can be said.
//
// Words are named by their labels, as a page shows them: "said" is every said of the text,
// "said.2" the second one, "*" every token that is neither [CLS] nor [SEP], and several stand
// one after the other with a blank between them.
package claim
