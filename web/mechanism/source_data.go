package mechanism

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
