// Package exhibit decides which map of a report is shown, how it is normalised and which words describe it. Pages,
// figures, the API, the browser's data and the command line encode what it returns.
//
// A Selection belongs to one request: it finds each map once and normalises it once. An Exhibit is one map of one
// head and one plane, with its cells, axes, legend, names, facts and provenance. All texts for people are
// messages, which the encoder of an exhibit writes in a language.
//
// # Which head
//
// A card shows the head that a Choice names for this card, or else the head that it names for all. Auto is the
// default in addresses. It stands for the most distinctive head of each layer: the head whose map changes most
// when the words of a text are reversed (metrics.Dependence). If no head depends on the words, it is the head
// whose rows differ most in which other word they attend to (metrics.Sharpness). The engine measures this once for
// each model, on ordinary sentences. Therefore the same head is shown for every text, and also while a text is
// typed, masked or compared.
//
// # Which normalisations mean something
//
// A share (a probability, a weight) can be compared with the share of uniform attention (uniform) and has orders
// of magnitude below 1 (log). A length, a count, a class and an influence are not shares. The normalisations log,
// uniform and absolute are not defined for them. Their maps are scaled to their largest value instead, and the
// legend says so. Shared is the largest value of the maps of the same unit on screen: the main map and the strips
// of each card.
//
// # Which cells are excluded
//
// A Filter excludes cells from the drawing and from the colour range (filter.go defines sinks). It applies to
// amounts that words get from words: probabilities, weights, lengths, influence. The values stay the same. The
// legend counts the excluded cells.
package exhibit
