package checkpoint

import (
	"bytes"
	"encoding/json"
)

// In a browser, the strict rules are not needed: the program that published the files has already
// read them with these rules. The library for strict decoding is therefore left out.

type rawJSON = json.RawMessage

func readJSON(raw []byte, to any) error { return json.Unmarshal(raw, to) }

func readKnown(raw []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(to)
}
