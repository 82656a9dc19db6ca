package results

import "attnatlas/engine"

// About is the response of /about.json.
type About struct {
	Version int           `json:"version" doc:"Version of this format"`
	Program string        `json:"program" doc:"Version of the program"`
	Own     bool          `json:"own" doc:"Whether the models are the server operator’s own; otherwise they are the bundled models"`
	Models  []AboutModel  `json:"models" doc:"Facts about each model"`
	Data    []string      `json:"data" doc:"Training sets of the models"`
	Methods []AboutMethod `json:"methods" doc:"Measures that the maps can show"`
}

// AboutModel describes a model.
type AboutModel struct {
	ID    string            `json:"id" doc:"ID of the model"`
	Name  string            `json:"name" doc:"Name of the model"`
	Model *engine.ModelInfo `json:"model" doc:"Sizes, options and provenance of the model"`
}

// AboutMethod describes a method.
type AboutMethod struct {
	Show    string `json:"show" doc:"Value of the parameter show that selects the method"`
	Name    string `json:"name" doc:"Name of the method"`
	Formula string `json:"formula" doc:"Formula in a subset of TeX"`
	Text    string `json:"text" doc:"Explanation of the method"`
}
