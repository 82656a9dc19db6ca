// The read-out bar, the readings of cards, and the spoken read-out: exact values, never normalised
// ones.

import { exact, number } from './format.js';
import { byId, el, word, speak, renew } from './dom.js';
import { t, parts, list } from './messages.js';
import { isolated } from './labels.js';
import { Lines } from './lines.js';
import { uncover } from './uncover.js';
import { AT_LENGTH } from './limits.js';

/** @typedef {import('./card.js').Card} Card */
/** @typedef {import('./sheet.js').Focus} Focus */

const MOST = 2; // words in the reading of a row

/** verb returns the verb between a row and a column: "attends to", or "is influenced by". */
export const verb = () => byId('main').dataset.verb;

export class Readout {
  constructor() {
    this.lines = new Lines();
  }

  /**
   * show fills the bar, and the line below the map of each visible card.
   * @param {Card[]} cards
   * @param {string[]} words labels of the tokens
   * @param {Focus} at
   * @param {{pinned: boolean, lens?: string, sighted: Card[]}} how lens: the mechanism that colours the words
   */
  show(cards, words, at, { pinned, lens, sighted }) {
    const bar = byId('readout');
    for (const [key, is] of [
      ['says', Boolean(at)],
      ['pinned', pinned],
    ])
      if (bar.dataset[key] !== String(is)) bar.dataset[key] = String(is);
    for (const id of ['copy', 'unpin']) if (byId(id).hidden === pinned) byId(id).hidden = !pinned;
    if (at) renew(byId('pair'), pair(words, at));
    const readings = cards.map((card) => ({
      card,
      unit: card.unit,
      few: card.counts,
      seen: Boolean(at) && card.id === lens,
      ...reading(card, words, at),
    }));
    this.lines.show(readings);
    uncover(sighted, pinned ? at : null);
    const near = new Set(sighted);
    for (const { card, says } of readings) if (near.has(card)) card.tell(at ? says() : []);
    if (cards.length > AT_LENGTH) for (const card of cards) if (!near.has(card)) card.hush();
  }
}

/** tell writes the line below the map of a card that becomes visible. */
export function tell(card, words, at) {
  card.tell(at ? reading(card, words, at).says() : []);
}

/** token returns the name of a token with its number. */
const token = (role, words, i) =>
  i === null ? '' : [word(role, words[i] ?? String(i + 1)), el('sub', {}, String(i + 1))];

/** rowName returns the name of a row, or of the mean over several. */
export function rowName(words, at) {
  if (at.last === undefined) return token('reader', words, at.row);
  const rows = Array.from({ length: at.last - at.row + 1 }, (_, i) => token('reader', words, at.row + i));
  return [...rows.flatMap((one) => [...one, ' ']), t('script.pair.mean', { count: rows.length })];
}

/** pair returns the names of a row, a column or both. */
function pair(words, at) {
  const kind =
    at.row === null ? `column.${byId('c-show').value}` : at.col === null ? `row.${byId('c-show').value}` : 'cell';
  return parts(`script.pair.${kind}`, { row: rowName(words, at), column: token('read', words, at.col), verb: verb() });
}

/**
 * reading returns the reading of a card: its words and numbers, and the amount for sorting.
 * @returns {{amount: number, says: () => (Node|string)[], title?: () => string}}
 */
function reading(card, words, at) {
  if (!at || !card.map) return { amount: NaN, says: () => ['–'] };
  if (at.last !== undefined) return several(card, card.own ? card.words : words, at);
  const here = card.here(at);
  return here.row === null || here.col === null ? most(card, card.own ? card.words : words, here) : cell(card, here);
}

/** several returns the strongest cells of the mean over rows. */
function several(card, words, at) {
  const cells = mean(card, at).slice(0, MOST);
  if (!cells.length) return none(t('script.readout.no-column'));
  const said = ({ col, value, says }) =>
    titled(
      el(
        'bdi',
        { dir: 'ltr' },
        t(`reading.row.${card.counts ? 'meets' : 'most'}`, {
          word: isolated(words[col] ?? String(col + 1)),
          value: says,
        }),
      ),
      value,
    );
  return {
    amount: Math.abs(cells[0].value),
    says: () => cells.flatMap((one, i) => (i ? also([' ', said(one)]) : [said(one)])),
  };
}

const none = (text) => ({ amount: NaN, says: () => [el('span', { className: 'none' }, text)] });
const aside = (text) => [' ', el('span', { className: 'aside' }, text)];

/** also is an addition after a point. Both show or hide together. */
const also = (says) => [' ', el('span', { className: 'also' }, el('span', { className: 'aside' }, '·'), ...says)];

