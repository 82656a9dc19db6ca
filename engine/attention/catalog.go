package attention

import "embed"

// Catalog lists every mechanism, in the order of the pages.
var Catalog = []Entry{
	DotProduct,
	Random, FixedRandom, FactorizedRandom,
	Dense, FactorizedDense,
	MixtureRV, MixtureRD, MixtureDV, MixtureRDV,
	Fastformer,
	Linformer, Linear,
	Longformer, BigBird, Poolingformer,
	Reformer, ShuffleExchange, ResidualShuffleExchange,
}

// IDs returns the ids of all mechanisms in the catalogue.
func IDs() []string {
	ids := make([]string, len(Catalog))
	for i, e := range Catalog {
		ids[i] = e.ID
	}
	return ids
}

// Find returns the entry with this id.
func Find(id string) (*Entry, bool) {
	for i := range Catalog {
		if Catalog[i].ID == id {
			return &Catalog[i], true
		}
	}
	return nil, false
}

// sources are the files of this package without its tests. The patterns leave out names that end in "st.go";
// TestEntriesHaveTheirFiles fails for an entry in such a file.
//
//go:embed *[^t].go *[^s]t.go
var sources embed.FS
