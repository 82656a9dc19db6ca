// Package atlas puts the whole server together: the engine, the catalogues, and what was measured and recorded of the
// models of one folder. The program, the program for browsers and the browser tests have their server from here.
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
	"attnatlas/web"
	"attnatlas/web/site"
)

// New makes the server of a folder of the user's own models; nil: of the embedded ones. The options say how it is run;
// New fills in what the models decide, and Cost and Version where they are empty. The error is that of the folder's
// results, or of web.New.
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
	o.Version = cmp.Or(o.Version, Version())
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

// Answers returns what a server asks: the engine, its explanations and its unrolled mechanisms.
func Answers(e *engine.Engine) site.Inspector {
	return answers{e, explain.New(e), unroll.New(e)}
}
