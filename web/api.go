package web

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"
)

// apiRoutes registers the JSON API. huma documents it and answers with the
// OpenAPI description; the handlers are like those of pages, so that errors of
// both have one origin.
func (s *Server) apiRoutes(r chi.Router) {
	config := huma.DefaultConfig("Attention Atlas", s.version)
	config.Info.Description = "Attention maps of trained models. Layers and heads count from 1. " +
		"Errors are application/problem+json: 400 for a wrong parameter or an empty text, 404 for a mechanism, layer or head " +
		"that does not exist, 413 for a text of more than 64 KiB, 422 for what a mechanism is not defined for, 503 when busy. " +
		"They concern requests that no mechanism could answer; otherwise the mechanism that could not answer carries an error of its own."
	config.OpenAPIPath = "/api/v1/openapi"
	config.DocsPath = ""    // its page loads scripts from elsewhere
	config.SchemasPath = "" // they are all in the OpenAPI file
	config.CreateHooks = nil
	api := humachi.New(r, config)

	document[mechanismsInput, Mechanisms](api, "mechanisms", "/api/v1/mechanisms", "The catalogue of mechanisms and stacks", s.h(s.mechanisms))
	document[attendInput, Attend](api, "attend", "/api/v1/attend", "What mechanisms and stacks do with a text", s.h(s.attend))
	document[drawingInput, Drawing](api, "drawing", drawingPath, "The cells of maps as the pages draw them, for the scripts of the pages; it may change with them", s.h(s.drawing))
	document[writeInput, Write](api, "write", "/api/v1/write", "What the encoder–decoder writes, step by step, and what it reads for it", s.h(s.writeAPI))
}

type mechanismsInput struct{}

// attendInput documents the parameters; decodeAttend reads them.
type attendInput struct {
	Text  string `query:"text" doc:"The text, at most 65536 bytes"`
	M     string `query:"m" doc:"Ids of mechanisms and stacks, separated by commas; albert.linformer is a stack with another mixer; default dot-product,random,dense,fastformer"`
	Layer string `query:"layer" doc:"A layer, from 1; default all layers, or the first with influence, which is measured for one layer. Of Universal, a step"`
	Head  string `query:"head" doc:"A head, from 1, or mean; default all heads. Of classes, such as buckets, and of features of heads, which have no mean, mean is head 1"`
	Mask  string `query:"mask" doc:"none or causal; default none"`
	Map   string `query:"map" doc:"Names of maps, separated by commas; default all maps. The name influence asks for ‖∂yᵢ/∂xⱼ‖: how much the output of the layer's mixer at position i moves when its input at j moves, along every path and through all heads together (Frobenius norm of the block of the Jacobian); every mechanism has it, and every stack but the encoder–decoder. The name rollout asks for attention rollout after each layer (Abnar and Zuidema 2020): rows of 0.5·A + 0.5·I, mean of the heads, multiplied through the layers; not all mechanisms have it. Names of the maps of a whole stack, such as effective weights, are allowed too"`
	Show  string `query:"show" enum:"maps,influence,rollout" doc:"influence and rollout are short for map=influence and map=rollout where no map is named; default maps"`
}

// writeInput documents the parameters; decodeWriteAPI reads them.
type writeInput struct {
	Text  string `query:"text" doc:"The text whose words are to be written in reverse, of at most 24 word pieces"`
	Layer string `query:"layer" doc:"A layer, from 1; default all layers"`
	Head  string `query:"head" doc:"A head, from 1, or mean; default all heads"`
	Map   string `query:"map" doc:"Of cross, decoder, encoder and encoder-rollout those that are wanted, separated by commas; default all of them"`
}

// document registers a GET operation whose handler writes the answer itself.
func document[In, Out any](api huma.API, id, path, summary string, handler http.HandlerFunc) {
	schema := api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[Out](), true, id)
	op := huma.Operation{
		OperationID: id, Method: http.MethodGet, Path: path, Summary: summary,
		Responses: map[string]*huma.Response{"200": {
			Description: "OK",
			Content:     map[string]*huma.MediaType{"application/json": {Schema: schema}},
		}},
		Errors: []int{400, 404, 413, 422, 500, 503},
	}
	huma.Register(api, op, func(context.Context, *In) (*huma.StreamResponse, error) {
		return &huma.StreamResponse{Body: func(ctx huma.Context) {
			r, w := humachi.Unwrap(ctx)
			handler(w, r)
		}}, nil
	})
	// Declared as required above, huma would refuse its absence in its own words.
	for _, p := range api.OpenAPI().Paths[path].Get.Parameters {
		p.Required = p.Name == keyText
	}
}
