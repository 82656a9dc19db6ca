// Labels along an axis: all, each k-th, or a ruler of positions, depending on the actual size of a
// cell. The server does the same for a probable size.

import { shorten } from './format.js';
import { el } from './dom.js';
import { CHARS, outside, twofold } from './lanes.js';

export const PITCH = 11;
const RULER_BELOW = 4; // for letters of 11 pixels
const LEVEL_FROM = 60, LETTER = 7, NOMINAL = 250; // as in components/axis.go

/**
 * @typedef {object} Stand positions of labels
 * @property {number[]} at the positions with a label
 * @property {number} step distance in the same lane
 * @property {number} cell height of their cells, in CSS pixels
 * @property {number} letter height of the labels
 * @property {number[]} [out] for two lanes: how many pixels further out each is
 */

/** @type {WeakMap<Element, {says: string, stand: Stand|null}>} texts and positions of labels */
const written = new WeakMap();

/** standing returns the positions of an axis's labels; null: none, or horizontal above their columns. */
export const standing = (box) => (box && written.get(box)?.stand) ?? null;

/** writes reports whether an axis has new labels to write. Otherwise only their size can have changed. */
function writes(box, says, cell) {
  const had = written.get(box);
  if (!box.firstChild || had?.says !== says) return true;
  if (had.stand) had.stand.cell = cell;
  return false;
}

/**
 * axis lays out one axis. Labels at equal distances are lines of one text.
 * @param {HTMLElement|null} box
 * @param {{labels: string[]|null, count: number, named?: boolean, longest?: number}} what without
 *   labels: numbers from 1; named: names of few columns, horizontal if they fit;
 *   longest: most letters of a label
 * @param {number} size in CSS pixels
 * @param {boolean} column
 * @param {number} letter its size in CSS pixels
 * @param {number} [lanes] 2: there is room for two lanes of words
 */
export function axis(box, { labels, count, named, longest = CHARS }, size, column, letter, lanes) {
  if (!box) return;
  if (lanes === 2 && labels && !named && twofold(size / count, letter))
    return both(box, labels.slice(0, count), size / count, column, letter);
  const room = (size * PITCH) / letter; // space that letters of 11 pixels would have
  const level = column && wide(labels, named, room, count);
  const list = level ? level : labels ? ticks(labels.slice(0, count), room, longest) : numbers(count, room, column);
  const apart = level || (column && !labels), says = JSON.stringify([list, count, apart, column]);
  if (!writes(box, says, size / count)) return;
  const at = list.map(({ i }) => i), step = at.length > 1 ? at.at(-1) - at.at(-2) : 1;
  written.set(box, { says, stand: apart ? null : { at, step, cell: size / count, letter } });
  box.replaceChildren(
    ...(apart ? list.map((one) => flat(one, count)) : runs(list).map((run) => lines(run, count, column, step))),
  );
}

/** both writes all labels in two lanes. Labels of the outer lane have lines to their cells. */
function both(box, labels, cell, column, letter) {
  const says = JSON.stringify([labels, column, letter]);
  if (!writes(box, says, cell)) return;
  const list = labels.map((text, i) => ({ i, text: shorten(text, CHARS) })),
    { out } = outside(
      list.map(({ text }) => text),
      letter,
    );
  written.set(box, { says, stand: { at: list.map(({ i }) => i), step: 2, cell, letter, out } });
  const [near, far] = [0, 1].map((lane) => lines(list.filter(({ i }) => i % 2 === lane), labels.length, column));
  far.replaceChildren(...list.filter(({ i }) => i % 2).flatMap(({ i, text }) => {
    const made = el('span', { className: 'outer' }, isolated(text));
    made.style.setProperty('--out', `${out[i]}px`);
    return i > 1 ? ['\n', made] : [made];
  }));
  box.replaceChildren(near, far);
}

/** wide returns horizontal labels for columns that are wide enough, or null. */
function wide(labels, named, size, count) {
  if (!named || count * LEVEL_FROM > NOMINAL) return null;
  return labels.map((text, i) => ({ i, text: shorten(text, Math.floor(size / LETTER / count)) }));
}

/** numbers are as dense as they are legible. */
function numbers(n, size, column) {
  return n > 1 ? marks(n, size, 1, column ? 9 * String(n).length + 5 : PITCH) : [];
}

function ticks(labels, size, longest) {
  const n = labels.length, cell = size / n;
  if (!n) return [];
  if (cell < RULER_BELOW) return ruler(n, size);
  const step = Math.max(1, Math.ceil(PITCH / cell));
  const list = [];
  for (let i = 0; i < n; i += step) list.push({ i, text: shorten(labels[i], longest) });
  return list;
}

function ruler(n, size) {
  return marks(n, size, 8, 2 * PITCH);
}

/** marks numbers positions, counted from 1, in steps of step or a multiple of it: 1, 8, 16. */
function marks(n, size, step, room) {
  while ((size / n) * step < room) step *= 2;
  const list = [{ i: 0, text: '1', ruler: true }];
  for (let i = step; i <= n; i += step) if (i > 1) list.push({ i: i - 1, text: String(i), ruler: true });
  return list;
}

/** runs groups the labels at equal distances. The first label of a ruler is a group of its own. */
function runs(list) {
  const step = (i) => list[i].i - list[i - 1].i;
  return list.length > 2 && step(1) !== step(2) ? [list.slice(0, 1), list.slice(1)] : list.length ? [list] : [];
}

/**
 * lines lays out labels whose cells are at equal distances, in fractions of the axis, which is shorter in
 * print. A single label gets the distance from other labels.
 */
function lines(run, count, column, apart = 1) {
  const step = run.length > 1 ? run[1].i - run[0].i : apart, pitch = `${(100 * step) / count}cq${column ? 'w' : 'h'}`;
  const made = el(
    'span',
    { className: `label ${column ? 'upright' : 'beside'}${run[0].ruler ? ' ruler' : ''}` },
    run.map(({ text }) => isolated(text)).join('\n'),
  );
  made.style.lineHeight = pitch;
  made.style.fontSize = `min(1em, ${pitch})`;
  made.style[column ? 'left' : 'top'] = `${(100 * (run[0].i + 0.5 - step / 2)) / count}%`;
  return made;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * isolated returns a line whose direction does not depend on other lines. With unicode-bidi: plaintext over
 * several lines, [SEP] after a Hebrew word becomes ]SEP[.
 */
export const isolated = (text) => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);

/** flat returns a label centred above its column. */
function flat({ i, text, ruler }, count) {
  const made = el('span', { className: `label flat${ruler ? ' ruler' : ''}` }, text);
  made.style.left = `${(100 * (i + 0.5)) / count}%`;
  return made;
}
