// Package api holds the types of the JSON API. The server encodes them, the command line and the
// tests decode them, and OpenAPI describes them.
package api

import "attnatlas/engine"

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

// Write is the response of /api/v1/write.
type Write struct {
	Version int           `json:"version" doc:"Version of this format"`
	Text    string        `json:"text" doc:"Text as sent; bytes that are not UTF-8 appear as U+FFFD"`
	Task    string        `json:"task" doc:"Task of the model: reverse (the words in reverse order) or sort (in alphabetical order)"`
	Tokens  []AttendToken `json:"tokens" doc:"Tokens of the text, the input of the encoder"`
	Written string        `json:"written" doc:"Answer of the model, by greedy decoding"`
	Stopped bool          `json:"stopped" doc:"Whether the model ended the answer with [SEP]; otherwise it was stopped"`
	Answer  string        `json:"answer" doc:"Right answer, computed from the text"`
	Right   bool          `json:"right" doc:"Whether the model wrote exactly the right answer"`
	Cut     []string      `json:"cut,omitempty" doc:"Ablations of the forward pass, each as in the parameter cut"`
	Whole   *string       `json:"whole,omitempty" doc:"Answer of the model without the ablation, if there is an ablation"`
	Changed []int         `json:"changed,omitempty" doc:"Numbers of the decoding steps, from 1, whose token the ablation changes"`
	Steps   []WriteStep   `json:"steps" doc:"Decoding steps, one for each written token"`
	Maps    []WriteMap    `json:"maps" doc:"Attention maps of the model"`
}

// WriteStep is one written piece.
type WriteStep struct {
	Piece string       `json:"piece" doc:"Spelling of the token in the vocabulary"`
	Label string       `json:"label" doc:"Spelling on axes, with invisible characters made visible"`
	P     float64      `json:"p" doc:"Probability of the token in the whole vocabulary, 0…1"`
	Right bool         `json:"right" doc:"Whether this token is right at this position"`
	Top   []AttendWord `json:"top" doc:"Most probable tokens, largest probability first; the first was written"`
}

// AttendWord is a token with its probability.
type AttendWord struct {
	Piece string  `json:"piece" doc:"Spelling of the token in the vocabulary"`
	P     float64 `json:"p" doc:"Probability in the whole vocabulary, 0…1"`
}

// WriteMap is an attention map of one layer.
type WriteMap struct {
	Of    string `json:"of" enum:"cross,decoder,encoder,encoder-rollout" doc:"Part of the model. encoder-rollout is attention rollout of the encoder after this layer (Abnar and Zuidema 2020). Queries of cross and decoder are decoding steps. Keys of decoder are the tokens written before, beginning with [CLS]; other keys are tokens of the text"`
	Layer int    `json:"layer" doc:"Number of the layer, from 1"`
	Head  int    `json:"head,omitempty" doc:"Number of the head, from 1; absent for all heads or their mean"`
	AttendMap
}

// Mechanisms is the response of /api/v1/mechanisms.
type Mechanisms struct {
	Version    int         `json:"version" doc:"Version of this format"`
	Mechanisms []Mechanism `json:"mechanisms" doc:"Mechanisms, then architectures, in the order of the catalogue"`
}

// Mechanism describes one mechanism.
type Mechanism struct {
	ID      string            `json:"id" doc:"ID in URLs and file names"`
	Kind    string            `json:"kind" enum:"mixer,stack" doc:"Kind of the entry. mixer: a mechanism, used in place of attention in a layer; stack: an architecture, which arranges layers into a model"`
	Mixer   string            `json:"mixer,omitempty" doc:"ID of the mechanism in an architecture’s layers. A dot selects another one, as in albert.linformer"`
	Name    string            `json:"name" doc:"Name of the mechanism or architecture"`
	Summary string            `json:"summary" doc:"Summary in one sentence"`
	Formula string            `json:"formula" doc:"Formula as plain text with Unicode mathematics"`
	TeX     string            `json:"tex" doc:"Formula in a subset of TeX"`
	Cost    string            `json:"cost" doc:"Time complexity according to the paper"`
	Params  string            `json:"params" doc:"Formula of the number of parameters with the default options, in d, H and L"`
	FLOPs   string            `json:"flops" doc:"Formula of the number of operations with the default options, in N, d, H and L"`
	Unlike  []string          `json:"differences" doc:"Differences of the bundled model from the paper"`
	Paper   MechanismPaper    `json:"paper" doc:"Paper that introduced the mechanism or architecture"`
	Masks   []MechanismMask   `json:"masks" doc:"Attention masks, and whether the mechanism is defined under them"`
	Nothing MechanismNothing  `json:"nothing" doc:"Output for a token that can attend to nothing under a mask"`
	Views   []MechanismView   `json:"views" doc:"Maps of a layer that the pages show, the main map first"`
	Maps    []MechanismView   `json:"maps,omitempty" doc:"Maps of a whole architecture"`
	Model   *engine.ModelInfo `json:"model,omitempty" doc:"Model on the pages: its sizes, options and provenance"`
}

// MechanismPaper is the paper that introduced a mechanism.
type MechanismPaper struct {
	Authors   string `json:"authors" doc:"Names of the authors, separated by commas"`
	Title     string `json:"title" doc:"Title of the paper"`
	Venue     string `json:"venue" doc:"Conference or journal"`
	Year      int    `json:"year" doc:"Year of publication"`
	ArXiv     string `json:"arxiv,omitempty" doc:"Number of the paper on arXiv"`
	Equations string `json:"equations,omitempty" doc:"Equations or sections that define the mechanism"`
}

// MechanismMask states whether a mechanism is defined under an attention mask.
type MechanismMask struct {
	Mask    string `json:"mask" enum:"none,padding,causal" doc:"Attention mask"`
	Defined bool   `json:"defined" doc:"Whether the mechanism is defined under this mask"`
	Reason  string `json:"reason,omitempty" doc:"Reason why the mechanism is not defined under this mask"`
}

// MechanismNothing is attention.EmptyRow. alike: the row attends to every position with 1/N,
// including masked-out ones. zero: the row is 0. itself: it attends to itself only. unmasked: the
// result without the mask. blank: the result for a text of zeros.
type MechanismNothing struct {
	Padding string `json:"padding,omitempty" enum:"alike,zero,itself,unmasked,blank" doc:"Output for a text that is all padding, with the default options; absent if a padding mask is not defined"`
	Pairs   string `json:"pairs,omitempty" enum:"alike,zero,itself,unmasked,blank" doc:"Output for a token whose cells are all masked out; absent if single cells cannot be masked out"`
	Text    string `json:"text" doc:"Explanation of both in sentences, including the effect of other options and lengths"`
}

// MechanismView is a map to show.
type MechanismView struct {
	Map     string `json:"map" doc:"Name of the map in /api/v1/attend"`
	Symbol  string `json:"symbol" doc:"Symbol of the map in the formulas"`
	Caption string `json:"caption" doc:"Meaning of a cell"`
	By      string `json:"by,omitempty" doc:"Name of the map with the classes of tokens, for a map whose values are tokens"`
}
