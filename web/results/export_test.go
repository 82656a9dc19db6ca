package results

// Identifiers for the tests of the package.
var LossChart = lossChart
