// The button "Table": the current row of a map as an HTML table, strongest first.

import { exact } from './format.js';
import { byId, el, word } from './dom.js';
import { t, parts } from './messages.js';
import { verb, mean, valued, rowName } from './readout.js';

const TOP = 20;
const HEAD = { number: 'number', token: '', value: 'number' }; // columns with their classes

/**
 * fill puts a card's row, or the mean over several, into its slot.
 * @param {import('./card.js').Card} card
 * @param {string[]} words labels of the tokens
 * @param {import('./sheet.js').Focus} at
 */
export function fill(card, words, at) {
  const several = at?.last !== undefined,
    page = words;
  if (card.own) words = card.words;
  const row = several ? null : (card.own ? card.here({ row: at?.row ?? 0, col: null }).row : (at?.row ?? 0)),
    list = several ? mean(card, at) : card.row(row),
    table = el('table', { className: 'row-table' });
  const caption = { word: word('', words[row] ?? ''), number: row + 1, verb: verb(), shown: TOP, all: list.length };
  table
    .createCaption()
    .append(
      ...(several
        ? parts(`script.pair.row.${byId('c-show').value}`, { row: rowName(page, at), verb: verb() })
        : parts(list.length > TOP ? 'script.table.caption-first' : 'script.table.caption', caption)),
    );
  table
    .createTHead()
    .insertRow()
    .append(
      ...Object.entries(HEAD).map(([id, className]) => el('th', { scope: 'col', className }, t(`script.table.${id}`))),
    );
  const body = table.createTBody();
  for (const { col, value, says } of list.slice(0, TOP).map(valued(card, row))) {
    const cell = (className, title, content) => el('td', { className, title }, content);
    body
      .insertRow()
      .append(
        cell('number', '', String(col + 1)),
        cell('', '', word('', words[col] ?? '')),
        cell('number', exact(value), says),
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
