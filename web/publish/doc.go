// Package publish writes the whole product as a folder of files that any static host serves: the program compiled to
// WebAssembly (web/browser), the files that it fetches, a service worker in which it answers, and a file of every page
// for the time until the program has started.
//
//	index.html, m/index.html, m/dense/index.html, …   pages, with their pictures; boot.js
//	sw.js                                             the service worker
//	open.html                                         a live figure: a page that computes by itself
//	attention-map.js                                  <attention-map>, for pages elsewhere
//	figures/dense.png, figures/first-wall.png, …      the figures of the first view, of examples and of mechanisms, with
//	                                                  their numbers as JSON
//	404.html                                          for addresses without a file: it starts the engine
//	static/HASH/…                                     style sheets, scripts, fonts
//	program/HASH/atlas.wasm.gz, engine.js, …          the program, its weights, recordings and fonts
//	program/HASH/local/…                              the same as scripts, for pages that are opened from files
//
// boot.js replaces the page of a file by the engine's page without a reload. The typed text, the focus, the selection
// and the scroll position stay.
//
// A page that is opened from a file cannot use service workers, read files or load modules. A frame in a sandbox or
// of another site cannot use service workers either. There boot.js loads local/page.js. The engine then runs in a
// worker of the page, gets its files from the host or, without access to them, from scripts, and answers the page's
// requests. Links lead to the files of pages, with their queries. Answers without a file become blobs.
//
// All addresses are relative, so the folder can be anywhere. Another version of the program has another HASH, so
// hosts and browsers may keep everything below program/ and static/ for ever.
package publish
