// Package web serves Attention Atlas over HTTP: pages, figures and the JSON
// API. A handler decodes the URL into a State, asks an Inspector for a report
// and hands a view of it to a component, an encoder or a figure. It computes no
// attention itself. What the encoder–decoder writes comes from a Writer instead.
//
// The URL is the only state: everything is GET or HEAD, nothing is remembered
// between requests but a cache that may be emptied at any time.
package web
