// Package address converts between URLs and requests: the State of a page, the figure of an export,
// and the links between them.
//
// The URL is the only state. Equal states have the same canonical URL, which leaves out parameters
// with their default values. Each parameter is one entry of a table (params.go): its key, how to
// read it and how to write it.
package address
