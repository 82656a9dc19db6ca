package webtest

import (
	"encoding/json"
	"net/http"
	"reflect"
	"testing"

	"github.com/danielgtaylor/huma/v2"
)

// Parameter is a parameter in the API's Description.
type Parameter struct {
	Name     string
	Required bool
}

// Description is a client's view of the API's description.
type Description struct {
	Paths map[string]struct {
		Get struct {
			Parameters []Parameter
			Responses  map[string]struct {
				Content map[string]struct{ Schema map[string]any }
			}
		}
	}
	Components struct {
		Schemas map[string]struct{ Properties map[string]any }
	}
}

// DescriptionOf returns the description of the API.
func DescriptionOf(t *testing.T, s http.Handler) (d Description) {
	t.Helper()
	if err := json.Unmarshal(Get(s, "/api/v1/openapi.json").Body.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// Valid checks an answer against the schema of its type.
func Valid[T any](t *testing.T, registry huma.Registry, body []byte) {
	t.Helper()
	var parsed any
	if err := json.Unmarshal(body, &parsed); err != nil {
		t.Fatal(err)
	}
	var result huma.ValidateResult
	schema := huma.SchemaFromType(registry, reflect.TypeFor[T]())
	huma.Validate(registry, schema, huma.NewPathBuffer(nil, 0), huma.ModeReadFromServer, parsed, &result)
	for _, err := range result.Errors {
		t.Error(err)
	}
}
