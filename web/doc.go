// Package web serves Attention Atlas over HTTP: pages, figures and the JSON
// API. A handler decodes the URL into a State (package address), asks an
// Inspector for a report, selects what is shown of it (package exhibit) and hands
// it to an encoder: a component, a figure's format, the API's types (package api).
// It chooses no map, normalises none and computes no attention.
//
// The URL is the only state: everything is GET or HEAD, nothing is remembered
// between requests but a cache that may be emptied at any time.
package web
