// A part of a map that fills its box: zoomed and moved, with the visible cells and labels only.

import { Sheet, marks, canvas, size } from './sheet.js';
import { paint } from './paint.js';
import { axis } from './labels.js';
import { Cross } from './cross.js';
import { el } from './dom.js';

export const LONGEST = 18; // letters of a label
const FEWEST = 4; // cells along a side at the largest zoom
const clamp = (v, low, high) => Math.min(high, Math.max(low, v));

/**
 * @typedef {{first: number, count: number, cell: number, from: number}} Span the visible cells: the first one, their
 *   number, their size in CSS pixels, and where the first one begins
 */

/**
 * span returns the visible part of n cells.
 * @param {number} n
 * @param {number} size of the window in CSS pixels
 * @param {number} zoom how many times the whole is larger than the window
 * @param {number} at where the window begins, 0…1 of the whole
 * @returns {Span}
 */
export function span(n, size, zoom, at) {
  const cell = size * zoom / n, left = at * size * zoom;
  const first = clamp(Math.floor(left / cell + 1e-6), 0, n - 1),
    end = clamp(Math.ceil((left + size) / cell - 1e-6), first + 1, n);
  return { first, count: end - first, cell, from: first * cell - left };
}

/**
 * crop returns the visible part of a plane.
 * @param {import('./data.js').Plane} plane
 * @param {Span} rows
 * @param {Span} cols
 * @returns {import('./data.js').Plane}
 */
function crop(plane, rows, cols) {
  const all = plane.rows * plane.cols, part = { rows: rows.count, cols: cols.count };
  const cut = (values) => {
    const made = new values.constructor(part.rows * part.cols);
    for (let r = 0; r < part.rows; r++) {
      const from = (rows.first + r) * plane.cols + cols.first;
      made.set(values.subarray(from, from + part.cols), r * part.cols);
    }
    return made;
  };
  const entries = Object.getOwnPropertyNames(plane).map((key) => [
    key,
    ArrayBuffer.isView(plane[key]) && plane[key].length === all ? cut(plane[key]) : plane[key],
  ]);
  return { ...Object.fromEntries(entries), ...part };
}

export class Lens extends Sheet {
  /**
   * @param {HTMLElement} box
   * @param {import('./data.js').Drawing} map
   * @param {string[]} words labels of the tokens
   * @param {{frame: Element|null, eye: {zoom: number, x: number, y: number}}} how the frame has the
   *   labels; the eye is the visible part: lenses that share it move together
   */
  constructor(box, map, words, { frame, eye }) {
    super(box, map, words, frame);
    this.eye = eye;
    this.fill();
  }

  fill() {
    this.pane = el('div', { className: 'pane' });
    this.box.replaceChildren(this.pane);
    this.under = canvas('under', this.pane);
    this.lines = new Cross(this.pane);
  }

  /** most returns the largest zoom. */
  get most() { return Math.max(1, Math.max(this.rows.count, this.cols.count) / FEWEST); }

  paint(look) {
    this.measure();
    const { width, height } = this.room, { zoom, x, y } = this.eye;
    if (!width || !height) return false;
    this.ratio = look.ratio;
    this.across = span(this.cols.count, width, zoom, x);
    this.down = this.rows.count > 1 ? span(this.rows.count, height, zoom, y) : span(1, height, 1, 0);
    const wide = this.across.count * this.across.cell, high = this.down.count * this.down.cell;
    Object.assign(this.pane.style, {
      left: `${this.across.from}px`,
      top: `${this.down.from}px`,
      width: `${wide}px`,
      height: `${high}px`,
    });
    size(this.under, wide, high, look.ratio);
    this.name('.labels-rows', this.rows, this.down, { top: `${this.down.from}px`, height: `${high}px` });
    this.name('.labels-cols', this.cols, this.across, { left: `${this.across.from}px`, width: `${wide}px` });
    return paint(this.under, crop(this.shown, this.down, this.across), look);
  }

  /** name writes the visible labels of an axis. */
  name(selector, side, { first, count, cell }, place) {
    const box = this.frame?.querySelector(selector);
    if (!box) return;
    Object.assign(box.style, place);
    const labels = side.labels ?? Array.from({ length: side.count }, (_, i) => String(i + 1));
    axis(
      box,
      { labels: labels.slice(first, first + count), count, named: side.named, longest: LONGEST },
      count * cell,
      selector === '.labels-cols',
      this.room.letter,
    );
  }

  cellAt(x, y) {
    const box = this.box.getBoundingClientRect();
    const at = (v, { first, cell, from }, n) => clamp(first + Math.floor((v - from) / cell), 0, n - 1);
    return { row: at(y - box.top, this.down, this.rows.count), col: at(x - box.left, this.across, this.cols.count) };
  }

  cross(at, { pinned }) {
    if (!this.ratio) return;
    const seen = (list, { first, count }) => list.map((i) => i - first).filter((i) => i >= 0 && i < count);
    const marked = { rows: seen(marks(this.rows, at), this.down), cols: seen(marks(this.cols, at), this.across) };
    const { width, height } = this.under;
    this.lines.show({ rows: this.down.count, cols: this.across.count }, marked, {
      width,
      height,
      ratio: this.ratio,
      pinned,
    });
  }

  /**
   * zoomTo zooms around a fixed point.
   * @param {number} zoom
   * @param {{x: number, y: number}} point 0…1 of the window
   */
  zoomTo(zoom, { x, y }) {
    const { eye } = this, now = clamp(zoom, 1, this.most);
    this.moveTo(eye.x + x / eye.zoom - x / now, eye.y + y / eye.zoom - y / now, now);
  }

  /** moveTo moves the visible part, within the map. */
  moveTo(x, y, zoom = this.eye.zoom) {
    const most = 1 - 1 / zoom;
    Object.assign(this.eye, { zoom, x: clamp(x, 0, most), y: clamp(y, 0, most) });
  }

  /** reveal moves the visible part until it contains a cell. */
  reveal({ row, col }) {
    const { eye } = this, room = 1 / eye.zoom;
    const near = (i, n, at) => (i === null ? at : clamp(at, (i + 1) / n - room, i / n));
    this.moveTo(near(col, this.cols.count, eye.x), near(row, this.rows.count, eye.y));
  }
}
