// Package components draws the pages of Attention Atlas with templ. A component
// takes a view model (view.go) and calls nothing: no engine, no URL building,
// no clock. Whatever a component prints, the server has decided.
//
// # What the page promises to its scripts
//
// The scripts of package static enhance this HTML and depend on these hooks:
//
//   - <main id="wall" data-src="…"> names the JSON of exactly this state, in the
//     form of /api/v1/attend for one layer and one head.
//
//   - <form id="controls"> is the whole state; a control's name is its key in
//     the URL. Checkboxes of one name repeat their key.
//
//   - the id of a control is "c-" and what it controls: c-text, c-layer,
//     c-head, c-norm, c-scale, c-mask, c-theme.
//
//   - <article class="card" id="card-{mechanism}" data-mechanism="{mechanism}">
//     holds a <div class="map" data-map="{name of the map in the JSON}">, and
//     per strip a <div class="strip" data-map="{name}">.
//
//   - <details class="more" data-src="…"> holds the card's other maps, and data-src
//     names their JSON: fetched when it is opened. Any other element of this class is
//     fetched at once. In it <figure class="view" data-map="…" data-form="…"> holds
//     a <div class="sheet"> for the pixels and a <p class="view-read"> for the read-out,
//     and <a class="plane" data-plane="…"> chooses a plane of a stack.
//
//   - <ol id="tokens"> has a <button class="hide"> beside words, which sends the form with
//     the key and value that hide the word behind [MASK] or show it again.
//
//   - <div class="prediction now"> shows the next words after one token; those after the
//     token of row i are in the <details class="every"> beside it, in [data-at="i"].
//
//   - <main class="writing" data-src="…"> is the page of the encoder–decoder: data-src names
//     the JSON of its maps, <a class="step" data-step="…"> chooses a step, which
//     <section id="step-…"> tells of, and <svg class="marked"> frames its row.
//
//   - <nav id="depth"> leads through layers that share their weights: its links are
//     #depth-back and #depth-next, and #depth-play is the button beside it.
//
// Beyond the JSON's documented form the scripts read one optional member of a
// map: "reach", a string of '1' and '0' with one character per cell, row by
// row; '0' marks the cells that the mask or the mechanism's pattern forbids.
// Without it every cell is permitted.
//
// The pinned cell is the key "pin" with the value "row.column", both counted
// from 1 like layers and heads.
package components
