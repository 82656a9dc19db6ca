// Package figure draws a trace.Map in one of three ways: as a figure with axes, lettering, colour
// bar and legend (PNG, SVG, PDF), as the cells alone (Bare), or as numbers (CSV, NPY, JSON). It
// also holds the parts that other drawings of the same map must share with it: the colour tables
// and the rule that turns a value into a colour.
//
// # From axes to form
//
// LayoutOf decides from the roles of a map's axes and its kind how the map is drawn. Pages use it,
// too. For two axes:
//
//	[query, key]                          Heatmap; of classes Pattern
//	[round, token], [round, slot]         of classes Buckets and Order: words by bucket
//	[stage, slot]                         of classes Wiring: a butterfly
//	[head, …], [round, …], [stage, …], …  Strips: rows of cells over the same positions
//	any other pair                        Rectangle
//
// One axis gives a Strip. Three axes give a stack of planes of the last two, if the first axis is a
// round, a stage or another repetition. A figure shows one plane.
//
// # From value to colour
//
// The value v of a cell in row r of a map with n columns becomes an index i into a Table of 256
// colours. All numbers are IEEE double precision; a float32 value is widened first. The browser
// draws the indices that are computed here.
//
// First comes the class. A cell that was not computed is Missing. A cell outside the mask or the
// mechanism's pattern is Forbidden. NaN and ±Inf are Bad. A cell that a filter excludes is Aside. A
// cell that was ablated in the forward pass is Cut. These five have no index. An exact 0 is Zero
// and has an index like any other value.
//
// Then the scale is measured over the cells that are not Missing, Forbidden, Cut, Bad or Aside (Bad
// and Aside cells count as allowed):
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
// In log and uniform, v ≤ 0 has t = 0. A top of 0 (all values are zero) counts as v = 0, top = 1.
// Signed data under log or uniform are normalised per map.
//
// Then the index. The small addend puts values exactly on a boundary on the same side, whatever the
// last bit of a logarithm:
//
//	i = floor(t·256 + 1e-9), limited to 0…255
//
// A Value whose index is 0 is called Tiny: it is more than 0. (This does not apply to signed data,
// where 0 is in the middle.)
//
// Whole numbers that name classes (trace.Category) skip all these steps:
//
//	i = 32·(v mod 8) + 16                         negative v are Missing
//
// Where classes have names, a class without a name is Forbidden: the cell is empty. The values of
// an Order are tokens, and v is the class of the token in the same row of By.
//
// Signed data and the uniform normalisation use the Diverging table, classes use the Categorical
// table, and everything else uses the chosen Palette. Grid carries indices, classes and the
// measured Scale, so that another program can draw the same picture or check its own.
//
// # Seven kinds of empty cells
//
// Forbidden cells show the paper under a sparse 45° hatch, Aside cells under the opposite hatch,
// Cut cells under upright lines, and Missing cells under a cross hatch. Exact zeros have the lowest
// colour, with a dot in cells of 12 pixels or more. Tiny cells have the lowest colour. Bad cells
// are magenta with a ✕. The legend names the kinds that occur.
//
// # Exactness
//
// Cells are whole pixels. An image is painted nearest-neighbour at an integer scale on integer
// coordinates, so a cell is a solid block of one table entry. gonum/plot draws the axes and labels
// around the cells. Row 0 is on top. The same Spec gives the same bytes.
package figure
