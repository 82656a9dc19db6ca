// Package publish writes the whole product as a folder of files that any static host serves: the program compiled
// to WebAssembly (web/browser), the files that it fetches, a service worker in which it answers, and every page as it
// is before the program has come.
//
//	index.html, m/index.html, m/dense/index.html, …   pages, with their pictures; boot.js
//	sw.js                                             the service worker
//	open.html                                         a live figure: a page that computes by itself
//	attention-map.js                                  <attention-map>, for pages elsewhere
//	figures/dense.png, figures/first-wall.png, …      the figures of the first view, of examples and of mechanisms, with
//	                                                  their numbers as JSON
//	404.html                                          for addresses that no file has: it starts the engine, which knows them
//	static/HASH/…                                     style sheets, scripts, fonts
//	program/HASH/atlas.wasm.gz, engine.js, …          the program, its weights, recordings and fonts
//	program/HASH/local/…                              the same as scripts, for pages that are opened from files
//
// boot.js takes the engine's page over without loading it: what is typed, the focus, the selection and the scroll
// position stay.
//
// A page that is opened from a file may have no service worker, read no file and load no module; a frame in a sandbox
// or of another site may have no service worker, either. There boot.js loads local/page.js: the engine runs in a worker
// of the page, gets its files from the host or, where it may read none, from scripts, and answers what the page would
// ask a host for. Links lead to the files of pages, with their queries, and what has no file is handed over as a blob.
//
// All addresses are relative: the folder may lie anywhere. A program of another version has another HASH, so that
// hosts and browsers may keep everything below program/ and static/ for ever.
package publish
