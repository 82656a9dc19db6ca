package components

// Background is what is known of a mechanism apart from any text: its costs,
// its source, its limits.
type Background struct {
	Cost   string  // in N, d, …, in the notation of package formula: "O(N²·d)"
	Counts []Count // parameters and operations
	Sizes  []Fact  // what the symbols of the counts' formulas are, besides N, d, H and L
	Paper  Citation
	Limits []string // which masks are refused, and why
	More   string   // address of the mechanism's page; empty on that page itself
}

// Count is an exact number with the formula that gives it.
type Count struct {
	Label   string // "parameters of one mixer"
	Formula string // "4d² + 4d"; may be empty
	Value   string // "66 048"
	Help    string // a sentence
}

// Citation is the source of a mechanism.
type Citation struct {
	Authors, Title string
	Venue          string // with the year: "NeurIPS 2017"
	Equations      string
	URL, URLLabel  string // of the paper, elsewhere: "arXiv:1706.03762"
	BibTeX         string
}

// after ends the sentence before the link, or goes on to it.
func (p Citation) after() string {
	if p.URL == "" {
		return "."
	}
	return ","
}
