//go:build !js

package checkpoint

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// rawJSON is a part that is read later.
type rawJSON = jsontext.Value

// readJSON reads JSON, in which no object has a name twice.
func readJSON(raw []byte, to any) error { return json.Unmarshal(raw, to) }

// readKnown reads JSON of which objects have no other members than where they are read to.
func readKnown(raw []byte, to any) error {
	return json.Unmarshal(raw, to, json.RejectUnknownMembers(true))
}
