// One map in a box: its pixels, its cross-hair, its labels, and the values of its cells.

import { paint, inkOn, edge, FORBIDDEN, MISSING, ASIDE, CUT } from './paint.js';
import { axis, PITCH } from './labels.js';
import { Cross, draw } from './cross.js';
import { number, decimal, shorten } from './format.js';
import { el } from './dom.js';
import { t } from './messages.js';

/** @typedef {import('./data.js').Drawing} Drawing */
/**
 * @typedef {{row: number|null, col: number|null, own?: {id: string, row: number|null, col: number|null}}|null} Focus
 *   a row, a column, or both; own: the tokens of a card that has its own
 */

/**
 * @typedef {object} Side rows or columns
 * @property {string} role
 * @property {number} count
 * @property {string[]|null} labels
 * @property {boolean} named by labels of their own, not by the words of the text
 * @property {(i: number) => string} name
 */

const TEXT_FROM = { buckets: 11, order: 9, strip: 34 }; // CSS pixels of a cell that can hold a number
const NOTHING = Array(CUT + 1).fill('');
Object.assign(NOTHING, { [FORBIDDEN]: 'forbidden', [MISSING]: 'missing', [CUT]: 'cut' });
const clamp = (i, n) => Math.min(n - 1, Math.max(0, i));

export class Sheet {
  /**
   * @param {HTMLElement} box gets the canvases in place of the server's picture
   * @param {Drawing} map
   * @param {string[]} words labels of the tokens
   * @param {Element|null} frame has the labels of the axes
   */
  constructor(box, map, words, frame) {
    Object.assign(this, { box, frame });
    this.ratio = 0; // until it is painted
    this.room = { width: 0, height: 0, letter: PITCH };
    this.take(map, words);
  }

  /** take shows a map in the box, also in place of an earlier one. */
  take(map, words) {
    Object.assign(this, { map, words });
    this.plane = 0;
    this.saying = this.box.closest('[data-saying]')?.dataset.saying; // message for a value; empty: the value alone
    this.rows = side(map.axes.at(-2), map.rows, words);
    this.cols = side(map.axes.at(-1), map.cols, words);
    /** @type {{row: number, col: number}|null} cell of the pointer or the keyboard */
    this.cell = null;
  }

  /** fill prepares the box before its first painting, because most cards of a large page never become
   * visible. */
  fill() {
    this.under = canvas('under', this.box);
    this.lines = new Cross(this.box);
  }

  /** control makes the box one element for the keyboard. */
  control(kind, label) {
    this.box.tabIndex = 0;
    this.box.setAttribute('role', 'application');
    this.box.setAttribute('aria-roledescription', kind);
    this.box.setAttribute('aria-label', label);
  }

  /** shown returns the cells that are drawn large. */
  get shown() { return this.map.planes[this.plane]; }

  /** pairs reports whether a cell is a pair of tokens. */
  get pairs() { return this.rows.role === 'query' && this.cols.role === 'key'; }

  /** measure determines the size of the box. */
  measure() {
    const { width, height } = this.box.getBoundingClientRect();
    const style = getComputedStyle(this.box);
    this.room = {
      width,
      height,
      letter: parseFloat(style.getPropertyValue('--label')),
      lanes: Number(style.getPropertyValue('--lanes')),
    };
  }

  /**
   * paint draws for the measured size.
   * @param {import('./paint.js').Look} look
   * @returns {boolean} whether there are more cells than pixels
   */
  paint(look) {
    const { width, height } = this.room;
    if (!width || !height) return false; // hidden
    if (!this.under) this.fill();
    this.ratio = look.ratio;
    this.label(width, height);
    size(this.under, width, height, look.ratio);
    const pooled = paint(this.under, this.shown, look);
    this.inscribe(width / this.map.cols, look);
    return pooled;
  }

  label(width, height) {
    axis(this.frame?.querySelector('.labels-rows'), this.rows, height, false, this.room.letter, this.room.lanes);
    axis(this.frame?.querySelector('.labels-cols'), this.cols, width, true, this.room.letter, this.room.lanes);
  }

