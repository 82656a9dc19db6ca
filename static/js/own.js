// Cards whose models split the text differently: which tokens of a card overlap a token of the page.

/**
 * @typedef {{words: string[], spans: number[][]}} Own words: labels of the card's own tokens; spans: for each token of
 *   the page, the first of them and the one after the last
 */

/**
 * ownOf reads what the server says of a card; null: it has the page's tokens.
 * @param {HTMLElement} card
 * @returns {Own|null}
 */
export function ownOf(card) {
  const says = card.querySelector('.figure')?.dataset.own;
  return says ? JSON.parse(says) : null;
}

/** all lists a token's own ones: nothing stays nothing. */
const all = ({ spans }, i) => {
  const [first, last] = spans[i] ?? [0, 0];
  return Array.from({ length: last - first }, (_, k) => first + k);
};

/**
 * inside is where a focus of the page is in a card: on each axis a list of its own positions, or null.
 * @param {Own} own
 * @param {import('./sheet.js').Focus & {own?: object}} at
 * @param {string} id of the card: what was pointed at in it is known to the token
 */
export function inside(own, at, id) {
  if (!at) return null;
  const { row, col } =
    at.own?.id === id
      ? at.own
      : { row: at.row === null ? null : all(own, at.row), col: at.col === null ? null : all(own, at.col) };
  return { row: row === null ? null : [row].flat(), col: col === null ? null : [col].flat() };
}

/**
 * outside is where an own cell of a card is on the page; null: nothing of the page shares characters with it.
 * @param {Own} own
 * @param {{row: number|null, col: number|null}} cell
 * @param {string} id of the card
 */
export function outside({ spans }, cell, id) {
  const page = (i) => (i === null ? null : spans.findIndex(([first, last]) => first <= i && i < last));
  const row = page(cell.row), col = page(cell.col);
  return row === -1 || col === -1 ? null : { row, col, own: { id, ...cell } };
}
