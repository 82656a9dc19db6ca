package site

import (
	"net/http"
	"slices"
)

// Headers with which a script asks for the page of a state: which of the parts that are folded away on cards
// are open, by their ids, and of which cards anything is wanted. What is folded is sent when it is opened.
const (
	OpenHeader = "Atlas-Open"
	OnlyHeader = "Atlas-Only"
	HasHeader  = "Atlas-Has" // the shapes of the cards that the script has
)

// partHeaders are those that ask for a part of a page.
var partHeaders = []string{OpenHeader, OnlyHeader, HasHeader}

// partial reports whether a request asks for a part of a page, which no cache may give to others as the page.
func partial(r *http.Request) bool {
	return slices.ContainsFunc(partHeaders, func(name string) bool { return len(r.Header.Values(name)) > 0 })
}
