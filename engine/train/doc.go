// Package train trains models: it reads text, makes batches, computes gradients and
// updates parameters by AdamW, until a budget is spent. A Plan says which models and
// how, a Session trains several at a time.
//
// Every mechanism gets the same budget and, for the same seed, the same
// batches in the same order: batch i is a function of the seed and i alone. A
// run that was killed therefore goes on exactly where its last saved state was.
//
// One model learns three objectives in turn: masked words (all texts), the topic of a
// request, and the sentiment of a sentence. The two classifiers read the first position
// only, so every mechanism has to carry the deciding words there through its attention.
//
// Stacks learn what their papers ask: BERT masked words and whether one text follows
// another, ALBERT masked words and the order of two texts, GPT-2 the next word. A
// Run takes any Subject and Schedule, so models that are no encoders train the same way.
package train
