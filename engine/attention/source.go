package attention

import "embed"

// sources are the files in which mechanisms are written.
//
//go:embed bigbird.go dense.go dotproduct.go factorizeddense.go factorizedrandom.go fastformer.go fixedrandom.go linear.go linformer.go longformer.go mixture.go poolingformer.go random.go reformer.go residualshuffle.go shuffleexchange.go
var sources embed.FS
