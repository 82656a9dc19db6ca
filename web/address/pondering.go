package address

// PonderingPath is that of the page about how long words are thought about.
const PonderingPath = "/pondering"

// AboutOne is the address of a page about one model, or under path of its data: with the parameters of a state alone.
func AboutOne(path string, s State, id string) string { return join(path, alone(s, id)) }
