// Package api has the types of the JSON API, declared once: the server encodes them, the
// command line and the tests decode them, and OpenAPI describes them.
package api

import "attnatlas/engine"

// Attend is the answer of /api/v1/attend.
type Attend struct {
	Version    int               `json:"version" doc:"Version of this format"`
	Text       string            `json:"text" doc:"The text as sent; bytes that are not UTF-8 appear as U+FFFD"`
	Mask       string            `json:"mask" enum:"none,causal"`
	Tokens     []AttendToken     `json:"tokens"`
	Mechanisms []AttendMechanism `json:"mechanisms,omitempty" doc:"In the order of the request"`
}

// AttendToken is one position.
type AttendToken struct {
	Piece   string `json:"piece" doc:"The vocabulary's spelling"`
	Text    string `json:"text" doc:"The text's own spelling"`
	Label   string `json:"label" doc:"As shown on axes: invisible characters made visible"`
	Start   int    `json:"start" doc:"Byte offset into the text as sent"`
	End     int    `json:"end"`
	Special bool   `json:"special,omitempty" doc:"[CLS], [SEP] or [MASK]"`
}

// AttendMechanism is the answer of one mechanism: layers, or an error.
type AttendMechanism struct {
	ID    string `json:"id"`
	Task  string `json:"task,omitempty" doc:"What the model was trained for"`
	Heads int    `json:"heads,omitempty"`
	// Tokens are there where they are not those of the answer.
	Tokens []AttendToken `json:"tokens,omitempty" doc:"The tokens that this model reads, where it has its own"`
	Error  string        `json:"error,omitempty" doc:"Why there are no layers"`
	// RetryAfter is that of the header of the same name, for one mechanism.
	RetryAfter int            `json:"retryAfter,omitempty" doc:"In seconds, where others come first: when it can be answered"`
	Cut        []string       `json:"cut,omitempty" doc:"What was left out of the forward pass, each as the parameter cut has it"`
	Note       string         `json:"note,omitempty" doc:"What readers of the maps of this text should know"`
	Guesses    []AttendGuess  `json:"guesses,omitempty" doc:"What the trained classifiers say of the text"`
	Charges    []AttendCharge `json:"charges,omitempty" doc:"What training adds to the loss for this text, such as the cost of pondering"`
	Written    string         `json:"written,omitempty" doc:"What an encoder–decoder wrote of the text; its layers are those of its encoder, /write tells the rest"`
	// Predictions come before the maps, which are long.
	Predictions []AttendPrediction `json:"predictions,omitempty" doc:"The words that the model expects: for every [MASK], or, if it guesses the next word, after every token but the last"`
	Estimate    *AttendEstimate    `json:"estimate,omitempty" doc:"How influence was estimated; absent where it is exact, as it always is with exact=1"`
	Layers      []AttendLayer      `json:"layers,omitempty"`
	Maps        []AttendMap        `json:"maps,omitempty" doc:"Of a stack: what it shows itself, for all layers together"`
}

// AttendEstimate is how influence was estimated from some directions of the outputs.
type AttendEstimate struct {
	Directions int     `json:"directions" doc:"How many random directions of each output were followed back"`
	Of         int     `json:"of" doc:"How many there are"`
	Error      float64 `json:"error" doc:"Standard error of a value as a share of it, the median of all pairs of words"`
}

// AttendGuess is a classifier's answer, the most probable class first.
type AttendGuess struct {
	Task    string        `json:"task"`
	Classes []AttendClass `json:"classes"`
}

// AttendClass is one class and its probability.
type AttendClass struct {
	Name string  `json:"name"`
	P    float64 `json:"p"`
}

// AttendCharge is a part of the loss that a stack asks for by itself.
type AttendCharge struct {
	Name  string  `json:"name" doc:"ponder: the price of a step times the mean of steps and remainders"`
	Value float64 `json:"value"`
}

