// The visitor's own matrix as the card of an enlarged map. It has no address, because its numbers never leave the
// browser.

/** @typedef {{row: number, col: number}} Cell */

/**
 * enlargeable returns the members of a card that static/js/large.js needs.
 * @param {string} id
 * @param {HTMLElement} element the card
 * @param {import('./view.js').View} view of the matrix
 * @param {import('./wall.js').Wall} wall
 */
export function enlargeable(id, element, view, wall) {
  const { map, pairs } = view, labels = (side) => Array.from({ length: side.count }, (_, i) => side.name(i));
  let cell = null; // under the pointer, if the cells are no pairs of the text's words
  const card = {
    id,
    local: true,
    element,
    map: view,
    name: element.querySelector('h2').textContent,
    figure: element.querySelector('.view'),
    words: labels(view.cols),
    own: null,
    strips: [],
    counts: false,
    block: (at) => at,
    here: (at) => at,
    row: (row) => view.rank(Array.from({ length: map.cols }, (_, col) => ({ row, col }))),
    leave: (at) => at,
  };
  if (pairs) return card;
  const [rows, cols] = [view.rows, view.cols].map(labels);
  return Object.assign(card, {
    drawing: {
      ...map,
      axes: [
        { role: 'query', title: '', labels: rows },
        { role: 'key', title: '', labels: cols },
      ],
    },
    focus: () => cell,
    says: () => view.readCell(cell.row, cell.col),
    leave(at) {
      cell = at;
      wall.large.draw(null);
      return null;
    },
  });
}
