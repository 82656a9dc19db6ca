// Package components draws the pages of Attention Atlas with templ. A component takes a view model
// (view.go). It does not call the engine, build URLs or read the clock; the server decides
// everything that a component prints.
//
// # Hooks for scripts
//
// The scripts of package static enhance this HTML and depend on these hooks:
//
//   - <script id="messages"> holds the texts of the catalogue for scripts. The attribute lang of
//     the page is their language.
//
//   - <main id="main" data-src="…"> names the drawing of exactly this state, a response
//     of /api/v1/drawing. It does not depend on colour map and theme: the scripts change
//     these themselves, in all URLs of the page. Its data-verb is the verb between a row
//     and a column.
//
//   - elements with data-part and an id are replaced, with their data, by those of another
//     state's page. Everything else in a page stays.
//
//   - <form id="controls"> is the whole state. A control's name is its key in
//     the URL. Checkboxes with one name repeat their key.
//
//   - the id of a control is "c-" and its name: c-text, c-layer, c-head, c-norm, c-cmap,
//     c-mask, c-theme. The first options of c-cmap and c-theme are the defaults.
//
//   - <article class="card" id="card-{mechanism}" data-mechanism="{mechanism}">
//     holds a <div class="map" data-map="{name of the map in the drawing}">, and
//     per strip a <div class="strip" data-map="{name}">. On these and on views, data-saying
//     is the id of the text for a value with its unit, if there is one.
//
//   - a card's data-shape names the part of it that is the same for other texts. If a script states that it
//     has this shape, the server sends a card with data-same instead, which holds only the text-dependent
//     part. In the rest, every data-query of the cards, a part of URLs, is that of the new page.
//
//   - <details class="more" data-src="…"> holds the card's other maps, and data-src
//     names their drawing: fetched when it is opened. Any other element of this class is
//     fetched at once. In it, <figure class="view" data-map="…"> holds
//     a <div class="sheet"> for the pixels and a <p class="view-read"> for the read-out,
//     and <a class="plane" data-plane="…"> selects a plane of a stack.
//
//   - <ol id="tokens"> has a <button class="hide"> next to words, which sends the form with
//     the key and value that mask the word or restore it.
//
//   - <div class="prediction now" data-first="…"> shows the predictions after one token, whose
//     number it names. Those after the token of row i are in the <details class="every">
//     next to it, in [data-at="i"].
//
//   - <main class="writing" data-src="…"> is the page of the encoder–decoder: data-src names
//     the drawing of its maps, <a class="step" data-step="…"> selects a decoding step, which
//     <section id="step-…"> describes, and <svg class="marked"> frames its row.
//
//   - <nav id="depth"> steps through layers that share their weights: its links are
//     #depth-back and #depth-next, and #depth-play is the button next to it.
//
//   - <svg class="arcs"> in a map is one row of it as arcs: the scripts draw other rows into it.
//
// The pin has the key "pin": the value "row.column" for a cell, and "row" for a row, both counted
// from 1 like layers and heads.
package components
