// Package scene holds the views that pages describe: the first view, the steps of the tour and the examples of the
// gallery. A scene is data: a text, a state of the page as an address, and the claims of its sentence about the
// maps (package claim). The sentence is in the catalogue of messages, with a placeholder for the number of each
// claim:
//
//	[example.quoted-speech]
//	look = "The quotation marks read *said* {{.said}}."
//
// A test measures every claim on the bundled models.
package scene
