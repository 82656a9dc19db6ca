package address

// The paths of the pages about how long words are thought about, and of layers that are computed back.
const (
	PonderingPath = "/pondering"
	ReversingPath = "/reversing"
)

// AboutOne is the address of a page about one model, or under path of its data: with the parameters of a state alone.
func AboutOne(path string, s State, id string) string { return of(path, s, alone(s, id)) }
