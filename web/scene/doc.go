// Package scene has the views that a page tells of: the first view, the steps of the guided walk
// and the examples of the gallery. A scene is data: a text, a state of the page as its address
// writes it, and what its sentence claims of the maps (package claim). Its words are in the
// catalogue of messages, with a gap for the number of each claim:
//
//	[example.quoted-speech]
//	look = "The quotation marks read *said* {{.said}}."
//
// A test measures every claim on the shipped models.
package scene
