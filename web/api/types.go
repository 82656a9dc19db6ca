// Package api holds the types of the JSON API. The server encodes them, the command line and the
// tests decode them, and OpenAPI describes them.
package api

import "attnatlas/engine"

// Attend is the response of /api/v1/attend.
type Attend struct {
	Version    int               `json:"version" doc:"Version of this format"`
	Text       string            `json:"text" doc:"The text as sent; bytes that are not UTF-8 appear as U+FFFD"`
	Mask       string            `json:"mask" enum:"none,causal"`
	Tokens     []AttendToken     `json:"tokens"`
	Mechanisms []AttendMechanism `json:"mechanisms,omitempty" doc:"In the order of the request"`
}

// AttendToken is one token of the text.
type AttendToken struct {
	Piece   string `json:"piece" doc:"The vocabulary's spelling"`
	Text    string `json:"text" doc:"The text's own spelling"`
	Label   string `json:"label" doc:"As shown on axes: invisible characters made visible"`
	Start   int    `json:"start" doc:"Byte offset into the text as sent"`
	End     int    `json:"end"`
	Special bool   `json:"special,omitempty" doc:"[CLS], [SEP] or [MASK]"`
}

// AttendMechanism is the response of one mechanism: layers, or an error.
type AttendMechanism struct {
	ID    string `json:"id"`
	Task  string `json:"task,omitempty" doc:"The training objective of the model"`
	Heads int    `json:"heads,omitempty"`
	// Tokens are present if they differ from those of the response.
	Tokens []AttendToken `json:"tokens,omitempty" doc:"The tokens of this model, if it has a tokenizer of its own"`
	Error  string        `json:"error,omitempty" doc:"Why there are no layers"`
	// RetryAfter is the value of the header with this name, for one mechanism.
	RetryAfter int            `json:"retryAfter,omitempty" doc:"Seconds until the server can answer, if other requests come first"`
	Cut        []string       `json:"cut,omitempty" doc:"Ablations of the forward pass, each as in the parameter cut"`
	Note       string         `json:"note,omitempty" doc:"Notes on the maps of this text"`
	Guesses    []AttendGuess  `json:"guesses,omitempty" doc:"Predictions of the trained classifiers for the text"`
	Charges    []AttendCharge `json:"charges,omitempty" doc:"Terms that training adds to the loss for this text, such as the ponder cost"`
	Written    string         `json:"written,omitempty" doc:"The answer that an encoder–decoder wrote; its layers are those of the encoder"`
	// Predictions precede the maps, which are long.
	Predictions []AttendPrediction `json:"predictions,omitempty" doc:"The predictions of the model: for every [MASK], or, if it predicts the next word, after every token but the last"`
	Estimate    *AttendEstimate    `json:"estimate,omitempty" doc:"How influence was estimated; absent where it is exact, as it always is with exact=1"`
	Layers      []AttendLayer      `json:"layers,omitempty"`
	Maps        []AttendMap        `json:"maps,omitempty" doc:"For an architecture: its own maps, for all layers together"`
	Parts       []AttendPart       `json:"parts,omitempty" doc:"For an encoder–decoder: the attention of its decoder over what it wrote"`
}

// AttendPart holds the layers of one part of a model.
type AttendPart struct {
	Of     string        `json:"of" doc:"cross: the decoder attends to the text; decoder: it attends to what it wrote"`
	Layers []AttendLayer `json:"layers"`
}

// AttendEstimate states how influence was estimated from some directions of the outputs.
type AttendEstimate struct {
	Directions int     `json:"directions" doc:"Number of random directions for each output"`
	Of         int     `json:"of" doc:"Number of all directions"`
	Error      float64 `json:"error" doc:"Standard error of a value as a share of it, the median of all pairs of words"`
}

// AttendGuess is a classifier's prediction, the most probable class first.
type AttendGuess struct {
	Task    string        `json:"task"`
	Classes []AttendClass `json:"classes"`
	Token   int           `json:"token,omitempty" doc:"Number of the token that it is about, from 1; left out if it is about the text"`
	Apart   bool          `json:"apart,omitempty" doc:"Each class is a question of its own: its probability is the sigmoid of its score"`
}

