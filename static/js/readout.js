// The read-out bar and the spoken read-out: true values, never the normalised.

import { number, exact } from './format.js';

/** @typedef {import('./card.js').Card} Card */
/** @typedef {{row: number|null, col: number|null}|null} Focus a row, a column, or both */

const byId = (id) => document.getElementById(id);
let timer = 0;

/**
 * show fills the bar.
 * @param {Card[]} cards
 * @param {string[]} labels
 * @param {Focus} at without a column: a row as a whole; without a row: a column
 * @param {boolean} pinned
 */
export function show(cards, labels, at, pinned) {
  const bar = byId('readout');
  bar.dataset.pinned = String(pinned);
  byId('copy').hidden = byId('unpin').hidden = !pinned;
  byId('pair').replaceChildren(...pair(labels, at));
  const list = byId('readings');
  list.replaceChildren(...cards.map((card) => reading(card, labels, at)));
}

function pair(labels, at) {
  if (!at) return [span('hint', matchMedia('(hover: none)').matches ? 'Tap a cell or a word.' : 'Point at a cell or a word, or use the arrow keys in a map.')];
  if (at.row === null) return [token('read', labels[at.col] ?? String(at.col + 1)), sub(at.col), ' ', span('verb', verb() === 'reads' ? 'is read most by' : 'moves most')];
  const out = [token('reader', labels[at.row]), sub(at.row), ' ', span('verb', at.col === null ? verb().replace(/^\w+/, '$& most') : verb()), ' '];
  if (at.col !== null) out.push(token('read', labels[at.col] ?? String(at.col + 1)), sub(at.col));
  return out;
}

function reading(card, labels, at) {
  const box = document.createElement('div');
  box.className = 'reading';
  box.dataset.mechanism = card.id;
  const name = document.createElement('dt'), value = document.createElement('dd');
  name.textContent = card.name;
  box.append(name, value);
  if (!at || !card.map) {
    value.className = 'none';
    value.textContent = '–';
  } else if (at.col === null) {
    strongest(value, card, labels, at.row);
  } else if (at.row === null) {
    const best = card.reader(at.col);
    if (best) value.append(token('reader', labels[best.row] ?? ''), ` ${number(card.map.value(best.row, at.col))}`);
    else value.textContent = 'nobody';
  } else {
    cell(value, card, at);
  }
  return box;
}

function strongest(dd, card, labels, row) {
  const [best] = card.row(row);
  if (!best) {
    dd.className = 'none';
    dd.textContent = 'nothing permitted';
    return;
  }
  dd.append(token('read', labels[best.col] ?? String(best.col + 1)), ` ${number(card.map.value(row, best.col))}`);
}

function cell(dd, card, at) {
  const r = card.read(at.row, at.col);
  if (r.state !== 'value') {
    dd.className = 'none';
    dd.textContent = { forbidden: forbidden(), missing: 'not computed', outside: 'no such cell' }[r.state];
    return;
  }
  dd.textContent = number(r.value);
  dd.title = exact(r.value);
  for (const s of r.strips) dd.append(' ', aside(`${s.symbol} ${number(s.value)}`, exact(s.value)));
}

/** verb is what a row does with a column: "reads", or "moves with". */
export const verb = () => byId('main').dataset.verb;

/** forbidden says by what. */
export function forbidden() {
  const mask = byId('c-mask');
  return mask && mask.value !== 'none' ? 'forbidden by mask' : 'out of reach';
}

/**
 * text is the read-out as a table for the clipboard, with all digits.
 * @param {Card[]} cards
 * @param {string[]} labels
 * @param {{row: number, col: number}} at
 */
export function text(cards, labels, at) {
  const lines = [`${labels[at.row]} (${at.row + 1}) ${verb()} ${labels[at.col]} (${at.col + 1})`];
  for (const card of cards) {
    const r = card.read(at.row, at.col);
    if (!card.map) continue;
    const strips = r.strips.map((s) => `\t${s.symbol} ${exact(s.value)}`).join('');
    lines.push(`${card.name}\t${r.state === 'value' ? exact(r.value) : r.state}${strips}`);
  }
  return lines.join('\n');
}

/** announce speaks the bar's content, after a rest of the hand. */
export function announce() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const words = [...byId('pair').children].filter((el) => el.tagName !== 'SUB').map((el) => el.textContent).join(' ');
    const values = [...byId('readings').children].map((el) => `${el.firstChild.textContent} ${el.lastChild.textContent}`).join(', ');
    byId('announce').textContent = `${words}: ${values}`;
  }, 200);
}

function span(name, content) {
  const el = document.createElement('span');
  el.className = name;
  el.textContent = content;
  return el;
}

function token(name, content) {
  const el = document.createElement('bdi');
  el.className = name;
  el.dir = 'auto';
  el.textContent = content;
  return el;
}

function sub(i) {
  const el = document.createElement('sub');
  el.textContent = String(i + 1);
  return el;
}

function aside(content, title) {
  const el = span('aside', content);
  el.title = title;
  return el;
}
