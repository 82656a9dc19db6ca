// One map beside the main ones, in any form: its pixels, its cross-hair, its read-out.

import { quantise, FORBIDDEN, MISSING } from './norm.js';
import { paint, edge } from './paint.js';
import { axis } from './labels.js';
import { draw } from './cross.js';
import { light } from './wiring.js';
import { number, exact, shorten } from './format.js';

/** @typedef {import('./data.js').Sheet} Sheet */
/** @typedef {{row: number|null, col: number|null}|null} Focus */

const TEXT_FROM = { buckets: 11, order: 9, strip: 34 }; // CSS pixels of a cell in which a number has room

export class View {
  /**
   * @param {HTMLElement} element the figure
   * @param {Map<string, Sheet>} sheets
   * @param {string[]} words labels of the tokens
   */
  constructor(element, sheets, words) {
    const data = element.dataset;
    this.element = element;
    this.words = words;
    this.form = data.form;
    this.box = element.querySelector('.sheet');
    this.sheet = sheets.get(data.map);
    this.by = sheets.get(data.by) || null;
    this.classes = data.classes ? JSON.parse(data.classes) : null;
    this.rows = side(data.rowRole, data.rowLabels, Number(data.rows), words, element.querySelector('.view-rows'));
    this.cols = side(data.colRole, data.colLabels, Number(data.cols), words, element.querySelector('.view-cols'));
    this.svg = element.querySelector('.wiring');
    this.plane = 0;
    /** @type {{row: number, col: number}|null} the cell under the hand or the keys */
    this.cell = null;
    this.grids = this.svg ? [] : this.planes().map((values) => this.quantise(values));
    this.canvases();
    this.box.tabIndex = 0;
    this.box.setAttribute('role', 'application');
    this.box.setAttribute('aria-roledescription', 'map');
    this.box.setAttribute('aria-label', `${element.getAttribute('aria-label')}. Arrow keys move${this.grids.length > 1 ? ', [ and ] change the plane' : ''}.`);
  }

  /** planes are the values of each map of a stack. */
  planes() {
    const { rows, cols, all } = this.sheet, size = rows * cols;
    return Array.from({ length: all.length / size }, (_, i) => all.subarray(i * size, (i + 1) * size));
  }

  quantise(values) {
    const { rows, cols, kind, reach } = this.sheet, { norm, shared } = this.element.dataset;
    return quantise({ rows, cols, kind, values, reach: this.form === 'rectangle' || this.pairs() ? reach : null, classes: this.classes, by: this.by }, norm, Number(shared));
  }

  /** pairs says whether a cell is a pair of words. */
  pairs() {
    return this.rows.role === 'query' && this.cols.role === 'key';
  }

  canvases() {
    if (this.svg) return;
    const canvas = (name, parent) => {
      const el = document.createElement('canvas');
      el.className = name;
      parent.querySelector('picture')?.remove();
      parent.append(el);
      return el;
    };
    this.under = canvas('under', this.box);
    this.over = canvas('over', this.box);
    this.thumbs = [...this.element.querySelectorAll('.plane-sheet')].map((el) => canvas('under', el));
  }

  /** paint draws the pixels for the present size. */
  paint(theme) {
    const { width, height } = this.box.getBoundingClientRect();
    if (!width || !height) return; // hidden
    this.ratio = Math.max(1, Math.round(window.devicePixelRatio || 1));
    axis(this.element.querySelector('.labels-rows'), this.rows, height, false);
    if (this.svg) return;
    axis(this.element.querySelector('.labels-cols'), this.cols, width, true);
    const look = { palette: this.element.dataset.scale, theme, ratio: this.ratio };
    for (const canvas of [this.under, this.over]) size(canvas, width, height, this.ratio);
    paint(this.under, this.grids[this.plane], look);
    this.inscribe(width / this.sheet.cols);
    for (const [i, thumb] of this.thumbs.entries()) {
      const box = thumb.parentElement.getBoundingClientRect();
      size(thumb, box.width, box.height, this.ratio);
      paint(thumb, this.grids[i], look);
    }
  }