// AttendClass is one class and its probability.
type AttendClass struct {
	Name  string  `json:"name"`
	P     float64 `json:"p"`
	Score float64 `json:"score,omitempty" doc:"Score before the sigmoid, where classes are apart"`
}

// AttendCharge is an additional term of the loss from an architecture.
type AttendCharge struct {
	Name  string  `json:"name" doc:"ponder: the cost of a step times the mean of steps and remainders"`
	Value float64 `json:"value"`
}

// AttendPrediction is a model's prediction at one position.
type AttendPrediction struct {
	Token int          `json:"token" doc:"Number of the token in tokens, from 0"`
	Next  bool         `json:"next" doc:"Whether it is the word after the token; otherwise the word that the token masks"`
	Words []AttendWord `json:"words" doc:"The most probable tokens, largest probability first; at most 10"`
}

// AttendLayer holds the maps of a layer, in the order of the equations.
type AttendLayer struct {
	Layer int         `json:"layer" doc:"From 1"`
	Name  string      `json:"name" doc:"Its name in the model: layer 2, step 2"`
	Head  int         `json:"head,omitempty" doc:"Number of the head, from 1; absent for all heads or their mean"`
	Maps  []AttendMap `json:"maps"`
}

// AttendMap is an array with named axes.
type AttendMap struct {
	Name  string   `json:"name"`
	Kind  string   `json:"kind" enum:"activation,probability,weight,gate,category,count,length"`
	Axes  []string `json:"axes"`
	Shape []int    `json:"shape"`
	// Labels and classes name numbers that are not self-explanatory.
	Labels  [][]string `json:"labels,omitempty" doc:"Where positions of some axis have names: for each axis its names, or null"`
	Classes []string   `json:"classes,omitempty" doc:"Names of the classes 0, 1, … of a category; an empty name means no class"`
	Aside   string     `json:"aside,omitempty" doc:"With sinks, mass or top, if they apply to the map: one character per cell, head by head and row by row, 1 for an excluded cell. The values are unfiltered"`
	Reach   string     `json:"reach,omitempty" doc:"For maps of queries and keys with masked cells: one character per cell of one head, row by row, 0 for a masked cell"`
	// Values are omitted if nil, so that the other members can be encoded separately.
	Values Values `json:"values,omitempty"`
}

// Write is the response of /api/v1/write.
type Write struct {
	Version int           `json:"version" doc:"Version of this format"`
	Text    string        `json:"text" doc:"The text as sent; bytes that are not UTF-8 appear as U+FFFD"`
	Task    string        `json:"task" doc:"The task: reverse (the words in reverse order) or sort (in alphabetical order)"`
	Tokens  []AttendToken `json:"tokens" doc:"The input of the encoder"`
	Written string        `json:"written" doc:"The answer of the model, by greedy decoding"`
	Stopped bool          `json:"stopped" doc:"Whether the model ended the answer with [SEP]; otherwise it was stopped"`
	Answer  string        `json:"answer" doc:"The right answer, computed from the text"`
	Right   bool          `json:"right" doc:"Whether exactly the right answer was written"`
	Cut     []string      `json:"cut,omitempty" doc:"Ablations of the forward pass, each as in the parameter cut"`
	Whole   *string       `json:"whole,omitempty" doc:"The answer without the ablation, if there is one"`
	Changed []int         `json:"changed,omitempty" doc:"The steps, from 1, whose token differs from that without the ablation"`
	Steps   []WriteStep   `json:"steps"`
	Maps    []WriteMap    `json:"maps"`
}

// WriteStep is one written piece.
type WriteStep struct {
	Piece string       `json:"piece" doc:"The vocabulary's spelling"`
	Label string       `json:"label" doc:"As shown on axes: invisible characters made visible"`
	P     float64      `json:"p" doc:"Its probability in the whole vocabulary"`
	Right bool         `json:"right" doc:"Whether this token is right at this position"`
	Top   []AttendWord `json:"top" doc:"The most probable tokens, largest probability first; the first was written"`
}

