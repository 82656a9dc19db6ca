// Labels along an axis: all of them, each k-th, or a ruler of positions, by the true size
// of a cell. The server does the same for a probable size.

import { shorten } from './format.js';
import { word } from './dom.js';

const SVG = 'http://www.w3.org/2000/svg';
const PITCH = 11, RULER_BELOW = 4, CHARS = 9;
const LEVEL_FROM = 60, LETTER = 7, NOMINAL = 250; // as components/axis.go

/**
 * axis lays out one axis.
 * @param {SVGElement|null} svg
 * @param {{labels: string[]|null, count: number, named?: boolean}} what without labels:
 *   numbers from 1; named: names of few columns, written level where they have room
 * @param {number} size in CSS pixels
 * @param {boolean} column
 */
export function axis(svg, { labels, count, named }, size, column) {
  const level = column && wide(labels, named, size, count);
  const list = level ? level : labels ? ticks(labels.slice(0, count), size) : numbers(count, size, column);
  svg?.replaceChildren(...list.map((t) => node(t, count, column && Boolean(labels) && !level, column)));
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

function ticks(labels, size) {
  const n = labels.length, cell = size / n;
  if (!n) return [];
  if (cell < RULER_BELOW) return ruler(n, size);
  const step = Math.max(1, Math.ceil(PITCH / cell));
  const list = [];
  for (let i = 0; i < n; i += step) list.push({ i, text: shorten(labels[i], CHARS) });
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

function node(tick, n, upright, column) {
  const at = `${((100 * (tick.i + 0.5)) / n).toFixed(3)}%`;
  const place = make('svg', { x: column ? at : '100%', y: column ? '100%' : at, overflow: 'visible' });
  const text = make('text', { class: tick.ruler ? 'label ruler' : 'label', dy: column && !upright ? '-.4em' : '.33em', x: upright ? 5 : column ? 0 : -5 });
  if (upright) text.setAttribute('transform', 'rotate(-90)');
  else text.setAttribute('text-anchor', column ? 'middle' : 'end');
  text.textContent = tick.text;
  place.append(text);
  return place;
}

function make(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/**
 * pill shows the label of one position in full beside its axis.
 * @param {HTMLElement} map
 * @param {'row'|'col'} axis
 * @param {{text: string, at: number}|null} what at is 0…1 along the axis
 */
export function pill(map, axis, what) {
  map.querySelector(`.pill-${axis}`)?.remove();
  if (!what) return;
  const made = word(`pill pill-${axis}`, shorten(what.text, 14));
  made.setAttribute('aria-hidden', 'true');
  made.style[axis === 'row' ? 'top' : 'left'] = `${100 * what.at}%`;
  map.append(made);
}
