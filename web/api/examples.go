package api

// Examples is the response of /api/v1/examples.
type Examples struct {
	Version  int       `json:"version" doc:"1"`
	Examples []Example `json:"examples" doc:"In the order of the gallery"`
}

// Example is a complete state of the main view, with the sentence for it.
type Example struct {
	ID       string         `json:"id"`
	Group    string         `json:"group" doc:"The phenomenon of the example"`
	Title    string         `json:"title"`
	Text     string         `json:"text"`
	Other    string         `json:"other,omitempty" doc:"The second text, with which the first is compared"`
	URL      string         `json:"url" doc:"The absolute address of the page in this state"`
	Sentence string         `json:"sentence,omitempty" doc:"What to look at, with numbers measured now; absent if they cannot be measured"`
	Holds    bool           `json:"holds" doc:"Every number is between the bounds within which the sentence is true"`
	Claims   []ExampleClaim `json:"claims" doc:"The numbers of the sentence"`
}

// ExampleClaim is a number in a sentence.
type ExampleClaim struct {
	Name      string   `json:"name"`
	Mechanism string   `json:"mechanism"`
	Map       string   `json:"map,omitempty" doc:"Default: the main map"`
	Layer     int      `json:"layer" doc:"From 1"`
	Head      int      `json:"head" doc:"From 1; 0 is the mean"`
	Measure   string   `json:"measure" doc:"The counted quantity"`
	Text      string   `json:"text,omitempty" doc:"The measured text, where it is not the example’s text: the same with words moved or replaced"`
	Row       string   `json:"row,omitempty" doc:"A word"`
	Col       string   `json:"col,omitempty" doc:"A word"`
	Least     float64  `json:"least" doc:"The least number with which the sentence is true"`
	Most      float64  `json:"most" doc:"The largest"`
	Value     *float64 `json:"value" doc:"Measured now; null where it cannot be measured"`
}
