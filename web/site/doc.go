// Package site is the server without its pages: routes, limits, access, errors, caches and the catalogue. Pages are
// registered as a list. Everything that is made for all pages follows from that list.
//
// The limits on the cost of a request and on its client are applied before a handler sees it, so every new page has
// them. See handler.go for their order, and bounds.go, access.go, response.go and package admission for the limits.
package site
