// Package atlas assembles the whole server: the engine, the catalogues, and the measurements and recordings of the
// models of one folder. The program, the program for browsers and the browser tests get their server from it.
package atlas

import (
	"cmp"
	"io/fs"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/explain"
	"attnatlas/engine/recording"
	"attnatlas/engine/results"
	"attnatlas/engine/unroll"
	"attnatlas/engine/version"
	"attnatlas/web"
	"attnatlas/web/reports"
	"attnatlas/web/site"
)

// New returns a server of the user's own models in a folder, or of the bundled models if own is nil. The options say
// how the server runs. New sets those that the models determine, and Cost and Version if they are empty. It fails if
// the folder's results cannot be read, or if web.New fails.
func New(own fs.FS, o site.Options) (*site.Server, error) {
	e, folder, recordings := engine.New(), checkpoint.Folder(), recording.Shipped()
	if own != nil {
		e, folder, recordings = engine.NewIn(own), own, recording.NewStore(own)
	}
	measured, err := results.Read(folder)
	if err != nil {
		return nil, err
	}
	o.Inspector, o.Vocabulary = Answers(e), e.Vocabulary()
	o.Entries, o.Stacks, o.Models = attention.Catalog, encoder.Stacks, e.Models()
	o.Info, o.Own, o.Live.Weights = e.Info, own != nil, e.File
	o.Results, o.Recordings = measured, recordings
	o.Version = cmp.Or(o.Version, version.Current())
	if o.Cost == nil {
		o.Cost = e.Cost
	}
	return web.New(o)
}

// answers is an engine with the methods that explain and unroll its passes.
type answers struct {
	*engine.Engine
	explain.Explainer
	unroll.Unroller
}

// Answers returns the Inspector of a server: the engine, its explanations and its unrolled mechanisms.
func Answers(e *engine.Engine) reports.Inspector {
	return answers{e, explain.New(e), unroll.New(e)}
}
