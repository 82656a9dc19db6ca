package api

// Description introduces the API and its error responses.
const Description = "Attention maps of trained models. Layers and heads count from 1. " +
	"Errors are application/problem+json. Status 400 means a wrong parameter or an empty text, " +
	"404 a mechanism, layer or head that does not exist, " +
	"413 a text of more than 64 KiB, 414 parameters of more than 208 KiB, " +
	"and 422 a request for which the mechanism is not defined. " +
	"Status 429 means that the client sends too many requests, and 503 that the server is busy. " +
	"Both have a header Retry-After with the number of seconds after which to retry. " +
	"A request fails only if no mechanism can answer it. " +
	"Otherwise each mechanism that cannot answer has an error of its own in the response. " +
	"While version is 1, everything documented here keeps its name, type and meaning; " +
	"new parameters and keys can be added. " +
	"The exceptions are drawing and compare-drawing, which serve the scripts of the pages and can change with them."
