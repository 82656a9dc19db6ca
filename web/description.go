package web

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/costs"
	"attnatlas/engine/figure"
	"attnatlas/engine/results"
	"attnatlas/web/address"
	"attnatlas/web/api"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"
)

// description answers with the OpenAPI description, which huma makes: when it is first asked for, as that takes a fifth of a
// second in a browser.
func (s *Server) description() http.Handler {
	config := huma.DefaultConfig("Attention Atlas", s.version)
	config.Info.Description = api.Description
	config.OpenAPIPath = openAPIPath
	config.DocsPath = ""    // its page loads scripts from elsewhere
	config.SchemasPath = "" // they are all in the OpenAPI file
	config.CreateHooks = nil
	// huma would parse a query once for each parameter that it documents: it only describes what our own
	// handlers answer.
	descriptions := chi.NewRouter()
	described := humachi.New(descriptions, config)

	document[api.MechanismsInput, api.Mechanisms](described, "mechanisms", "The catalogue of mechanisms and stacks")
	document[api.AttendInput, api.Attend](described, "attend", "What mechanisms and stacks do with a text")
	document[api.DrawingInput, api.Drawing](described, "drawing", "The cells of maps as the pages draw them, for the scripts of the pages; it may change with them")
	document[api.TrainingInput, api.Training](described, "training", "How maps came to be: what they were after some forty steps of the training")
	document[api.MechanismsInput, results.Results](described, "results", "What was measured of the models: losses in nats, shares of right answers, costs of training, floors")
	document[api.CostInput, costs.Report](described, "cost", "What mechanisms cost: time and memory as measured on this machine, operations and parameters as counted, and what others claim")
	document[api.WriteInput, api.Write](described, "write", "What the encoder–decoder writes, step by step, and what it reads for it")
	document[api.CompareInput, api.Compare](described, "compare", "Two maps and how they differ: difference, divergence of rows, rank correlation, largest differences")
	document[api.CompareDrawingInput, api.Drawing](described, "compare-drawing", "The cells of two maps and of their difference as the pages draw them, for the scripts of the pages; it may change with them")
	document[api.RaceInput, api.Race](described, "race", "How models guess hidden words: one board for each word, the best first")
	document[api.MechanismsInput, api.Examples](described, "examples", "The examples of the gallery, with the numbers that their sentences say as they are measured now")
	document[api.ExplainInput, api.Explain](described, "explain", "Where a number of a map comes from: the numbers that it was made of, step by step")
	document[api.StepsInput, api.Steps](described, "steps", "A forward pass through one layer, step by step, from the words to the guess")
	document[api.DeskInput, api.Desk](described, "desk", "What becomes of a map, a loss and guesses where a model computes otherwise than it learned")
	documentAt[api.OEmbedInput, api.OEmbed](described, "oembed", oEmbedPath, "How a program shows one of our pages in its own (oEmbed 1.0)")
	documentAt[api.AttendInput, api.Attend](described, "wall-json", "/wall.json", "What /api/v1/attend answers, for the query of the page /")
	documentAt[api.AttendInput, api.Attend](described, "embed-json", embedPath+".json", "What /api/v1/attend answers, for the query of the page /embed")
	documentAt[api.MechanismsInput, api.About](described, "about-json", "/about.json", "The models and where they come from, and what is measured of maps")
	documentAt[api.SourceInput, api.Source](described, "source-json", "/m/{mechanism}/source.json", "The file in which a mechanism is written, and which of its lines compute which steps")
	documentAt[api.TakeInput, api.Take](described, "take-json", "/take/{id}.json", "A figure to take along: its file, and what goes with it")
	documentAt[api.MechanismsInput, api.Mechanisms](described, "m-json", "/m.json", "What /api/v1/mechanisms answers")
	documentAt[api.PageInput, api.Attend](described, "mechanism-json", "/m/{mechanism}.json", "What /api/v1/attend (of the encoder–decoder /api/v1/write) answers, for the query of the page /m/{mechanism}")
	documentAt[api.CompareInput, api.Compare](described, "compare-json", "/compare.json", "What /api/v1/compare answers, for the query of the page /compare")
	documentAt[api.StepsInput, api.Steps](described, "steps-json", "/steps.json", "What /api/v1/steps answers, for the query of the page /steps")
	document[api.OneInput, engine.Pondering](described, "pondering", "How long each word of a text is thought about: halting probabilities, their sum and the remainder, step by step")
	documentAt[api.OneInput, engine.Pondering](described, "pondering-json", "/pondering.json", "What /api/v1/pondering answers, for the query of the page /pondering")
	document[api.OneInput, engine.Reversing](described, "reversing", "Reversible layers computed back: how far rounding moves their inputs, and what need not be kept")
	documentAt[api.OneInput, engine.Reversing](described, "reversing-json", "/reversing.json", "What /api/v1/reversing answers, for the query of the page /reversing")
	document[api.HashingInput, engine.Hashing](described, "hashing", "How a layer of Reformer hashes a text, from the words to the map, and what it misses")
	documentAt[api.HashingInput, engine.Hashing](described, "hashing-json", "/hashing.json", "What /api/v1/hashing answers, for the query of the page /hashing")
	documentAt[api.DeskInput, api.Desk](described, "desk-json", "/desk.json", "What /api/v1/desk answers, for the query of the page /desk")
	document[api.ReachInput, costs.Hearing](described, "reach", "After how many layers one word has heard of another")
	documentAt[api.ReachInput, costs.Hearing](described, "reach-json", "/reach.json", "What /api/v1/reach answers")
	documentAt[api.CostInput, costs.Report](described, "cost-json", "/cost.json", "What /api/v1/cost answers")
	documentAt[api.ExplainInput, api.Explain](described, "explain-json", "/explain.json", "What /api/v1/explain answers, for the query of the page /explain")
	documentAt[api.MechanismsInput, api.Examples](described, "gallery-json", "/gallery.json", "What /api/v1/examples answers")
	documentAt[api.MechanismsInput, results.Results](described, "results-json", "/results.json", "What /api/v1/results answers")
	documentFigures(described, "A map as a file: MECHANISM.FORMAT, such as dense.png")
	return descriptions
}

