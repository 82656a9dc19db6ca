package components

// Measuring is a page that measures the influence map of one card, with its place in the order of
// cost.
type Measuring struct {
	Together bool // it is a side of a comparison, and not shown alone
	URL      string
	Order    int // from 1
}

// SlowMeasurements is a link to the page with all slow measurements, or the reason why there is
// none.
type SlowMeasurements struct {
	Says string
	Link Link
}
