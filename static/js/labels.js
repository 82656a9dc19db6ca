// Labels along an axis: all of them, each k-th, or a ruler of positions, by the true size
// of a cell. The server does the same for a probable size.

import { shorten } from './format.js';
import { el } from './dom.js';
import { CHARS, outside, twofold } from './lanes.js';

export const PITCH = 11;
const RULER_BELOW = 4; // of letters of 11 pixels
const LEVEL_FROM = 60, LETTER = 7, NOMINAL = 250; // as components/axis.go

/**
 * @typedef {object} Stand where labels are
 * @property {number[]} at the positions that have one
 * @property {number} step from one to the next in the same lane
 * @property {number} cell how high their cells are, in CSS pixels
 * @property {number} letter how high they are
 * @property {number[]} [out] of two lanes: how many pixels further out each is
 */

/** @type {WeakMap<Element, {says: string, stand: Stand|null}>} what labels say and how, and where they are */
const written = new WeakMap();

/** standing is where the labels of an axis are; null: nowhere, or level over their columns. */
export const standing = (box) => (box && written.get(box)?.stand) ?? null;

/** writes says whether an axis has other labels to write; else theirs have another size, at most. */
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
 *   labels: numbers from 1; named: names of few columns, written level where they have room;
 *   longest: letters of a label
 * @param {number} size in CSS pixels
 * @param {boolean} column
 * @param {number} letter its size in CSS pixels
 * @param {number} [lanes] 2: there is room for two lanes of words
 */
export function axis(box, { labels, count, named, longest = CHARS }, size, column, letter, lanes) {
  if (!box) return;
  if (lanes === 2 && labels && !named && twofold(size / count, letter))
    return both(box, labels.slice(0, count), size / count, column, letter);
  const room = (size * PITCH) / letter; // what letters of 11 pixels would have
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

/** both writes all words in two lanes: those of the outer one have lines to their cells. */
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

/** wide writes names level over columns that have the room; else null. */
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

/** runs are the labels at equal distances: of a ruler the first stands alone. */
function runs(list) {
  const step = (i) => list[i].i - list[i - 1].i;
  return list.length > 2 && step(1) !== step(2) ? [list.slice(0, 1), list.slice(1)] : list.length ? [list] : [];
}

/**
 * lines lays out labels whose cells are at equal distances, in shares of the axis, which is shorter on paper. A single
 * label gets the distance from other labels.
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
 * isolated is a line whose direction other lines do not change: with unicode-bidi: plaintext over several lines, [SEP]
 * after a Hebrew word becomes ]SEP[.
 */
export const isolated = (text) => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);

/** flat is a label over the middle of its column. */
function flat({ i, text, ruler }, count) {
  const made = el('span', { className: `label flat${ruler ? ' ruler' : ''}` }, text);
  made.style.left = `${(100 * (i + 0.5)) / count}%`;
  return made;
}
