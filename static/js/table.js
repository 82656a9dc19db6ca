// "As table": the current row of a map as a true table, strongest first.

import { number, exact } from './format.js';
import { verb } from './readout.js';

const TOP = 20;

/**
 * fill puts a card's row into its slot.
 * @param {import('./card.js').Card} card
 * @param {string[]} labels
 * @param {number} row
 */
export function fill(card, labels, row) {
  const slot = card.element.querySelector('.table-slot');
  const list = card.row(row);
  const table = document.createElement('table');
  table.className = 'row-table';
  const caption = table.createCaption();
  const rest = list.length > TOP ? `, the strongest ${TOP} of ${list.length}` : '';
  caption.append('What ', bdi(labels[row] ?? ''), ` (${row + 1}) ${verb()}${rest}`);
  const head = table.createTHead().insertRow();
  for (const [text, name] of [['#', 'number'], ['token', ''], ['value', 'number']]) {
    const th = document.createElement('th');
    th.scope = 'col';
    th.className = name;
    th.textContent = text;
    head.append(th);
  }
  const body = table.createTBody();
  for (const { col } of list.slice(0, TOP)) {
    const tr = body.insertRow(), value = card.map.value(row, col);
    cell(tr, 'number', String(col + 1));
    tr.insertCell().append(bdi(labels[col] ?? ''));
    cell(tr, 'number', number(value)).title = exact(value);
  }
  slot.replaceChildren(table);
}

function cell(tr, name, text) {
  const td = tr.insertCell();
  td.className = name;
  td.textContent = text;
  return td;
}

function bdi(text) {
  const el = document.createElement('bdi');
  el.dir = 'auto';
  el.textContent = text;
  return el;
}
