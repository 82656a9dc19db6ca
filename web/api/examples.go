package api

// Examples is the answer of /api/v1/examples.
type Examples struct {
	Version  int       `json:"version" doc:"1"`
	Examples []Example `json:"examples" doc:"In the order of the gallery"`
}

// Example is a complete state of the wall, and what its sentence says there.
type Example struct {
	ID       string         `json:"id"`
	Group    string         `json:"group" doc:"The phenomenon that it is an example of"`
	Title    string         `json:"title"`
	Text     string         `json:"text"`
	Other    string         `json:"other,omitempty" doc:"The second text, with which the first is compared"`
	URL      string         `json:"url" doc:"The address of the wall in this state, absolute"`
	Sentence string         `json:"sentence,omitempty" doc:"What to look at, with the numbers that are measured now; left out where they could not be"`
	Holds    bool           `json:"holds" doc:"Every number is between the bounds within which the sentence is true"`
	Claims   []ExampleClaim `json:"claims" doc:"The numbers of the sentence"`
}

// ExampleClaim is a number that a sentence says.
type ExampleClaim struct {
	Name      string   `json:"name"`
	Mechanism string   `json:"mechanism"`
	Map       string   `json:"map,omitempty" doc:"Left out: the main map"`
	Layer     int      `json:"layer" doc:"From 1"`
	Head      int      `json:"head" doc:"From 1; 0 is the mean"`
	Measure   string   `json:"measure" doc:"What is counted"`
	Row       string   `json:"row,omitempty" doc:"A word"`
	Col       string   `json:"col,omitempty" doc:"A word"`
	Least     float64  `json:"least" doc:"The least number with which the sentence is true"`
	Most      float64  `json:"most" doc:"The largest"`
	Value     *float64 `json:"value" doc:"As it is measured now; null where it could not be"`
}
