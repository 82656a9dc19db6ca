package attention

import "fmt"

// Catalog lists every mechanism, in the order of the pages.
var Catalog = []Entry{DotProduct, Random, FixedRandom, Dense, Fastformer}

// Find returns the entry with this id.
func Find(id string) (*Entry, bool) {
	for i := range Catalog {
		if Catalog[i].ID == id {
			return &Catalog[i], true
		}
	}
	return nil, false
}

// check refuses sizes that no mixer can be built with.
func (c Config) check() error {
	if c.Width <= 0 || c.Heads <= 0 || c.Length <= 0 || c.Width%c.Heads != 0 {
		return fmt.Errorf("attention: width %d must be a positive multiple of heads %d, and length %d positive", c.Width, c.Heads, c.Length)
	}
	return nil
}
