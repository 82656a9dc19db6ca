package results

// What the tests of the package see besides.
var LossChart = lossChart
