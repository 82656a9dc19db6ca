// Package results holds the measured results of a set of models, from viz evaluate or from the
// model files. The file results.json next to the weights, the page /results, GET /api/v1/results
// and the tables of README.md and docs/models.md show the same Results.
//
// A loss is in nats (natural logarithms): the mean of −ln p over the masked tokens, where p is the
// probability that the model gave to the right token. A score is an accuracy from 0 to 1. Work is
// in multiplications and additions (train.Work).
//
// papers.toml has figures and claims of papers that compare the same mechanisms, with their
// sources. Compare compares them with Results.
package results
