// Package exhibit is where it is decided which map of a report is shown, how it is
// normalised and what it says of itself. Pages, figures, the API, the browser's data and
// the command line are encoders of what it returns.
//
// A Selection belongs to one request: it finds each map once and normalises it once. An
// Exhibit is one map of it, of one head and one plane, with its cells, axes, legend,
// names, facts and provenance. What people read is messages; whoever encodes an exhibit
// says them in a language.
//
// # Which normalisations mean something
//
// A share (a probability, a weight) can be compared with the share that it would have if
// all were read alike (uniform) and has orders of magnitude below 1 (log). A length, a
// count, a class and an influence are no shares: log, uniform and absolute have no meaning
// for them, and the map is scaled to its largest value instead, which its legend says.
// Shared is the largest value of the maps of the same unit that are on screen: the main
// map and the strips of each card.
package exhibit
