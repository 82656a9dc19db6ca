// Package exhibit is where it is decided which map of a report is shown, how it is
// normalised and what it says of itself. Pages, figures, the API, the browser's data and
// the command line are encoders of what it returns.
//
// A Selection belongs to one request: it finds each map once and normalises it once. An
// Exhibit is one map of it, of one head and one plane, with its cells, axes, legend,
// names, facts and provenance. What people read is messages; whoever encodes an exhibit
// says them in a language.
//
// # Which head
//
// A card shows the head of its own that a Choice names for it, else the one that is named for
// all. Auto, which addresses mean that name none, is of each layer its most distinctive
// head: whose map changes most when the words of a text are reversed (metrics.Dependence) or,
// where no head depends on the words, whose rows differ most in which other word they read
// (metrics.Sharpness). The engine measures it once for each model, on ordinary sentences, so
// that the same head is shown whatever the text is, also while it is typed, hidden or compared
// with another.
//
// # Which normalisations mean something
//
// A share (a probability, a weight) can be compared with the share that it would have if
// all were read alike (uniform) and has orders of magnitude below 1 (log). A length, a
// count, a class and an influence are no shares: log, uniform and absolute have no meaning
// for them, and the map is scaled to its largest value instead, which its legend says.
// Shared is the largest value of the maps of the same unit that are on screen: the main
// map and the strips of each card.
//
// # What is set aside
//
// A Filter (filter.go says what a sink is) takes cells out of sight and out of the scale; it
// means something for amounts of what words read of words: probabilities, weights, lengths,
// influence. Numbers are never normalised anew. The legend counts what is set aside.
package exhibit
