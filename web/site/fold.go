package site

import (
	"net/http"
	"slices"
)

// With these headers a script asks for parts of a page: the ids of the parts that are open on cards, the cards that
// it wants, and the shapes of the cards that it has. A folded part is sent when it is opened.
const (
	OpenHeader = "Atlas-Open"
	OnlyHeader = "Atlas-Only"
	HasHeader  = "Atlas-Has" // the shapes of the cards that the script has
)

// partHeaders are the headers that ask for a part of a page.
var partHeaders = []string{OpenHeader, OnlyHeader, HasHeader}

// partial reports whether a request asks for a part of a page. A cache must not serve a part as the page.
func partial(r *http.Request) bool {
	return slices.ContainsFunc(partHeaders, func(name string) bool { return len(r.Header.Values(name)) > 0 })
}
