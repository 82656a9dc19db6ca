package components

// Measuring is a page on which the influence of one card is measured, and its place in the order of cost.
type Measuring struct {
	Together bool // it is a side of a comparison, which is not shown alone
	URL      string
	Order    int // from 1
}

// SlowMeasurements leads to the page with all that takes long, or says why there is none: without a link.
type SlowMeasurements struct {
	Says string
	Link Link
}
