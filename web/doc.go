// Package web serves Attention Atlas over HTTP: pages, figures and the JSON API. It is the list of all pages, each of
// which has a folder of its own; package site serves them.
//
// A handler decodes the address into a State (package address), asks an Inspector for a report, selects what is shown
// of it (package exhibit) and hands it to an encoder: a component, a figure's format, the API's types (package api). It
// chooses no map, normalises none and computes no attention.
//
// The address is the only state: everything is GET or HEAD, and nothing is remembered between requests but a cache that
// may be emptied at any time.
package web
