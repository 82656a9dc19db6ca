package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/costs"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/results"
	"attnatlas/web/address"
	"attnatlas/web/api"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"
)

// apiRoutes registers the JSON API. huma documents it and answers with the
// OpenAPI description; the handlers are like those of pages, so that errors of
// both have one origin.
func (s *Server) apiRoutes(r chi.Router) {
	config := huma.DefaultConfig("Attention Atlas", s.version)
	config.Info.Description = api.Description
	config.OpenAPIPath = "/api/v1/openapi"
	config.DocsPath = ""    // its page loads scripts from elsewhere
	config.SchemasPath = "" // they are all in the OpenAPI file
	config.CreateHooks = nil
	// huma would parse a query once for each parameter that it documents: it only describes what our own
	// handlers answer.
	descriptions := chi.NewRouter()
	described := humachi.New(descriptions, config)
	for _, form := range []string{".json", ".yaml", "-3.0.json", "-3.0.yaml"} {
		r.Get(config.OpenAPIPath+form, descriptions.ServeHTTP)
	}

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
	for id, serve := range map[string]handler{"desk": s.serveDeskJSON, "hashing": s.serveHashingJSON, "reversing": s.serveReversingJSON, "pondering": s.servePonderingJSON, "reach": s.serveReachJSON, "cost": s.serveCostJSON, "examples": s.serveExamples, "explain": s.serveExplainJSON, "steps": s.serveStepsJSON, "race": s.serveRace, "compare": s.serveCompareJSON, "compare-drawing": s.serveCompareDrawing, "mechanisms": s.serveMechanisms, "attend": s.serveAttend, "drawing": s.serveDrawing, "training": s.serveTraining, "results": s.serveResultsJSON, "write": s.serveWrite} {
		r.Get(apiPath(id), s.h(serve))
	}
}

// apiPath is the path of an operation.
func apiPath(id string) string { return "/api/v1/" + id }

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
		p.Required = p.In == "path" || p.Name == "url" || p.Name == address.Text && strings.HasPrefix(path, "/api/")
	}
}

// sendJSON answers with a value.
func sendJSON(w http.ResponseWriter, v any) error {
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(v)
}

// data is a request for numbers: a state, and which layers, heads and maps of it.
type data struct {
	state address.State
	api.Query
}

// decodeData reads a request for numbers. It takes the same parameters as a page; those
// that concern only pages are checked and have no effect.
func (s *Server) decodeData(r *http.Request, others ...string) (data, error) {
	v, bad := address.ParseQuery(r.URL.RawQuery)
	st, wrong := address.Decode(v, s.vocab, "")
	if err := address.Join(bad, wrong, address.Unknown(v, append(others, address.Map)...)); err != nil {
		return data{}, err
	}
	if !v.Has(address.Text) {
		return data{}, engine.Errorf(engine.Invalid, "param.text-missing")
	}
	st.After = "" // /api/v1/training has all steps
	if !slices.Contains(others, address.Of) {
		st.Other = "" // only drawings show it here; /api/v1/compare has its numbers
	}
	d := data{state: st, Query: api.Query{AllLayers: !v.Has(address.Layer), AllHeads: !v.Has(address.Head), Maps: address.Names(v)}}
	if name := st.Show.Derived(); name != "" && len(d.Maps) == 0 {
		d.Maps = []string{name}
	}
	if methods := exhibit.MethodsOf(d.Maps...); len(methods) > 1 {
		return data{}, engine.Errorf(engine.Invalid, "param.both", "methods", messages.List(methods))
	}
	if len(d.Maps) > 0 {
		d.state = st.For(d.Maps...)
	}
	if d.state.OneLayer() {
		d.AllLayers = false // only one is measured
	}
	if !v.Has(address.Mechanisms) {
		d.state.Mechanisms = s.firstWall()
	}
	d.Choice = d.state.Choice
	return d, nil
}

