// Package results has what was measured of a set of models: by viz evaluate from data and
// weights, or as the models' files tell it. The file results.json beside the weights, the page
// /results, GET /api/v1/results and the tables of README.md and docs/models.md are the same Results.
//
// A loss is in nats, natural logarithms: the mean of −ln p over the words that were hidden,
// where p is the probability that the model gave to the right word piece. A score is a share
// of right answers, from 0 to 1. Work is in multiplications and additions (train.Work).
//
// papers.toml has figures of papers that compare the same mechanisms, with where they were
// found, and what the papers claim; Compare holds them against Results.
package results