// documentFigures describes /export/{file}, whose answers are files.
func documentFigures(described huma.API, summary string) {
	documentAt[api.FigureInput, api.FigureFile](described, "export", "/export/{file}", summary)
	content := map[string]*huma.MediaType{}
	for _, f := range figure.Formats {
		content[f.MediaType] = &huma.MediaType{}
	}
	described.OpenAPI().Paths["/export/{file}"].Get.Responses["200"].Content = content
}

// document describes an operation of the API.
func document[In, Out any](described huma.API, id, summary string) {
	documentAt[In, Out](described, id, apiPath(id), summary)
}

// documentAt describes a GET operation whose handler writes the answer itself.
func documentAt[In, Out any](described huma.API, id, path, summary string) {
	schema := described.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[Out](), true, id)
	op := huma.Operation{
		OperationID: id, Method: http.MethodGet, Path: path, Summary: summary,
		Responses: map[string]*huma.Response{"200": {
			Description: "OK",
			Content:     map[string]*huma.MediaType{"application/json": {Schema: schema}},
		}},
		Errors: []int{400, 403, 404, 413, 414, 421, 422, 429, 500, 503},
	}
	huma.Register(described, op, func(context.Context, *In) (*huma.StreamResponse, error) {
		return nil, errors.ErrUnsupported // it is only described here
	})
	// Declared as required above, huma would refuse its absence in its own words.
	for _, p := range described.OpenAPI().Paths[path].Get.Parameters {
		p.Description = api.Documented(p.Description)
		p.Schema.Description = api.Documented(p.Schema.Description)
		p.Schema.Enum = api.Enumerated(p.Schema.Enum)
		p.Required = p.In == "path" || p.Name == "url" || p.Name == address.Text && strings.HasPrefix(path, "/api/")
	}
}
