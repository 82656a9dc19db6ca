// Package api holds what the JSON of several pages shares: tokens, maps, drawings and numbers. The JSON of one page is
// a type in the folder of the page.
package api

// Attend is the response of /api/v1/attend.
type Attend struct {
	Version    int               `json:"version" doc:"Version of this format"`
	Text       string            `json:"text" doc:"Text as sent; bytes that are not UTF-8 appear as U+FFFD"`
	Mask       string            `json:"mask" enum:"none,causal" doc:"Attention mask"`
	Tokens     []AttendToken     `json:"tokens" doc:"Tokens of the text, as the bundled tokenizer splits it"`
	Mechanisms []AttendMechanism `json:"mechanisms,omitempty" doc:"Results of the mechanisms, in the order of the request"`
}

// AttendToken is one token of the text.
type AttendToken struct {
	Piece   string `json:"piece" doc:"Spelling of the token in the vocabulary"`
	Text    string `json:"text" doc:"Spelling of the token in the text"`
	Label   string `json:"label" doc:"Spelling on axes, with invisible characters made visible"`
	Start   int    `json:"start" doc:"Offset of the token’s first byte in the text as sent"`
	End     int    `json:"end" doc:"Offset after the token’s last byte"`
	Special bool   `json:"special,omitempty" doc:"Whether the token is [CLS], [SEP] or [MASK]"`
}

// AttendMechanism is the response of one mechanism: layers, or an error.
type AttendMechanism struct {
	ID    string `json:"id" doc:"ID of the mechanism or architecture"`
	Task  string `json:"task,omitempty" doc:"Names of the tasks that the model was trained for, separated by commas"`
	Heads int    `json:"heads,omitempty" doc:"Number of heads in each layer"`
	// Tokens are present if they differ from those of the response.
	Tokens []AttendToken `json:"tokens,omitempty" doc:"Tokens of this model, if it has a tokenizer of its own"`
	Error  string        `json:"error,omitempty" doc:"Reason why there are no layers"`
	// RetryAfter is the value of the header with this name, for one mechanism.
	RetryAfter int            `json:"retryAfter,omitempty" doc:"Number of seconds after which to retry, if the server is busy"`
	Cut        []string       `json:"cut,omitempty" doc:"Ablations of the forward pass, each as in the parameter cut"`
	Note       string         `json:"note,omitempty" doc:"Notes on the maps of this text"`
	Guesses    []AttendGuess  `json:"guesses,omitempty" doc:"Predictions of the trained classifiers for the text"`
	Charges    []AttendCharge `json:"charges,omitempty" doc:"Terms that training adds to the loss for this text, such as the ponder cost"`
	Written    string         `json:"written,omitempty" doc:"Text that an encoder–decoder wrote as its answer; layers are those of its encoder"`
	// Predictions precede the maps, which are long.
	Predictions []AttendPrediction `json:"predictions,omitempty" doc:"Token predictions: for every [MASK], or for next-token prediction after every token but the last"`
	Estimate    *AttendEstimate    `json:"estimate,omitempty" doc:"Accuracy of an estimated influence; absent if it is exact, as it always is with exact=1"`
	Layers      []AttendLayer      `json:"layers,omitempty" doc:"Maps of the layers, first layer first"`
	Maps        []AttendMap        `json:"maps,omitempty" doc:"Maps of the architecture itself, which cover all layers together"`
	Parts       []AttendPart       `json:"parts,omitempty" doc:"Attention of an encoder–decoder’s decoder"`
}

// AttendPart holds the layers of one part of a model.
type AttendPart struct {
	Of     string        `json:"of" doc:"Part of the model. cross: the decoder attends to the text; decoder: it attends to the tokens that it wrote"`
	Layers []AttendLayer `json:"layers" doc:"Maps of the layers in this part"`
}

// AttendEstimate states how influence was estimated from some directions of the outputs.
type AttendEstimate struct {
	Directions int     `json:"directions" doc:"Number of random directions for each output"`
	Of         int     `json:"of" doc:"Number of all directions"`
	Error      float64 `json:"error" doc:"Relative standard error of a value: the median over all pairs of tokens"`
}

// AttendGuess is a classifier's prediction, the most probable class first.
type AttendGuess struct {
	Task    string        `json:"task" doc:"Name of the classifier’s task"`
	Classes []AttendClass `json:"classes" doc:"Classes with their probabilities, the most probable first"`
	Token   int           `json:"token,omitempty" doc:"Number of the token that is classified, from 1; absent if the whole text is classified"`
	Apart   bool          `json:"apart,omitempty" doc:"Whether classes are independent. Then each probability is the sigmoid of a score, and they need not sum to 1"`
}

// AttendClass is one class and its probability.
type AttendClass struct {
	Name  string  `json:"name" doc:"Name of the class"`
	P     float64 `json:"p" doc:"Probability of the class, 0…1"`
	Score float64 `json:"score,omitempty" doc:"Score before the sigmoid, if classes are independent"`
}

// AttendCharge is an additional term of the loss from an architecture.
type AttendCharge struct {
	Name  string  `json:"name" doc:"Name of the term. ponder: the cost of a step times the mean of steps and remainders"`
	Value float64 `json:"value" doc:"Value of the term for this text"`
}

// AttendPrediction is a model's prediction at one position.
type AttendPrediction struct {
	Token int          `json:"token" doc:"Index of the token in tokens, from 0"`
	Next  bool         `json:"next" doc:"Whether the prediction is for the next token; otherwise it is for this masked token"`
	Words []AttendWord `json:"words" doc:"Most probable tokens, largest probability first; at most 10"`
}

// AttendLayer holds the maps of a layer, in the order of the equations.
type AttendLayer struct {
	Layer int         `json:"layer" doc:"Number of the layer, from 1"`
	Name  string      `json:"name" doc:"Name of the layer in the model, such as layer 2 or step 2"`
	Head  int         `json:"head,omitempty" doc:"Number of the head, from 1; absent for all heads or their mean"`
	Maps  []AttendMap `json:"maps" doc:"Maps of the layer, in the order of the equations"`
}

// AttendMap is an array with named axes.
type AttendMap struct {
	Name  string   `json:"name" doc:"Name of the map"`
	Kind  string   `json:"kind" enum:"activation,probability,weight,gate,category,count,length" doc:"Kind of the values"`
	Axes  []string `json:"axes" doc:"Roles of the axes, such as head, query and key"`
	Shape []int    `json:"shape" doc:"Sizes of the axes"`
	// Labels and classes name numbers that are not self-explanatory.
	Labels  [][]string `json:"labels,omitempty" doc:"Names of the positions on each axis; null for an axis without names"`
	Classes []string   `json:"classes,omitempty" doc:"Names of the classes 0, 1, … of a category; an empty name means no class"`
	Aside   string     `json:"aside,omitempty" doc:"Cells excluded by sinks, mass or top: one character per cell, head by head and row by row, 1 for an excluded cell. The values are unfiltered"`
	Reach   string     `json:"reach,omitempty" doc:"Masked cells of a map of queries and keys: one character per cell of one head, row by row, 0 for a masked cell"`
	// Values are omitted if nil, so that the other members can be encoded separately.
	Values Values `json:"values,omitempty" doc:"Values of the map in row-major order"`
}

// AttendWord is a token with its probability.
type AttendWord struct {
	Piece string  `json:"piece" doc:"Spelling of the token in the vocabulary"`
	P     float64 `json:"p" doc:"Probability in the whole vocabulary, 0…1"`
}