// AttendPrediction is what a model expects at one place.
type AttendPrediction struct {
	Token int          `json:"token" doc:"Number of the token in tokens, from 0"`
	Next  bool         `json:"next" doc:"Whether it is the word after the token; otherwise the one that the token hides"`
	Words []AttendWord `json:"words" doc:"The likeliest word pieces, by falling probability; at most 10"`
}

// AttendLayer holds the maps of a layer, in the order of the equations.
type AttendLayer struct {
	Layer int         `json:"layer" doc:"From 1"`
	Name  string      `json:"name" doc:"What the model calls it: layer 2, step 2"`
	Head  int         `json:"head,omitempty" doc:"Whose maps these are, from 1; absent where all heads or their mean were asked for"`
	Maps  []AttendMap `json:"maps"`
}

// AttendMap is an array with named axes.
type AttendMap struct {
	Name  string   `json:"name"`
	Kind  string   `json:"kind" enum:"activation,probability,weight,gate,category,count,length"`
	Axes  []string `json:"axes"`
	Shape []int    `json:"shape"`
	// Labels and classes are names where numbers do not say enough.
	Labels  [][]string `json:"labels,omitempty" doc:"Where positions of some axis have names: for each axis its names, or null"`
	Classes []string   `json:"classes,omitempty" doc:"Names of the classes 0, 1, … of a category; the empty name stands for nothing"`
	Aside   string     `json:"aside,omitempty" doc:"With sinks, mass or top, where they mean something for the map: one character per cell, head by head and row by row, 1 for a cell that is set aside. The numbers are those without a filter"`
	Reach   string     `json:"reach,omitempty" doc:"For maps of queries and keys of which some cells are forbidden: one character per cell of one head, row by row, 0 for a forbidden cell"`
	// Values are omitted when nil, so that the other members can be encoded apart.
	Values Values `json:"values,omitempty"`
}

// Write is the answer of /api/v1/write.
type Write struct {
	Version int           `json:"version" doc:"Version of this format"`
	Text    string        `json:"text" doc:"The text as sent; bytes that are not UTF-8 appear as U+FFFD"`
	Task    string        `json:"task" doc:"What is to be written: reverse, the words of the text in reverse order, or sort, in the order of their letters"`
	Tokens  []AttendToken `json:"tokens" doc:"What the encoder reads"`
	Written string        `json:"written" doc:"What the model wrote, always the likeliest word"`
	Stopped bool          `json:"stopped" doc:"Whether the model ended by itself, with [SEP]; otherwise it was stopped"`
	Answer  string        `json:"answer" doc:"What is right, computed from the text"`
	Right   bool          `json:"right" doc:"Whether that was written, and nothing else"`
	Cut     []string      `json:"cut,omitempty" doc:"What was left out of the forward pass, each as the parameter cut has it"`
	Whole   *string       `json:"whole,omitempty" doc:"What the model writes when nothing is left out, if something is"`
	Changed []int         `json:"changed,omitempty" doc:"The steps, from 1, whose piece is another than without what was cut"`
	Steps   []WriteStep   `json:"steps"`
	Maps    []WriteMap    `json:"maps"`
}

// WriteStep is one written piece.
type WriteStep struct {
	Piece string       `json:"piece" doc:"The vocabulary's spelling"`
	Label string       `json:"label" doc:"As shown on axes: invisible characters made visible"`
	P     float64      `json:"p" doc:"Its probability among the whole vocabulary"`
	Right bool         `json:"right" doc:"Whether this piece is right at this place"`
	Top   []AttendWord `json:"top" doc:"The likeliest pieces, by falling probability; the first was written"`
}

// AttendWord is a word piece and its probability.
type AttendWord struct {
	Piece string  `json:"piece" doc:"The vocabulary's spelling"`
	P     float64 `json:"p" doc:"Probability among the whole vocabulary"`
}

