package checkpoint

import (
	"bytes"
	"encoding/json"
)

// In a browser the files are those that the program which published them has read by the strict rules: the library
// for these is left out.

type rawJSON = json.RawMessage

func readJSON(raw []byte, to any) error { return json.Unmarshal(raw, to) }

func readKnown(raw []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(to)
}
