// Package address is the codec between addresses and what they ask for: the State of a
// page, the figure of an export, and the links from one to another.
//
// The URL is the only state. Two equal states have the same canonical URL, in which a
// parameter with its usual value is left out, and the reverse. Each parameter is one line
// of a table (params.go): its key, how it is read and how it is written.
package address