// serveAttend answers GET /api/v1/attend.
func (s *Server) serveAttend(w http.ResponseWriter, r *http.Request) error {
	d, err := s.decodeData(r)
	if err != nil {
		return err
	}
	sel, err := s.inspect(r.Context(), d.state)
	if err != nil {
		return err
	}
	if err := sel.CheckNames(d.Maps); err != nil {
		return err
	}
	answer, errs := api.NewAttend(sel.Report, d.state.Mask.String()), []error{}
	for i := range sel.Report.Mechanisms {
		m, err := api.NewMechanism(sel, &sel.Report.Mechanisms[i], d.Query, language(r))
		if err != nil {
			s.logUnforeseen(r, err)
			m = api.AttendMechanism{ID: m.ID, Error: language(r).Say(messageOf(err)), RetryAfter: againAfter(err)}
		}
		answer.Mechanisms, errs = append(answer.Mechanisms, m), append(errs, err)
	}
	if err := nothingAnswered(errs); err != nil {
		return err
	}
	size := answer.Size()
	if size > mostDataBytes {
		return engine.Errorf(engine.TooLarge, "error.data-bytes", "megabytes", size>>20, "most", mostDataBytes>>20)
	}
	body, err := answer.AppendJSON(make([]byte, 0, size))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	return heldOf(r.Context()).take(body)
}

// mostDataBytes bounds an answer of numbers.
const mostDataBytes = 64 << 20

// serveMechanisms answers GET /api/v1/mechanisms.
func (s *Server) serveMechanisms(w http.ResponseWriter, r *http.Request) error {
	if _, bad := address.ParseQuery(r.URL.RawQuery); len(bad) > 0 {
		return address.Join(bad)
	}
	answer := api.Mechanisms{Version: 1, Mechanisms: []api.Mechanism{}}
	for i := range s.mechanisms {
		e := s.as(&s.mechanisms[i])
		answer.Mechanisms = append(answer.Mechanisms, api.Describe(e.Entry, e.Stack, e.mixer().ID, s.model(e.ID), language(r)))
	}
	return sendJSON(w, answer)
}

// isPart says whether one of the answers has a part of that name, which is a map of its own.
func isPart(r *engine.Report, name string) bool {
	return slices.ContainsFunc(r.Mechanisms, func(res engine.Result) bool {
		return slices.ContainsFunc(res.Parts, func(p engine.Part) bool { return p.Name == name })
	})
}

// serveDrawing answers GET /api/v1/drawing.
func (s *Server) serveDrawing(w http.ResponseWriter, r *http.Request) error {
	d, err := s.decodeData(r, address.Of, address.Numbers)
	if err != nil {
		return err
	}
	v, _ := address.ParseQuery(r.URL.RawQuery)
	of, values, bad := address.DecodeDrawing(v)
	if len(bad) > 0 {
		return address.Join(bad)
	}
	sel, second, err := s.inspectBoth(r.Context(), d.state)
	if err != nil {
		return err
	}
	named := slices.DeleteFunc(slices.Clone(d.Maps), func(name string) bool { return name == exhibit.HeadSheet || isPart(sel.Report, name) })
	if err := sel.CheckNames(named); err != nil {
		return err
	}
	if i := slices.IndexFunc(of, func(id string) bool { return sel.Result(id) == nil }); i >= 0 {
		return engine.Errorf(engine.NotFound, "error.not-in-report", "id", messages.Quote(of[i]))
	}
	answer, errs := api.Drawing{Version: 1, Mechanisms: []api.DrawingMechanism{}}, []error{}
	for i := range sel.Report.Mechanisms {
		res := &sel.Report.Mechanisms[i]
		if len(of) > 0 && !slices.Contains(of, res.ID) {
			continue
		}
		m := api.DrawingMechanism{ID: res.ID}
		if m.Maps, err = api.NewDrawing(sel, res, d.Maps, values, language(r)); err != nil {
			s.logUnforeseen(r, err)
			m.Maps, m.Error = nil, language(r).Say(messageOf(err))
		} else {
			m.Maps = append(m.Maps, secondMaps(sel, second, res.ID, values, language(r))...)
		}
		answer.Mechanisms, errs = append(answer.Mechanisms, m), append(errs, err)
	}
	if err := nothingAnswered(errs); err != nil {
		return err
	}
	return sendJSON(w, answer)
}

// secondMaps are those that a mechanism has of a second text; none where there is no second text, or
// where they cannot be compared, of which the card says why.
func secondMaps(sel, second *exhibit.Selection, id string, values bool, l *messages.Language) []api.DrawingMap {
	if second == nil {
		return nil
	}
	c, err := sel.Against(second, id)
	if err != nil {
		return nil
	}
	return api.NewSecond(c, values, l)
}
