// Package figure draws a trace.Map: as a figure with axes, lettering, colour bar and legend (PNG, SVG, PDF), as nothing
// but its cells (Bare), or as its numbers (CSV, NPY, JSON). It also owns what other drawings of the same map must share
// with it: the colour tables and the rule by which a value becomes a colour.
//
// # From axes to form
//
// LayoutOf decides by the roles of a map's axes and its kind how it is drawn; pages ask it
// too. Of two axes:
//
//	[query, key]                          Heatmap; of classes Pattern
//	[round, token], [round, slot]         of classes Buckets and Order: words by bucket
//	[stage, slot]                         of classes Wiring: a butterfly
//	[head, …], [round, …], [stage, …], …  Strips: rows of cells over the same positions
//	any other pair                        Rectangle
//
// One axis is a Strip. Three are a stack of planes of the last two, if the first is a
// round, a stage or something else that happens again; a figure shows one plane.
//
// # From value to colour
//
// A cell's value v, in row r of a map with n columns, becomes an index i into
// a Table of 256 colours. All numbers are IEEE double precision, a float32
// value is widened first. The browser draws the indices that are found here.
//
// First the class. A cell that was not computed is Missing; one that the mask or the mechanism's pattern forbids is
// Forbidden; NaN and ±Inf are Bad; one that a filter sets aside is Aside; one that was left out of the forward pass is
// Cut; these five have no index. An exact 0 is Zero and has one like any other value.
//
// Then the scale is measured over the cells that are neither Missing,
// Forbidden, Cut, Bad nor Aside (Bad and Aside cells count as allowed):
//
//	max       largest |v| of the map
//	rowMax[r] largest |v| of row r
//	keys[r]   number of cells of row r that are neither Missing, Forbidden nor Cut
//	signed    the kind is activation, or some v < 0
//
// Then the place t on the scale:
//
//	absolute  t = v
//	map       t = v / max
//	row       t = v / rowMax[r]
//	shared    t = v / (the maximum that the request gives)
//	log       t = ln(v·1000·n) / ln(1000·n)       v = 1/(1000·n) is 0, v = 1 is 1
//	uniform   t = 0.5 + log₂(v·keys[r]) / 8       v = 1/keys[r] is the middle
//	signed    t = 0.5 + 0.5·(v/top)               top = 1, max, rowMax[r] or shared
//
// In log and uniform, v ≤ 0 has t = 0. A top of 0 (nothing but zeros) counts
// as v = 0, top = 1. Signed data under log or uniform are normalised per map.
//
// Then the index, where the small addend makes values that stand exactly on a
// boundary fall on the same side whatever the last bit of a logarithm:
//
//	i = floor(t·256 + 1e-9), cut to 0…255
//
// A Value whose index is 0 is called Tiny: it is more than nothing. (Not in
// signed data, where 0 is in the middle.)
//
// Whole numbers that name classes (trace.Category) skip all this:
//
//	i = 32·(v mod 8) + 16                         negative v are Missing
//
// Where classes have names, one without a name is Forbidden: nothing is there. The
// values of an Order are tokens, and v is the class of the token in the same row of By.
//
// Signed data and the uniform normalisation are drawn with the Diverging table,
// classes with the Categorical one, everything else with the chosen Palette.
// Grid carries indices, classes and the measured Scale, so that another
// program can draw the same picture or check that it does.
//
// # Seven kinds of nothing
//
// Forbidden cells show the paper under a sparse 45° hatch, those set aside under one the other way, cut ones upright
// lines, Missing ones a cross hatch, exact zeros the lowest colour with a dot when cells are 12 pixels or more, Tiny
// ones the lowest colour, Bad ones magenta with a ✕. The legend names those that occur.
//
// # Exactness
//
// Cells are whole pixels: an image is painted nearest-neighbour at an integer
// scale on integer coordinates, so a cell is a solid block of one table entry.
// gonum/plot draws what stands around it. Row 0 is on top. The same Spec gives
// the same bytes.
package figure
