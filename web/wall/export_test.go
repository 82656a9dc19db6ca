package wall

import "attnatlas/components"

// Identifiers for the tests of the package.
var (
	Alike    = alike
	Cut      = cut
	Shuffled = shuffled
)

const RaceBoard = raceBoard

func (p *View) Menu() components.Menu          { return p.menu() }
func (p *View) Examples() []components.Example { return p.examples() }
func (s *Views) Racers(ids []string) []string  { return s.racers(ids) }
