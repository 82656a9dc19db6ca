package api

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

// Source is the response of /m/{mechanism}/source.json.
type Source struct {
	Version int          `json:"version" doc:"Version of this format"`
	ID      string       `json:"id" doc:"ID of the mechanism or architecture"`
	Path    string       `json:"path" doc:"Path of the file in the source code"`
	Text    string       `json:"text" doc:"Content of the file, as compiled into the program"`
	Steps   []SourceStep `json:"steps" doc:"Lines that compute steps, in the order of the file"`
}

// SourceStep is a line of source code with the array that it computes.
type SourceStep struct {
	Line int    `json:"line" doc:"Line number, from 1"`
	Step string `json:"step" doc:"Name of the step, as in the parameter map of /api/v1/steps"`
}

// Take is the response of /take/{id}.json.
type Take struct {
	Version  int        `json:"version" doc:"Version of this format"`
	File     string     `json:"file" doc:"Suggested name for the file"`
	URL      string     `json:"url" doc:"Address of the file"`
	Bytes    int        `json:"bytes" doc:"Size of the file in bytes; 0 if there is no file"`
	Problem  string     `json:"problem,omitempty" doc:"Reason why there is no file"`
	Texts    []TakeText `json:"texts" doc:"Caption, alternative text, permalink and BibTeX of the figure"`
	Snippets []TakeText `json:"snippets" doc:"Code for the figure in other programs"`
}

// TakeText is a text to copy.
type TakeText struct {
	ID    string `json:"id" doc:"ID of the text"`
	Title string `json:"title" doc:"Title of the text"`
	Text  string `json:"text" doc:"Text to copy"`
}
