package api

import "attnatlas/engine"

// About is the response of /about.json.
type About struct {
	Version int           `json:"version" doc:"Version of this format"`
	Program string        `json:"program" doc:"The version of the program"`
	Own     bool          `json:"own" doc:"Whether the models belong to the operator of the server instead of the bundled ones"`
	Models  []AboutModel  `json:"models" doc:"Facts about each model"`
	Data    []string      `json:"data" doc:"The training sets"`
	Methods []AboutMethod `json:"methods" doc:"Measures of the maps"`
}

// AboutModel describes a model.
type AboutModel struct {
	ID    string            `json:"id"`
	Name  string            `json:"name"`
	Model *engine.ModelInfo `json:"model"`
}

// AboutMethod describes a method.
type AboutMethod struct {
	Show    string `json:"show" doc:"The value of show that draws it"`
	Name    string `json:"name"`
	Formula string `json:"formula" doc:"In a part of TeX"`
	Text    string `json:"text"`
}

// Source is the response of /m/{mechanism}/source.json.
type Source struct {
	Version int          `json:"version" doc:"Version of this format"`
	ID      string       `json:"id"`
	Path    string       `json:"path" doc:"Path of the file in the source code"`
	Text    string       `json:"text" doc:"The file, as it was compiled into the program"`
	Steps   []SourceStep `json:"steps" doc:"The lines that compute steps, in the order of the file"`
}

// SourceStep is a line of source code with the array that it computes.
type SourceStep struct {
	Line int    `json:"line" doc:"From 1"`
	Step string `json:"step" doc:"As the parameter map of /api/v1/steps names it"`
}

// Take is the response of /take/{id}.json.
type Take struct {
	Version  int        `json:"version" doc:"Version of this format"`
	File     string     `json:"file" doc:"A name for the file"`
	URL      string     `json:"url" doc:"Its address"`
	Bytes    int        `json:"bytes" doc:"Its size; 0 when there is none"`
	Problem  string     `json:"problem,omitempty" doc:"Why there is no such file"`
	Texts    []TakeText `json:"texts" doc:"Caption, alternative text, permalink and BibTeX of the figure"`
	Snippets []TakeText `json:"snippets" doc:"The figure in other programs"`
}

// TakeText is a text to copy.
type TakeText struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}
