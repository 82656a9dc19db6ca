package headstats

// What the tests of models use.
var (
	Sentences  = sentences
	Reversed   = reversed
	Dependence = dependence
	Sum        = sum
)
