// Package web serves Attention Atlas over HTTP: pages, figures and the JSON API. It lists all pages. Each page has a
// folder of its own, and package site serves them.
//
// A handler decodes the address into a State (package address), asks an Inspector for a report, selects what the page
// shows (package exhibit) and passes it to an encoder: a component, a figure's format, or the API's types (package
// api). It chooses no map, normalises none and computes no attention.
//
// The address is the only state of a page. The server remembers nothing about visitors, and its caches may be emptied
// at any time. Requests are GET or HEAD, except POST for cost measurements and for questions as JSON.
package web
