package site

import (
	"net/http"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/api"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"
)

// openAPIPath is the path of the API's description, without the extension.
const openAPIPath = "/api/v1/openapi"

// routeDescription adds the routes of the OpenAPI description. The description is made at the first request, because
// that takes a fifth of a second in a browser.
func (s *Server) routeDescription(r chi.Router) {
	described := sync.OnceValue(s.description)
	for _, form := range []string{".json", ".yaml", "-3.0.json", "-3.0.yaml"} {
		r.Get(openAPIPath+form, func(w http.ResponseWriter, r *http.Request) { described().ServeHTTP(w, r) })
	}
}

// description returns the OpenAPI description of the numbers of all pages.
func (s *Server) description() http.Handler {
	config := huma.DefaultConfig("Attention Atlas", s.Version)
	config.Info.Description = api.Description
	config.OpenAPIPath = openAPIPath
	config.DocsPath = ""    // huma's page would load scripts from another site
	config.SchemasPath = "" // all schemas are in the OpenAPI file
	config.CreateHooks = nil
	routes := chi.NewRouter()
	d := describer{humachi.New(routes, config).OpenAPI(), messages.English}
	for _, p := range s.pages {
		if p.Data == nil {
			continue
		}
		if p.Data.API {
			d.add(p.Data, p.Data.ID, APIPath(p.Data.ID), d.l.T("api."+p.Data.ID))
		}
		if p.Data.Beside != "" {
			says := d.l.T("api." + p.Data.ID)
			if s.operation(p.Data.ID) {
				says = d.l.T("api.beside", "api", APIPath(p.Data.ID), "page", p.Path)
			}
			d.add(p.Data, besideID(p.Data.Beside), p.Data.Beside, says)
		}
	}
	return routes
}

// operation reports whether an operation below /api/v1 has this id.
func (s *Server) operation(id string) bool {
	return slices.ContainsFunc(s.pages, func(p Page) bool { return p.Data != nil && p.Data.API && p.Data.ID == id })
}

// besideID returns the id of the operation whose numbers stand next to a page: "steps-json" for /steps.json.
func besideID(beside string) string {
	name, isJSON := strings.CutSuffix(path.Base(beside), ".json")
	name = strings.Trim(name, "{}")
	if !isJSON {
		return name
	}
	return name + "-json"
}

// describer adds operations to an OpenAPI description.
type describer struct {
	*huma.OpenAPI
	l *messages.Language
}

// statusesOfErrors are the error statuses that every operation can answer with.
var statusesOfErrors = []int{400, 403, 404, 413, 414, 421, 422, 429, 500, 503}

// add describes one GET operation.
func (d describer) add(data *Data, id, path, summary string) {
	ok := &huma.Response{Description: http.StatusText(http.StatusOK), Content: map[string]*huma.MediaType{}}
	if data.Out != nil {
		ok.Content["application/json"] = &huma.MediaType{Schema: d.Components.Schemas.Schema(reflect.TypeOf(data.Out), true, id)}
	} else {
		for _, f := range figure.Formats {
			ok.Content[f.MediaType] = &huma.MediaType{}
		}
	}
	op := &huma.Operation{OperationID: id, Method: http.MethodGet, Path: path, Summary: summary,
		Responses: map[string]*huma.Response{"200": ok}}
	for _, name := range namesIn(path) {
		op.Parameters = append(op.Parameters, &huma.Param{Name: name, In: "path", Required: true,
			Description: d.says(data.ID, name), Schema: &huma.Schema{Type: huma.TypeString}})
	}
	for _, p := range data.Takes.Parameters() {
		if !p.Open {
			op.Parameters = append(op.Parameters, d.parameter(data.ID, path, p))
		}
	}
	failed := d.Components.Schemas.Schema(reflect.TypeFor[huma.ErrorModel](), true, "Error")
	for _, status := range statusesOfErrors {
		op.Responses[strconv.Itoa(status)] = &huma.Response{
			Description: http.StatusText(status),
			Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: failed}},
		}
	}
	if data.Asks != nil {
		op.Method = http.MethodPost
		asked := d.Components.Schemas.Schema(reflect.TypeOf(data.Asks), true, id)
		op.RequestBody = &huma.RequestBody{Required: true,
			Content: map[string]*huma.MediaType{"application/json": {Schema: asked}}}
	}
	d.AddOperation(op)
}

// parameter describes one parameter of a query. A text is required in the API; pages have a default text.
func (d describer) parameter(id, path string, p address.Parameter) *huma.Param {
	schema := &huma.Schema{Type: huma.TypeString}
	for _, v := range p.Values {
		schema.Enum = append(schema.Enum, v)
	}
	described := &huma.Param{Name: p.Key, In: "query", Description: d.says(id, p.Key), Schema: schema}
	described.Required = p.Required && (p.Key != address.Text || strings.HasPrefix(path, "/api/"))
	if explode := true; p.Listed {
		described.Schema, described.Explode = &huma.Schema{Type: huma.TypeArray, Items: schema}, &explode
	}
	return described
}

// says returns the documentation of a parameter: its text for the operation, if there is one, or the general text.
func (d describer) says(id, key string) string {
	own := "parameter." + key + "." + id
	if slices.Contains(d.l.IDs(), own) {
		return api.Documented(d.l.T(own))
	}
	return api.Documented(d.l.T("parameter." + key + ".usual"))
}

// namesIn returns the names of the parameters in a path.
func namesIn(path string) (names []string) {
	for part := range strings.SplitSeq(path, "{") {
		if name, _, found := strings.Cut(part, "}"); found {
			names = append(names, name)
		}
	}
	return names
}
