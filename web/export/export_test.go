package export

// What the tests of the package see besides.
var Pixels = pixels
