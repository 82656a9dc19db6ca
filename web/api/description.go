package api

// Description introduces the API and its error responses.
const Description = "Attention maps of trained models. Layers and heads count from 1. " +
	"Errors are application/problem+json: 400 for a wrong parameter or an empty text, 404 for a mechanism, layer or head " +
	"that does not exist, 413 for a text of more than 64 KiB, 414 for parameters of more than 208 KiB, 422 for what a mechanism is not defined for, 429 and 503 when busy, with the seconds after which it is worth asking again in Retry-After. " +
	"They concern requests that no mechanism could answer; otherwise the mechanism that could not answer carries an error of its own. " +
	"What is documented here keeps its name, type and meaning while version is 1; parameters and keys may be added. " +
	"drawing and compare-drawing, which are for the scripts of the pages, may change with them."
