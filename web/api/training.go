package api

// Training is the answer of /api/v1/training: maps as they were while the models were trained.
type Training struct {
	Version int             `json:"version" doc:"Version of this format"`
	Steps   int             `json:"steps" doc:"Steps of the whole training"`
	Text    string          `json:"text"`
	Tokens  []string        `json:"tokens" doc:"The labels of the text's positions"`
	Frames  []TrainingFrame `json:"frames" doc:"In the order of the steps; none is interpolated"`
}

// TrainingFrame is what was recorded after one step.
type TrainingFrame struct {
	Step       int                `json:"step" doc:"Steps done"`
	Loss       float64            `json:"loss" doc:"Validation, nats for each masked or next word piece; of the first mechanism"`
	Mechanisms []DrawingMechanism `json:"mechanisms"`
}

// TrainingInput documents the parameters.
type TrainingInput struct {
	M     string `query:"m" doc:"Ids of mechanisms and stacks, separated by commas: the training of the first is followed, and the others are shown after the same steps"`
	Text  string `query:"text" doc:"One of the texts that were recorded; default the first of them"`
	Layer string `query:"layer" doc:"A layer, from 1; default the first"`
	Head  string `query:"head" doc:"A head, from 1, mean, or auto, of each mechanism the one that its finished model shows; default auto"`
	Norm  string `query:"norm" doc:"What counts as full colour, as of a page; default row"`
	Map   string `query:"map" doc:"Names of maps, separated by commas; default the main map and the strips under it"`
}
