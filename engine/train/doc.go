// Package train trains models. It reads text, makes batches, computes gradients and updates
// parameters with AdamW, until a budget is spent. A Plan describes which models to train and how; a
// Session trains several at a time.
//
// Every mechanism gets the same budget and, for the same seed, the same batches in the same order:
// batch i depends only on the seed and i. A run that was killed therefore continues exactly from
// its last saved state.
//
// One model learns three objectives in turn: masked words (all texts), the topic of a request, and
// the sentiment of a sentence. The two classifiers read only the first position, so every mechanism
// has to carry the deciding words there through its attention.
//
// Stacks learn the objectives of their papers: BERT masked words and whether one text follows
// another, ALBERT masked words and the order of two texts, GPT-2 the next word. A Run accepts any
// Subject and Schedule, so models other than encoders train in the same way.
package train
