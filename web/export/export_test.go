package export

// Exports for the tests of the package.
var Pixels = pixels
