// The words of a row and a column that are pointed at, in full over the labels of their axes.

import { shorten } from './format.js';
import { word, el } from './dom.js';
import { standing } from './labels.js';

const LETTERS = 14;
const FLAT = 1.05, HIGH = 1.45; // a word's height, in letters: as high as there is room between labels
const INKED = 0.9; // of a label's height has ink

/**
 * pill shows the full label of one position beside its axis, over its own label. It hides labels that it would overlap.
 * @param {HTMLElement} map
 * @param {'row'|'col'} axis
 * @param {{text: string, i: number, n: number}|null} what position i of n
 * @param {HTMLElement|null} labels of the axis
 */
export function pill(map, axis, what, labels) {
  let made = map.querySelector(`.pill-${axis}`);
  if (!made && !what) return;
  made ??= make(map, axis);
  made.hidden = made.previousSibling.hidden = !what;
  if (!what) return;
  const text = shorten(what.text, LETTERS), row = axis === 'row', side = row ? 'top' : 'left', stand = standing(labels);
  if (made.firstChild?.nodeValue !== text) made.textContent = text;
  set(made, side, share(what.i + 0.5, what.n));
  const high = stand && Math.min(HIGH * stand.letter, Math.max(FLAT * stand.letter, stand.step * stand.cell));
  set(made, '--high', high ? `${high}px` : '');
  set(made, '--out', `${stand?.out?.[what.i] ?? 0}px`);
  cover(made.previousSibling, row, high ? cut(stand, what, high) : null);
}

/** make puts a word and the cover below it over a map. */
function make(map, axis) {
  let box = map.querySelector('.pills');
  if (!box) map.append(box = el('div', { className: 'pills', ariaHidden: 'true' }));
  const made = word(`pill pill-${axis}`, '');
  box.append(el('i', { className: `cover cover-${axis}` }), made);
  return made;
}

/** cut is from where to where labels stand that a word would cut, in shares of the axis; null: it cuts none. */
function cut({ at, step, cell, letter, out }, { i, n }, high) {
  const reach = (high + INKED * letter) / 2;
  const near = at.filter((j) => j !== i && !(out && (i - j) % 2) && Math.abs(j - i) * cell < reach);
  const over = Math.max(0, (INKED * letter) / cell / 2 - 0.5); // ink of the first and last label beyond the axis
  return near.length
    ? [share(Math.max(-over, near[0] + 0.5 - step / 2), n), share(Math.min(n + over, near.at(-1) + 0.5 + step / 2), n)]
    : null;
}

/** cover hides the labels between two shares of an axis, or none. */
function cover(box, row, between) {
  box.hidden = !between;
  if (!between) return;
  set(box, row ? 'top' : 'left', between[0]);
  set(box, row ? 'bottom' : 'right', `calc(100% - ${between[1]})`);
}

const share = (i, n) => `${(100 * i) / n}%`;

/** set writes a property of style that is another. */
function set(box, name, value) {
  if (box.style.getPropertyValue(name) !== value) box.style.setProperty(name, value);
}