/** most returns the strongest cells of a row, or the strongest cell of a column. */
function most(card, words, { row, col }) {
  const shown = ({ row: r, col: c }) => !card.map.aside(r, c);
  const cells = col === null ? card.row(row).filter(shown).slice(0, MOST) : [card.reader(col)].filter(Boolean);
  if (!cells.length) return none(t(`script.readout.${col === null ? 'no-column' : 'no-row'}`));
  const says = () => {
    const spent = col === null && card.spent(row);
    const said = cells.map((one) => {
      const i = col === null ? one.col : one.row;
      return titled(
        el(
          'bdi',
          { dir: 'ltr' },
          t(`reading.row.${card.counts ? 'meets' : 'most'}`, {
            word: isolated(words[i] ?? String(i + 1)),
            value: card.short(one.row, one.col),
          }),
        ),
        card.map.value(one.row, one.col),
      );
    });
    return [
      ...said.flatMap((made, i) => (i ? also([' ', made]) : [made])),
      ...(spent ? also(aside(t('reading.aside.row', { words: spent.words, share: number(spent.share) }))) : []),
    ];
  };
  return { amount: card.amount(cells[0].row, cells[0].col), says };
}

function cell(card, { row, col }) {
  const state = card.map.nothing(row, col);
  if (state) return none(why(state));
  const says = () => {
    const read = card.read(row, col);
    const beside = read.strips.map((s) =>
      aside(t('script.readout.strip', { symbol: s.symbol, value: s.says })).map((one) =>
        typeof one === 'string' ? one : titled(one, s.value),
      ),
    );
    return [
      read.says,
      ...(card.of ? aside(card.of) : []),
      ...(read.aside ? also(aside(t('reading.aside.cell'))) : []),
      ...beside.flat(),
    ];
  };
  return { amount: card.amount(row, col), says, title: () => exact(card.map.value(row, col)) };
}

/** titled adds all digits of a value to an element's tooltip. */
function titled(made, value) {
  made.title = exact(value);
  return made;
}

/** why returns the reason why a cell has no value. */
function why(state) {
  const forbidden = byId('c-mask').value === 'none' ? 'far' : 'masked';
  return t(`script.cell.${state === 'forbidden' ? forbidden : state}`);
}

/**
 * text returns the read-out as a table for the clipboard, with all digits: for a cell one line per mechanism,
 * for a row one line per token.
 * @param {Card[]} cards
 * @param {string[]} words
 * @param {{row: number, col: number|null}} at
 */
export function text(cards, words, { row, col, last }) {
  const drawn = cards.filter((one) => one.map);
  if (col === null) return rowText(drawn, words, row, last);
  const lines = [
    t('script.readout.copied', {
      row: words[row],
      rowNumber: row + 1,
      verb: verb(),
      column: words[col],
      columnNumber: col + 1,
    }),
  ];
  for (const card of drawn) {
    const { row: r, col: c } = card.here({ row, col }),
      { state, value, strips } = card.read(r, c),
      beside = strips.map((s) => t('script.readout.strip', { symbol: s.symbol, value: exact(s.value) }));
    lines.push([card.name, state === 'value' ? exact(value) : why(state), ...beside].join('\t'));
  }
  return lines.join('\n');
}

function rowText(cards, words, row, last) {
  const means = new Map(cards.map((card) => [card, last === undefined ? null : mean(card, { row, col: null, last })]));
  const value = (card, i) => {
    if (means.get(card))
      return exact(means.get(card).find(({ col }) => col === card.here({ row, col: i }).col)?.value ?? NaN);
    const at = card.here({ row, col: i }),
      { state, value: v } = card.read(at.row, at.col);
    return state === 'value' ? exact(v) : why(state);
  };
  const head = [
    t('script.readout.copied-row', {
      row: words.slice(row, (last ?? row) + 1).join(' '),
      rowNumber: last === undefined ? row + 1 : `${row + 1}–${last + 1}`,
      verb: verb(),
    }),
    ...cards.map((card) => card.name),
  ];
  return [head, ...words.map((label, i) => [label, ...cards.map((card) => value(card, i))])]
    .map((line) => line.join('\t'))
    .join('\n');
}

/** announce announces the bar's content. */
export function announce() {
  speak(() => {
    const named = [...byId('pair').childNodes]
      .filter((one) => one.nodeName !== 'SUB')
      .map((one) => one.textContent)
      .join('');
    const values = [...byId('readings').children].map((one) =>
      t('script.readout.reading', { name: one.firstChild.textContent, value: one.lastChild.textContent }),
    );
    return t('script.readout.spoken', { pair: named.trim(), readings: list(values) });
  });
}

/** valued returns a function from the cells of a row, or of a mean, to their columns and values as read. */
export const valued = (card, row) => (cell) =>
  row === null ? cell : { col: cell.col, value: card.map.value(row, cell.col), says: card.map.say(row, cell.col) };

/** mean returns the mean over several rows of a card, cell by cell, the strongest first. It leaves out cells
 * without a value. */
export function mean(card, at) {
  const { map } = card, rows = card.block(at).row.filter((row) => row < map.rows.count), sign = card.counts ? 1 : -1;
  const cells = Array.from({ length: map.cols.count }, (_, col) => {
    const values = rows.filter((row) => !map.nothing(row, col)).map((row) => map.value(row, col));
    const value = values.reduce((sum, v) => sum + v, 0) / values.length;
    return { col, value, says: number(value) };
  });
  return cells
    .filter(({ value }) => !Number.isNaN(value))
    .sort((a, b) => sign * (Math.abs(a.value) - Math.abs(b.value)));
}
