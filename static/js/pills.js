// The words of the row and the column under the pointer, in full over the labels of their axes.

import { shorten } from './format.js';
import { word, el } from './dom.js';
import { standing } from './labels.js';

const LETTERS = 14;
const FLAT = 1.05, HIGH = 1.45; // height of a word, in letters: as much as the space between labels permits
const INKED = 0.9; // inked part of a label's height

/**
 * pill shows the full label of one position next to its axis, over its own label. It hides labels that it would
 * overlap.
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

/** make adds a word and the cover below it to a map. */
function make(map, axis) {
  let box = map.querySelector('.pills');
  if (!box) map.append(box = el('div', { className: 'pills', ariaHidden: 'true' }));
  const made = word(`pill pill-${axis}`, '');
  box.append(el('i', { className: `cover cover-${axis}` }), made);
  return made;
}

/** cut returns the range of the labels that a word would overlap, in fractions of the axis, or null if there
 * are none. */
function cut({ at, step, cell, letter, out }, { i, n }, high) {
  const reach = (high + INKED * letter) / 2;
  const near = at.filter((j) => j !== i && !(out && (i - j) % 2) && Math.abs(j - i) * cell < reach);
  const over = Math.max(0, (INKED * letter) / cell / 2 - 0.5); // ink of the first and last label beyond the axis
  return near.length
    ? [share(Math.max(-over, near[0] + 0.5 - step / 2), n), share(Math.min(n + over, near.at(-1) + 0.5 + step / 2), n)]
    : null;
}

/** cover hides the labels in a range of an axis, or none. */
function cover(box, row, between) {
  box.hidden = !between;
  if (!between) return;
  set(box, row ? 'top' : 'left', between[0]);
  set(box, row ? 'bottom' : 'right', `calc(100% - ${between[1]})`);
}

const share = (i, n) => `${(100 * i) / n}%`;

/** set writes a style property if it has changed. */
function set(box, name, value) {
  if (box.style.getPropertyValue(name) !== value) box.style.setProperty(name, value);
}
