// Package web serves Attention Atlas over HTTP: pages, figures and the JSON
// API. A handler decodes the URL into a State (package address), asks an
// Inspector for a report, selects what is shown of it (package exhibit) and hands
// it to an encoder: a component, a figure's format, the API's types (package api).
// It chooses no map, normalises none and computes no attention.
//
// What a request may cost, and who may ask, is decided before a handler sees it
// (routes.go has the order; guard.go, access.go, hold.go and package admission the
// bounds): a route that is added inherits all of it.
//
// The URL is the only state: everything is GET or HEAD, nothing is remembered
// between requests but a cache that may be emptied at any time.
package web
