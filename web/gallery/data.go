package gallery

// Examples is the response of /api/v1/examples.
type Examples struct {
	Version  int       `json:"version" doc:"Version of this format"`
	Examples []Example `json:"examples" doc:"Examples in the order of the gallery"`
}

// Example is a complete state of the main view, with the sentence for it.
type Example struct {
	ID       string         `json:"id" doc:"ID of the example"`
	Group    string         `json:"group" doc:"Gallery group of the example, named after its phenomenon"`
	Title    string         `json:"title" doc:"Title of the example"`
	Text     string         `json:"text" doc:"Text of the example"`
	Other    string         `json:"other,omitempty" doc:"Second text, for a comparison with the first"`
	URL      string         `json:"url" doc:"Absolute address of the page in this state"`
	Sentence string         `json:"sentence,omitempty" doc:"Sentence on what to look at, with numbers measured now; absent if they cannot be measured"`
	Holds    bool           `json:"holds" doc:"Whether every number is between the bounds within which the sentence is true"`
	Claims   []ExampleClaim `json:"claims" doc:"Numbers in the sentence"`
}

// ExampleClaim is a number in a sentence.
type ExampleClaim struct {
	Name      string   `json:"name" doc:"Name of the number in the sentence"`
	Mechanism string   `json:"mechanism" doc:"ID of the mechanism"`
	Map       string   `json:"map,omitempty" doc:"Name of the map; default: the main map"`
	Layer     int      `json:"layer" doc:"Number of the layer, from 1"`
	Head      int      `json:"head" doc:"Number of the head, from 1; 0 for the mean over heads"`
	Measure   string   `json:"measure" doc:"Measured quantity"`
	Text      string   `json:"text,omitempty" doc:"Measured text, if it differs from the example’s text: the same text with words moved or replaced"`
	Row       string   `json:"row,omitempty" doc:"Word of the row"`
	Col       string   `json:"col,omitempty" doc:"Word of the column"`
	Least     float64  `json:"least" doc:"Smallest value for which the sentence is true"`
	Most      float64  `json:"most" doc:"Largest value for which the sentence is true"`
	Value     *float64 `json:"value" doc:"Value measured now; null if it cannot be measured"`
}
