// Package claim measures the statements that sentences make about maps. So a sentence can be data:
// a map of a model, some of its words, a measure, and bounds for the number. Pages fill sentences
// with the measured numbers, a test checks the bounds, and viz find searches for heads that fit a
// statement.
//
// Words are named by their labels on pages. "said" is every said of the text, "said.2" the second
// one, and "*" every token except [CLS] and [SEP]. A list of words is separated by spaces.
package claim
