// Package train moves parameters: it reads text, makes batches, runs the model
// forwards and backwards and lets AdamW take a step, until a budget is spent.
//
// Every mechanism gets the same budget and, for the same seed, the same
// batches in the same order: batch i is a function of the seed and i alone. A
// run that was killed therefore goes on exactly where its last saved state was.
//
// One model learns three objectives in turn: to guess masked words (all
// texts), the topic of a request, and the feeling of a sentence. The two
// classifiers read the first position only, so every mechanism has to carry
// the deciding words there through its attention.
//
// Stacks learn what their papers ask: BERT masked words and whether one text follows
// another, ALBERT masked words and the order of two texts, GPT-2 the next word. A
// Run takes any Subject and Course, so models that are no encoders train the same way.
package train
