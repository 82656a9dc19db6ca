package wall

import "attnatlas/components"

// What the tests of the package see besides.
var (
	Alike    = alike
	Cut      = cut
	Shuffled = shuffled
)

const RaceBoard = raceBoard

func (p *View) Menu() components.Menu          { return p.menu() }
func (p *View) Examples() []components.Example { return p.examples() }
func (s *Views) Racers(ids []string) []string  { return s.racers(ids) }
