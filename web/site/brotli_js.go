package site

// In a browser nothing is sent over a network.
var brotliPages, brotliNumbers *packing
