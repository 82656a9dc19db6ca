// Package site is the server without its pages: routes, bounds, access, errors, caches and the catalogue. Pages are
// registered as a list, from which everything follows that is made for all of them.
//
// What a request may cost, and who may ask, is decided before a handler sees it (handler.go has the order; bounds.go,
// access.go, response.go and package admission the bounds): a page that is added inherits all of it.
package site
