// The button "Table": the current row of a map as an HTML table, strongest first.

import { exact } from './format.js';
import { byId, el, word } from './dom.js';
import { t, parts } from './messages.js';
import { verb } from './readout.js';

const TOP = 20;
const HEAD = { number: 'number', token: '', value: 'number' }; // columns with their classes

/**
 * fill puts a card's row into its slot.
 * @param {import('./card.js').Card} card
 * @param {string[]} words labels of the tokens
 * @param {number} row
 */
export function fill(card, words, row) {
  if (card.own) [words, row] = [card.words, card.here({ row, col: null }).row];
  const list = card.row(row), table = el('table', { className: 'row-table' });
  const caption = { word: word('', words[row] ?? ''), number: row + 1, verb: verb(), shown: TOP, all: list.length };
  table
    .createCaption()
    .append(...parts(list.length > TOP ? 'script.table.caption-first' : 'script.table.caption', caption));
  table
    .createTHead()
    .insertRow()
    .append(
      ...Object.entries(HEAD).map(([id, className]) => el('th', { scope: 'col', className }, t(`script.table.${id}`))),
    );
  const body = table.createTBody();
  for (const { col } of list.slice(0, TOP)) {
    const cell = (className, title, content) => el('td', { className, title }, content);
    body
      .insertRow()
      .append(
        cell('number', '', String(col + 1)),
        cell('', '', word('', words[col] ?? '')),
        cell('number', exact(card.map.value(row, col)), card.map.say(row, col)),
      );
  }
  slot(card).replaceChildren(table);
}

const idOf = (card) => `table-${card.id}`;

/** slot returns the element for a card's table. */
function slot(card) {
  const made = byId(idOf(card)) ?? el('div', { id: idOf(card), className: 'table-slot' });
  if (!made.isConnected) card.element.querySelector('.card-body').append(made);
  return made;
}

/**
 * opens prepares the button of a card's table.
 * @param {import('./card.js').Card} card
 * @param {boolean} open
 */
export function opens(card, open) {
  const button = card.element.querySelector('.as-table');
  if (!button || !card.map) return;
  button.hidden = false;
  button.setAttribute('aria-expanded', String(open));
  if (open) button.setAttribute('aria-controls', slot(card).id);
  else {
    button.removeAttribute('aria-controls');
    byId(idOf(card))?.remove();
  }
}
