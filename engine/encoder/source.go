package encoder

import "embed"

// sources are the files of this package without its tests. The patterns leave out names that end in "st.go";
// TestStacksHaveTheirFiles fails for an entry in such a file.
//
//go:embed *[^t].go *[^s]t.go
var sources embed.FS