  /** inscribe writes into cells that have the room. */
  inscribe(room) {
    if (this.classes || !(room >= TEXT_FROM[this.form])) return; // named classes are in the legend
    const ctx = this.under.getContext('2d'), { width, height } = this.under, { rows, cols } = this.sheet, grid = this.grids[this.plane];
    const pixels = ctx.getImageData(0, 0, width, height).data;
    const upright = this.form === 'order'; // words stand in their cells
    ctx.font = `500 ${Math.min(11, Math.floor(room * (upright ? 0.95 : 0.62))) * this.ratio}px Inter, sans-serif`;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    for (let i = 0; i < rows * cols; i++) {
      if (grid.classes[i] === FORBIDDEN || grid.classes[i] === MISSING) continue;
      const r = Math.floor(i / cols), c = i % cols, v = this.value(r, c);
      const x = (edge(c, cols, width) + edge(c + 1, cols, width)) / 2, y = (edge(r, rows, height) + edge(r + 1, rows, height)) / 2;
      const at = 4 * (Math.floor(edge(r, rows, height) + 1) * width + edge(c, cols, width) + 1);
      ctx.fillStyle = 0.3 * pixels[at] + 0.59 * pixels[at + 1] + 0.11 * pixels[at + 2] > 130 ? '#14171c' : '#ffffff';
      ctx.save();
      ctx.translate(x, y + 0.5 * this.ratio);
      if (upright) ctx.rotate(-Math.PI / 2);
      ctx.fillText(upright ? shorten(this.words[v] ?? '', 7) : this.form === 'strip' ? number(v) : String(v), 0, 0);
      ctx.restore();
    }
  }

  value(row, col) {
    const { rows, cols, all } = this.sheet;
    return all[(this.plane * rows + row) * cols + col];
  }

  /** choose draws another plane. */
  choose(plane, theme) {
    const links = [...this.element.querySelectorAll('.plane')];
    if (!links[plane]) return;
    this.plane = plane;
    for (const [i, link] of links.entries()) link.setAttribute('aria-current', String(i === plane));
    links[plane].scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const out = this.element.querySelector('.view-export');
    out.href = links[plane].href;
    out.download = links[plane].dataset.file;
    this.paint(theme);
  }

  /** cellAt is the cell under a point of the window. */
  cellAt(x, y) {
    const box = this.box.getBoundingClientRect();
    const clamp = (v, n) => Math.min(n - 1, Math.max(0, Math.floor(v * n)));
    return { row: clamp((y - box.top) / box.height, this.rowCount()), col: clamp((x - box.left) / box.width, this.colCount()) };
  }

  /** A wiring is drawn with its places as rows. */
  rowCount() { return this.svg ? this.sheet.cols : this.sheet.rows; }
  colCount() { return this.svg ? this.sheet.rows : this.sheet.cols; }

  /** move goes to a neighbouring cell. */
  move(dr, dc) {
    const clamp = (v, n) => Math.min(n - 1, Math.max(0, v));
    const at = this.cell || { row: 0, col: 0 };
    this.cell = this.cell ? { row: clamp(at.row + dr, this.rowCount()), col: clamp(at.col + dc, this.colCount()) } : at;
  }

  /**
   * focus is what a cell means for the other maps: which word reads, which is read.
   * @returns {Focus}
   */
  focus() {
    if (!this.cell) return null;
    const { row, col } = this.cell;
    if (this.svg) return row < this.words.length ? { row: null, col: row } : null;
    if (this.form === 'order') return this.word(this.value(row, col));
    const at = { row: null, col: null };
    for (const [axis, i] of [[this.rows, row], [this.cols, col]]) {
      if (axis.role === 'query' || axis.role === 'token') at.row = i;
      if (axis.role === 'key') at.col = i;
    }
    return at.row === null && at.col === null ? null : at;
  }

  word(i) { return i < this.words.length ? { row: i, col: null } : null; }

