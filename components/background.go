package components

// Background is the information on a mechanism that does not depend on the text: its costs, its
// source, its limits.
type Background struct {
	Cost   string  // in N, d, …, in the notation of package formula: "O(N²·d)"
	Counts []Count // parameters and operations
	Sizes  []Fact  // meanings of symbols in the formulas, except N, d, H and L
	Paper  Citation
	Limits []string // which masks are not supported, and why
	More   string   // URL of the mechanism's page; empty on that page
}

// Count is an exact number with the formula that gives it.
type Count struct {
	Label   string // "parameters of one mixer"
	Formula string // "4d² + 4d"; can be empty
	Value   string // "66 048"
	Help    string // a sentence
}

// Citation is the source of a mechanism.
type Citation struct {
	Authors, Title string
	Venue          string // with the year: "NeurIPS 2017"
	Equations      string
	URL, URLLabel  string // of the paper: "arXiv:1706.03762"
	BibTeX         string
}

// after returns the punctuation before the link, or at the end without a link.
func (p Citation) after() string {
	if p.URL == "" {
		return "."
	}
	return ","
}
