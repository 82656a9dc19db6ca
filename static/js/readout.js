// The read-out bar and the spoken read-out: true values, never the normalised.

import { exact } from './format.js';
import { byId, el, word, speak } from './dom.js';
import { t, parts, list } from './messages.js';

/** @typedef {import('./card.js').Card} Card */
/** @typedef {import('./sheet.js').Focus} Focus */

/** verb is what a row does with a column: "reads", or "moves with". */
export const verb = () => byId('main').dataset.verb;

/**
 * show fills the bar.
 * @param {Card[]} cards
 * @param {string[]} words labels of the tokens
 * @param {Focus} at
 * @param {boolean} pinned
 */
export function show(cards, words, at, pinned) {
  byId('readout').dataset.pinned = String(pinned);
  byId('copy').hidden = byId('unpin').hidden = !pinned;
  byId('pair').replaceChildren(...pair(words, at));
  byId('readings').replaceChildren(...cards.map((card) => reading(card, words, at)));
}

/** pair names a row, a column or both. */
function pair(words, at) {
  if (!at) return [el('span', { className: 'hint' }, t(`script.pair.${matchMedia('(hover: none)').matches ? 'tap' : 'point'}`))];
  const token = (role, i) => (i === null ? '' : [word(role, words[i] ?? String(i + 1)), el('sub', {}, String(i + 1))]);
  const kind = at.row === null ? `column.${byId('c-show').value}` : at.col === null ? `row.${byId('c-show').value}` : 'cell';
  return parts(`script.pair.${kind}`, { row: token('reader', at.row), column: token('read', at.col), verb: verb() });
}

function reading(card, words, at) {
  const box = el('div', { className: 'reading' }, el('dt', {}, card.name), !at || !card.map ? none('–') : at.row === null || at.col === null ? best(card, words, at) : cell(card, at));
  box.dataset.mechanism = card.id;
  return box;
}

const none = (text) => el('dd', { className: 'none' }, text);

/** best is the strongest cell of a row or a column. */
function best(card, words, { row, col }) {
  const one = col === null ? card.row(row)[0] : card.reader(col), i = col === null ? one?.col : one?.row;
  if (!one) return none(t(`script.readout.${col === null ? 'no-column' : 'no-row'}`));
  const name = word(col === null ? 'read' : 'reader', words[i] ?? String(i + 1));
  return el('dd', {}, ...parts('script.readout.strongest', { word: name, value: card.map.say(one.row, one.col) }));
}

function cell(card, { row, col }) {
  const { state, value, says, strips } = card.read(row, col);
  if (state !== 'value') return none(why(state));
  const beside = strips.map((s) => el('span', { className: 'aside', title: exact(s.value) }, t('script.readout.strip', { symbol: s.symbol, value: s.says })));
  return el('dd', { title: exact(value) }, says, ...beside.flatMap((aside) => [' ', aside]));
}

/** why says why a cell has no value. */
function why(state) {
  const forbidden = byId('c-mask').value === 'none' ? 'far' : 'masked';
  return t(`script.cell.${state === 'forbidden' ? forbidden : state}`);
}

/**
 * text is the read-out as a table for the clipboard, with all digits.
 * @param {Card[]} cards
 * @param {string[]} words
 * @param {{row: number, col: number}} at
 */
export function text(cards, words, { row, col }) {
  const lines = [t('script.readout.copied', { row: words[row], rowNumber: row + 1, verb: verb(), column: words[col], columnNumber: col + 1 })];
  for (const card of cards.filter((one) => one.map)) {
    const { state, value, strips } = card.read(row, col), beside = strips.map((s) => t('script.readout.strip', { symbol: s.symbol, value: exact(s.value) }));
    lines.push([card.name, state === 'value' ? exact(value) : why(state), ...beside].join('\t'));
  }
  return lines.join('\n');
}

/** announce speaks the bar's content. */
export function announce() {
  speak(() => {
    const named = [...byId('pair').childNodes].filter((one) => one.nodeName !== 'SUB').map((one) => one.textContent).join('');
    const values = [...byId('readings').children].map((one) => t('script.readout.reading', { name: one.firstChild.textContent, value: one.lastChild.textContent }));
    return t('script.readout.spoken', { pair: named.trim(), readings: list(values) });
  });
}