  /**
   * cross shows where the words of the others' cross-hair are, or the cell of its own.
   * @param {Focus} at
   * @param {boolean} pinned
   */
  cross(at, pinned) {
    this.element.querySelector('.view-read').replaceChildren(...this.read(at));
    if (this.svg) {
      light(this.svg, this.sheet, this.cell ? this.cell.row : at && at.col !== null ? at.col : null, !this.cell && at && at.col !== null ? at.row : null);
      return;
    }
    if (!this.ratio) return;
    const own = this.cell && !this.pairs();
    const marked = { rows: own ? [this.cell.row] : this.marks(this.rows, at), cols: own ? [this.cell.col] : this.marks(this.cols, at) };
    draw(this.over, this.sheet, marked, { ratio: this.ratio, pinned });
  }

  marks({ role, count }, at) {
    const list = !at ? [] : role === 'query' ? [at.row] : role === 'key' ? [at.col] : role === 'token' ? [at.row, at.col] : [];
    return [...new Set(list)].filter((i) => i !== null && i < count);
  }

  /** read says what is under the hand, or at the words of the cross-hair. */
  read(at) {
    if (this.svg) return this.readWires(at);
    const cell = this.cell || (this.pairs() && at && at.row !== null && at.col !== null ? at : null);
    if (cell && cell.row < this.sheet.rows && cell.col < this.sheet.cols) return this.readCell(cell.row, cell.col);
    if (!at) return [];
    const parts = [];
    const list = this.marks(this.cols, at);
    if (this.cols.role === 'token') for (const i of list) parts.push(this.column(i));
    const [row] = this.marks(this.rows, at);
    if (row !== undefined && !this.pairs() && this.cols.role !== 'token') parts.push(this.strongest(row));
    return [parts.join(' · ')];
  }

  readCell(row, col) {
    const v = this.value(row, col), k = this.grids[this.plane].classes[row * this.sheet.cols + col];
    const out = document.createElement('b');
    out.title = exact(v);
    out.textContent = k === FORBIDDEN ? 'out of reach' : k === MISSING ? (this.form === 'order' ? 'no word' : 'not computed') : this.say(v, row);
    const where = [this.rows.count > 1 || this.rows.named ? this.rows.name(row) : '', this.cols.name(col)].filter(Boolean);
    return [`${where.join(this.pairs() ? ' → ' : ' · ')}: `, out];
  }

  /** say writes a value: a class by its name, a word of an order by its label. */
  say(v, row) {
    if (this.form === 'order') return `${this.words[v]}${this.by ? `, bucket ${this.by.values[row * this.by.cols + v]}` : ''}`;
    if (this.classes && this.classes[v]) return this.classes[v];
    return this.form === 'buckets' ? `bucket ${v}` : this.sheet.kind === 'category' ? String(v) : number(v);
  }

  /** column lists a word's values, one for each row. */
  column(i) {
    const values = Array.from({ length: this.sheet.rows }, (_, r) => this.say(this.value(r, i), r));
    return `${this.cols.name(i)}: ${values.join(', ')}`;
  }

  strongest(row) {
    let best = 0;
    for (let c = 1; c < this.sheet.cols; c++) if (Math.abs(this.value(row, c)) > Math.abs(this.value(row, best))) best = c;
    return `${this.rows.name(row)}: largest ${this.cols.name(best)}, ${number(this.value(row, best))}`;
  }

  readWires(at) {
    const word = (i) => this.words[i] ?? 'nothing';
    const from = this.cell ? this.cell.row : at && at.col;
    if (from === null || from === undefined) return [];
    const to = !this.cell && at.row !== null ? at.row : null;
    const places = light(this.svg, this.sheet, from, to).join(', ');
    return [to === null ? `${word(from)} can be in ${places} places after the switches of stage 1, 2, …` : `from ${word(from)} to ${word(to)}: ${places} places on the way`];
  }
}

/** side is what there is to know of an axis. */
function side(role, labels, count, words, title) {
  const text = labels ? JSON.parse(labels) : role === 'query' || role === 'key' || role === 'token' ? words : null;
  const what = title ? title.firstChild.textContent.trim() : '';
  const name = (i) => (text ? text[i] ?? String(i + 1) : `${what || role} ${i}`);
  return { role, count, labels: text, named: Boolean(labels), name };
}

function size(canvas, width, height, ratio) {
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
}