// AttendWord is a token with its probability.
type AttendWord struct {
	Piece string  `json:"piece" doc:"The vocabulary's spelling"`
	P     float64 `json:"p" doc:"Probability in the whole vocabulary"`
}

// WriteMap is an attention map of one layer.
type WriteMap struct {
	Of    string `json:"of" enum:"cross,decoder,encoder,encoder-rollout" doc:"Part of the model, or attention rollout of the encoder after that layer (Abnar and Zuidema 2020). Queries of cross and decoder are decoding steps. Keys of all but the decoder are tokens of the text; those of the decoder are the tokens written before, beginning with [CLS]"`
	Layer int    `json:"layer" doc:"From 1"`
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
	ID      string            `json:"id" doc:"In URLs and file names"`
	Kind    string            `json:"kind" enum:"mixer,stack" doc:"A mixer takes the place of attention in a layer; a stack is an architecture, which arranges layers into a model"`
	Mixer   string            `json:"mixer,omitempty" doc:"For an architecture: the id of the mechanism in its layers; a point selects another, as in albert.linformer"`
	Name    string            `json:"name"`
	Summary string            `json:"summary"`
	Formula string            `json:"formula" doc:"Plain text with Unicode mathematics"`
	TeX     string            `json:"tex" doc:"The same formula in a part of TeX"`
	Cost    string            `json:"cost"`
	Params  string            `json:"params" doc:"Parameters of one mechanism, in d, H and L, with the default options"`
	FLOPs   string            `json:"flops" doc:"Operations of one mechanism, in N, d, H and L, with the default options"`
	Unlike  []string          `json:"differences" doc:"Differences of the bundled model from the paper"`
	Paper   MechanismPaper    `json:"paper"`
	Masks   []MechanismMask   `json:"masks"`
	Nothing MechanismNothing  `json:"nothing" doc:"Output of a word that can attend to nothing under a mask"`
	Views   []MechanismView   `json:"views" doc:"The maps of a layer worth showing, the main one first"`
	Maps    []MechanismView   `json:"maps,omitempty" doc:"For an architecture: the maps of the whole model"`
	Model   *engine.ModelInfo `json:"model,omitempty" doc:"The model that is shown: its sizes, options and provenance"`
}

// MechanismPaper is the paper that introduced a mechanism.
type MechanismPaper struct {
	Authors   string `json:"authors"`
	Title     string `json:"title"`
	Venue     string `json:"venue"`
	Year      int    `json:"year"`
	ArXiv     string `json:"arxiv,omitempty"`
	Equations string `json:"equations,omitempty"`
}

// MechanismMask states whether a mechanism is defined under an attention mask.
type MechanismMask struct {
	Mask    string `json:"mask" enum:"none,padding,causal"`
	Defined bool   `json:"defined"`
	Reason  string `json:"reason,omitempty" doc:"Why it is not defined"`
}

// MechanismNothing is attention.EmptyRow. alike: the row attends to every position with 1/N,
// including masked-out ones. zero: the row is 0. itself: it attends to itself only. unmasked: the
// result without the mask. blank: the result for a text of zeros.
type MechanismNothing struct {
	Padding string `json:"padding,omitempty" enum:"alike,zero,itself,unmasked,blank" doc:"For a short text that is all padding, with the default options; absent if padding is not defined"`
	Pairs   string `json:"pairs,omitempty" enum:"alike,zero,itself,unmasked,blank" doc:"Output if all cells of the word are masked out; absent if single cells cannot be"`
	Text    string `json:"text" doc:"The same as sentences, with what other options and lengths change"`
}

// MechanismView is a map to show.
type MechanismView struct {
	Map     string `json:"map" doc:"Its name in /api/v1/attend"`
	Symbol  string `json:"symbol"`
	Caption string `json:"caption" doc:"Meaning of a cell"`
	By      string `json:"by,omitempty" doc:"A map of classes of tokens, where the values of this one are tokens"`
}
