//go:build !js

package checkpoint

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// rawJSON is a JSON value that is decoded later.
type rawJSON = jsontext.Value

// readJSON decodes JSON and rejects objects that have a name twice.
func readJSON(raw []byte, to any) error { return json.Unmarshal(raw, to) }

// readKnown decodes JSON and rejects members that the target does not have.
func readKnown(raw []byte, to any) error {
	return json.Unmarshal(raw, to, json.RejectUnknownMembers(true))
}
