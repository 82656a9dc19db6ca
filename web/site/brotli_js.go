package site

// In a browser nothing is sent over a network.
var brotliFiles, brotliPages, brotliNumbers *packing
