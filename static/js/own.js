// Cards that show other tokens than the page, or in another order: which of them overlap a token of the page.

/**
 * @typedef {{words: string[], numbers?: number[], places: number[][]}} Own words: labels of the card's own tokens;
 *   numbers: their positions in the text, from 1, if they are in another order; places: for each token of the page,
 *   those that share characters with it
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
const all = ({ places }, i) => places[i] ?? [];

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
export function outside({ places }, cell, id) {
  const page = (i) => (i === null ? null : places.findIndex((own) => own.includes(i)));
  const row = page(cell.row), col = page(cell.col);
  return row === -1 || col === -1 ? null : { row, col, own: { id, ...cell } };
}
