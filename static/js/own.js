// Cards that show other tokens than the page, or in another order: which of them overlap a token of the page.

/**
 * @typedef {{words: string[], numbers?: number[], places: number[][]}} Own words: labels of the card's own tokens;
 *   numbers: their positions in the text, from 1, if they are in another order; places: for each token of the page,
 *   those that share characters with it
 */

/**
 * ownOf returns the own tokens of a card, or null if the card has the tokens of the page.
 * @param {HTMLElement} card
 * @returns {Own|null}
 */
export function ownOf(card) {
  const says = card.querySelector('.figure')?.dataset.own;
  return says ? JSON.parse(says) : null;
}

/** all lists the own tokens for a token of the page; there may be none. */
const all = ({ places }, i) => places[i] ?? [];

/**
 * inside returns the place of a focus of the page in a card: on each axis a list of its own positions, or null.
 * @param {Own} own
 * @param {import('./sheet.js').Focus & {own?: object}} at
 * @param {string} id of the card: a focus that was set in this card includes its own cell
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
 * outside returns the place of a card's cell on the page, or null if no token of the page shares characters with it.
 * @param {Own} own
 * @param {{row: number|null, col: number|null}} cell
 * @param {string} id of the card
 */
export function outside({ places }, cell, id) {
  const page = (i) => (i === null ? null : places.findIndex((own) => own.includes(i)));
  const row = page(cell.row), col = page(cell.col);
  return row === -1 || col === -1 ? null : { row, col, own: { id, ...cell } };
}
