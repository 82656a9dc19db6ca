package site

// Headers with which a script asks for the page of a state: which of the parts that are folded away on cards
// are open, by their ids, and of which cards anything is wanted. What is folded is sent when it is opened.
const (
	OpenHeader = "Atlas-Open"
	OnlyHeader = "Atlas-Only"
	HasHeader  = "Atlas-Has" // the shapes of the cards that the script has
)