// WriteMap is an attention map of one layer.
type WriteMap struct {
	Of    string `json:"of" enum:"cross,decoder,encoder,encoder-rollout" doc:"Whose attention, or attention rollout of the encoder after that layer (Abnar and Zuidema 2020): queries of cross and decoder are steps of writing, keys of all but the decoder are tokens of the text, keys of the decoder are what was written before, beginning with [CLS]"`
	Layer int    `json:"layer" doc:"From 1"`
	Head  int    `json:"head,omitempty" doc:"Whose map this is, from 1; absent where all heads or their mean were asked for"`
	AttendMap
}

// Mechanisms is the answer of /api/v1/mechanisms.
type Mechanisms struct {
	Version    int         `json:"version" doc:"Version of this format"`
	Mechanisms []Mechanism `json:"mechanisms" doc:"Mixers, then stacks, in the order of the catalogue"`
}

// Mechanism describes one mechanism.
type Mechanism struct {
	ID      string            `json:"id" doc:"In URLs and file names"`
	Kind    string            `json:"kind" enum:"mixer,stack" doc:"A mixer takes the place of attention in a layer; a stack arranges layers into a model"`
	Mixer   string            `json:"mixer,omitempty" doc:"Of a stack: the id of what mixes words in its layers; another may be named after a point, as in albert.linformer"`
	Name    string            `json:"name"`
	Summary string            `json:"summary"`
	Formula string            `json:"formula" doc:"Plain text with Unicode mathematics"`
	TeX     string            `json:"tex" doc:"The same formula in a part of TeX"`
	Cost    string            `json:"cost"`
	Params  string            `json:"params" doc:"Trained numbers of one mixer, in d, H and L, with the default options"`
	FLOPs   string            `json:"flops" doc:"Multiplications and additions of one mixer, in N, d, H and L, with the default options"`
	Unlike  []string          `json:"differences" doc:"What is not as in the paper, of the shipped model"`
	Paper   MechanismPaper    `json:"paper"`
	Masks   []MechanismMask   `json:"masks"`
	Nothing MechanismNothing  `json:"nothing" doc:"What a word gets to which a mask leaves nothing to read"`
	Views   []MechanismView   `json:"views" doc:"The maps of a layer worth showing, the main one first"`
	Maps    []MechanismView   `json:"maps,omitempty" doc:"Of a stack: the maps of the whole model"`
	Model   *engine.ModelInfo `json:"model,omitempty" doc:"The weights that are shown: their sizes and choices, and where they come from"`
}

// MechanismPaper is where a mechanism was published.
type MechanismPaper struct {
	Authors   string `json:"authors"`
	Title     string `json:"title"`
	Venue     string `json:"venue"`
	Year      int    `json:"year"`
	ArXiv     string `json:"arxiv,omitempty"`
	Equations string `json:"equations,omitempty"`
}

// MechanismMask says whether a mechanism is defined under a mask.
type MechanismMask struct {
	Mask    string `json:"mask" enum:"none,padding,causal"`
	Defined bool   `json:"defined"`
	Reason  string `json:"reason,omitempty" doc:"Why it is not defined"`
}

// MechanismNothing is attention.EmptyRow. Alike: the row reads every position 1/N, the masked
// ones included; zero: the row is 0; itself: it reads itself alone; unmasked: the result is
// that without the mask; blank: that of a text of zeros.
type MechanismNothing struct {
	Padding string `json:"padding,omitempty" enum:"alike,zero,itself,unmasked,blank" doc:"In a short text that is all padding, with the default options; missing where padding is not defined"`
	Pairs   string `json:"pairs,omitempty" enum:"alike,zero,itself,unmasked,blank" doc:"Where all pairs of the word are forbidden; missing where single pairs cannot be"`
	Text    string `json:"text" doc:"The same as sentences, with what other options and lengths change"`
}

// MechanismView is a map worth showing.
type MechanismView struct {
	Map     string `json:"map" doc:"Its name in /api/v1/attend"`
	Symbol  string `json:"symbol"`
	Caption string `json:"caption" doc:"What a cell is"`
	By      string `json:"by,omitempty" doc:"A map of classes of tokens, where the values of this one are tokens"`
}
