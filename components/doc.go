// Package components draws the pages of Attention Atlas with templ. A component
// takes a view model (view.go) and calls nothing: no engine, no URL building,
// no clock. Whatever a component prints, the server has decided.
//
// # What the page promises to its scripts
//
// The scripts of package static enhance this HTML and depend on these hooks:
//
//   - <script id="messages"> has the texts of the catalogue that scripts say, and the
//     attribute lang of the page their language.
//
//   - <main id="main" data-src="…"> names the drawing of exactly this state, an answer
//     of /api/v1/drawing. It does not depend on colour scale and theme: the scripts change
//     these by themselves, with all addresses in the page that carry them. Its data-verb is
//     what a row does with a column.
//
//   - elements with data-part and an id are replaced, with their data, by those of another
//     state's page. Everything else of a page stays.
//
//   - <form id="controls"> is the whole state; a control's name is its key in
//     the URL. Checkboxes of one name repeat their key.
//
//   - the id of a control is "c-" and its name: c-text, c-layer, c-head, c-norm, c-cmap,
//     c-mask, c-theme. The first options of c-cmap and c-theme are the defaults.
//
//   - <article class="card" id="card-{mechanism}" data-mechanism="{mechanism}">
//     holds a <div class="map" data-map="{name of the map in the drawing}">, and
//     per strip a <div class="strip" data-map="{name}">. On these and on views data-saying
//     is the id of the text that says a value with its unit, where there is one.
//
//   - a card's data-shape names what of it is the same for other texts. A script that says which it has gets in the
//     place of such a card one with data-same, which holds only what is said of the text: in the rest every
//     data-query of the cards, a part of addresses, is that of the new page.
//
//   - <details class="more" data-src="…"> holds the card's other maps, and data-src
//     names their drawing: fetched when it is opened. Any other element of this class is
//     fetched at once. In it <figure class="view" data-map="…"> holds
//     a <div class="sheet"> for the pixels and a <p class="view-read"> for the read-out,
//     and <a class="plane" data-plane="…"> chooses a plane of a stack.
//
//   - <ol id="tokens"> has a <button class="hide"> beside words, which sends the form with
//     the key and value that hide the word behind [MASK] or show it again.
//
//   - <div class="prediction now" data-first="…"> shows the next words after one token, whose
//     number it names; those after the token of row i are in the <details class="every">
//     beside it, in [data-at="i"].
//
//   - <main class="writing" data-src="…"> is the page of the encoder–decoder: data-src names
//     the drawing of its maps, <a class="step" data-step="…"> chooses a step, which
//     <section id="step-…"> tells of, and <svg class="marked"> frames its row.
//
//   - <nav id="depth"> leads through layers that share their weights: its links are
//     #depth-back and #depth-next, and #depth-play is the button beside it.
//
//   - <svg class="arcs"> in a map is one row of it as arcs: the scripts draw other rows into it.
//
// What is pinned is the key "pin": a cell has the value "row.column", a row "row", both counted
// from 1 like layers and heads.
package components