  /** inscribe writes into cells that are large enough. */
  inscribe(room, look) {
    const { form, names, rows, cols } = this.map;
    // names of classes are in the legend, and strips below a map have no room for numbers
    if (names || !this.frame || !(room >= TEXT_FROM[form])) return;
    const ctx = this.under.getContext('2d'),
      { width, height } = this.under;
    const upright = form === 'order'; // words are horizontal in their cells
    ctx.font = `500 ${Math.min(11, Math.floor(room * (upright ? 0.95 : 0.62))) * look.ratio}px Inter, sans-serif`;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    for (let r = 0, i = 0; r < rows; r++) {
      for (let c = 0; c < cols; c++, i++) {
        if (this.nothing(r, c)) continue;
        const v = this.value(r, c);
        ctx.fillStyle = inkOn(this.shown, i, look);
        ctx.save();
        ctx.translate(
          (edge(c, cols, width) + edge(c + 1, cols, width)) / 2,
          (edge(r, rows, height) + edge(r + 1, rows, height)) / 2 + 0.5 * look.ratio,
        );
        if (upright) ctx.rotate(-Math.PI / 2);
        ctx.fillText(upright ? shorten(this.words[v] ?? '', 7) : form === 'strip' ? number(v) : String(v), 0, 0);
        ctx.restore();
      }
    }
  }

  /** value returns the exact number of a cell. */
  value(row, col) { return decimal(this.shown.values[row * this.map.cols + col]); }

  /** say formats a value with its unit. */
  say(row, col) {
    const v = this.value(row, col);
    return this.saying ? t(this.saying, { count: Math.trunc(v), value: number(v) }) : number(v);
  }

  /**
   * nothing returns the reason why a cell has no value, or '' if it has one.
   * @returns {''|'forbidden'|'missing'|'cut'|'outside'}
   */
  nothing(row, col) {
    if (row >= this.map.rows || col >= this.map.cols) return 'outside';
    return NOTHING[this.shown.classes[row * this.map.cols + col]];
  }

  /** aside reports whether a cell is excluded. */
  aside(row, col) { return this.shown.classes[row * this.map.cols + col] === ASIDE; }

  /** counts reports whether the values count stages until two tokens meet, where fewer means closer. */
  get counts() { return this.map.kind === 'count' && this.pairs; }

  /** rank sorts cells with a value, given as rows and columns, strongest first. */
  rank(cells) {
    const size = ({ row, col }) => Math.abs(this.shown.values[row * this.map.cols + col]) * (this.counts ? -1 : 1);
    return cells
      .filter(({ row, col }) => !this.nothing(row, col) && !(this.counts && row === col))
      .sort((a, b) => size(b) - size(a));
  }

  /** cellAt returns the cell at a point of the window. */
  cellAt(x, y) {
    const box = this.box.getBoundingClientRect();
    const at = (v, n) => clamp(Math.floor(v * n), n);
    return {
      row: at((y - box.top) / box.height, this.rows.count),
      col: at((x - box.left) / box.width, this.cols.count),
    };
  }

  /** move selects a neighbouring cell, starting with the first one. */
  move(dr, dc) {
    const at = this.cell;
    this.cell = at
      ? { row: clamp(at.row + dr, this.rows.count), col: clamp(at.col + dc, this.cols.count) }
      : { row: 0, col: 0 };
  }

  /**
   * cross draws the cross-hair at the words of a focus, or around the box's own cell.
   * @param {Focus} at
   * @param {{pinned: boolean, paper?: boolean}} how paper: for printing
   */
  cross(at, { pinned, paper = false }) {
    if (!this.ratio) return;
    const own = this.cell && !this.pairs;
    const marked = {
      rows: own ? [this.cell.row] : marks(this.rows, at),
      cols: own ? [this.cell.col] : marks(this.cols, at),
    };
    if (paper) draw(this.under, this.map, marked, { ratio: this.ratio, pinned });
    else
      this.lines.show(this.map, marked, {
        width: this.under.width,
        height: this.under.height,
        ratio: this.ratio,
        pinned,
      });
  }
}

/**
 * marks returns the positions of an axis at the words of a focus.
 * @param {Side} side
 * @param {Focus} at
 */
export function marks({ role, count }, at) {
  const list = !at
    ? []
    : role === 'query'
      ? [at.row]
      : role === 'key'
        ? [at.col]
        : role === 'token'
          ? [at.row, at.col]
          : []; // one position, or several
  return [...new Set(list.flat())].filter((i) => i !== null && i < count);
}

/** @returns {Side} */
function side({ role, title, words: ours, labels = null } = { role: '' }, count, words) {
  const text = ours ? words : labels;
  const name = (i) => (text ? text[i] ?? String(i + 1) : t('script.view.position', { axis: title, number: i + 1 }));
  return { role, count, labels: text, named: Boolean(labels), name };
}

/** canvas creates a canvas in place of the server's picture. */
export function canvas(name, box) {
  const made = el('canvas', { className: name });
  box.querySelector('picture')?.remove();
  box.append(made);
  return made;
}

/** size sets the pixels of a canvas. Setting an equal size would clear it without need. */
export function size(canvas, width, height, ratio) {
  const [w, h] = [width, height].map((side) => Math.max(1, Math.round(side * ratio)));
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
}
