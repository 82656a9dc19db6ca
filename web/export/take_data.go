package export

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
