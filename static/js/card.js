// One card: two canvases per map or strip, the pixels and the cross-hair.

import { quantise, FORBIDDEN, MISSING } from './norm.js';
import { paint } from './paint.js';
import { draw } from './cross.js';
import { label, pill } from './labels.js';
import { verb } from './readout.js';

/** @typedef {import('./data.js').Sheet} Sheet */

/**
 * @typedef {object} Layer a sheet with the elements that show it
 * @property {HTMLElement} box
 * @property {Sheet} sheet
 * @property {import('./norm.js').Grid} grid
 * @property {HTMLCanvasElement} under
 * @property {HTMLCanvasElement} over
 * @property {string} symbol
 */

export class Card {
  /**
   * @param {HTMLElement} element the article
   * @param {Map<string, Sheet>} sheets
   * @param {string[]} labels of the tokens
   */
  constructor(element, sheets, labels) {
    this.element = element;
    this.id = element.dataset.mechanism;
    this.labels = labels;
    this.name = element.querySelector('h2').textContent;
    this.figure = element.querySelector('.figure');
    const box = element.querySelector('.map');
    /** @type {Layer|null} */
    this.map = box && this.layer(box, sheets);
    /** @type {Layer[]} */
    this.strips = [...element.querySelectorAll('.strip')].map((el) => this.layer(el, sheets)).filter(Boolean);
    if (this.map) this.describe(box);
  }

  /** @returns {Layer|null} null when there are no numbers: the image stays */
  layer(box, sheets) {
    const sheet = sheets && sheets.get(box.dataset.map);
    if (!sheet || !sheet.values.length) return null;
    const under = document.createElement('canvas'), over = document.createElement('canvas');
    under.className = 'under';
    over.className = 'over';
    box.querySelector('picture')?.remove();
    box.append(under, over);
    const grid = quantise(sheet, box.dataset.norm, Number(box.dataset.shared));
    return { box, sheet, grid, under, over, symbol: box.dataset.symbol || '' };
  }

  /** describe makes the map one focusable element with a name. */
  describe(box) {
    box.tabIndex = 0;
    box.setAttribute('role', 'application');
    box.setAttribute('aria-roledescription', 'attention map');
    const { sheet } = this.map;
    let best = -1;
    for (let i = 0; i < sheet.values.length; i++) {
      if (this.map.grid.classes[i] !== FORBIDDEN && !(sheet.values[i] <= sheet.values[best])) best = i;
    }
    const strongest = best < 0 ? '' : `; strongest: ${this.labels[Math.floor(best / sheet.cols)]} ${verb()} ${this.labels[best % sheet.cols] ?? ''}`;
    box.setAttribute('aria-label', `${this.name}, ${sheet.rows} by ${sheet.cols}${strongest}. Arrow keys move, Enter pins.`);
  }

  /** paint draws the pixels for the box's present size. */
  paint(theme) {
    if (!this.map) return;
    const ratio = Math.max(1, Math.round(window.devicePixelRatio || 1));
    let pooled = false;
    for (const layer of [this.map, ...this.strips]) {
      const { width, height } = layer.box.getBoundingClientRect();
      if (!width || !height) continue;
      for (const canvas of [layer.under, layer.over]) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
      }
      const some = paint(layer.under, layer.grid, { palette: layer.box.dataset.scale, theme, ratio });
      pooled ||= some && layer === this.map;
    }
    this.ratio = ratio;
    this.note(pooled);
    label(this.figure, this.labels, this.map.box.clientWidth);
  }

  note(pooled) {
    let el = this.element.querySelector('.pooled');
    if (!el && pooled) {
      el = document.createElement('li');
      el.className = 'pooled';
      el.textContent = 'more cells than pixels: each pixel shows the strongest of its cells';
      let list = this.element.querySelector('.nothing');
      if (!list) {
        list = document.createElement('ul');
        list.className = 'nothing';
        this.element.querySelector('.legend')?.append(list);
      }
      list.append(el);
    }
    if (el) el.hidden = !pooled;
  }

  /**
   * cross draws the cross-hair of a row and, when given, a column.
   * @param {{row: number|null, col: number|null}|null} at
   * @param {boolean} pinned
   * @param {boolean} paper for printing: on the pixels, because Chromium prints
   *   a transparent canvas white
   */
  cross(at, pinned, paper) {
    if (!this.map) return;
    const { rows, cols } = this.map.sheet;
    const row = at && at.row !== null && at.row < rows ? at.row : null;
    const square = cols === this.labels.length;
    const col = at && at.col !== null && square && at.col < cols ? at.col : null;
    const how = { ratio: this.ratio || 1, pinned, paper };
    lines(this.map, row, col, how);
    for (const strip of this.strips) lines(strip, null, col, how);
    this.figure.classList.toggle('crossed', row !== null || col !== null);
    pill(this.map.box, 'row', row === null ? null : { text: this.labels[row] ?? '', at: (row + 0.5) / rows });
    pill(this.map.box, 'col', col === null ? null : { text: this.labels[col] ?? '', at: (col + 0.5) / cols });
  }

  /** cellAt is the cell under a point of the window. */
  cellAt(x, y) {
    const box = this.map.box.getBoundingClientRect();
    const { rows, cols } = this.map.sheet;
    const clamp = (v, n) => Math.min(n - 1, Math.max(0, Math.floor(v * n)));
    return { row: clamp((y - box.top) / box.height, rows), col: clamp((x - box.left) / box.width, cols) };
  }

  /**
   * read is what the read-out says of a cell.
   * @returns {{value: number, state: 'value'|'forbidden'|'missing'|'outside', strips: {symbol: string, value: number}[]}}
   */
  read(row, col) {
    const none = { value: NaN, state: 'outside', strips: [] };
    if (!this.map || row >= this.map.sheet.rows || col >= this.map.sheet.cols) return none;
    const i = row * this.map.sheet.cols + col;
    const k = this.map.grid.classes[i];
    const state = k === FORBIDDEN ? 'forbidden' : k === MISSING ? 'missing' : 'value';
    const strips = this.strips.map((s) => ({ symbol: s.symbol, value: s.sheet.values[col] }));
    return { value: this.map.sheet.values[i], state, strips };
  }

  /** row lists a row's cells that are permitted, strongest first. */
  row(row) {
    if (!this.map || row >= this.map.sheet.rows) return [];
    const { cols, values } = this.map.sheet;
    const list = [];
    for (let col = 0; col < cols; col++) {
      if (this.read(row, col).state === 'value') list.push({ col, value: values[row * cols + col] });
    }
    return list.sort((a, b) => Math.abs(b.value) - Math.abs(a.value) || a.col - b.col);
  }

  /** reader is the row that reads a column most. */
  reader(col) {
    let best = null;
    for (let row = 0; this.map && row < this.map.sheet.rows; row++) {
      const { value, state } = this.read(row, col);
      if (state === 'value' && (!best || Math.abs(value) > Math.abs(best.value))) best = { row, value };
    }
    return best;
  }
}

function lines(layer, row, col, { ratio, pinned, paper }) {
  const list = (i) => (i === null ? [] : [i]);
  draw(paper ? layer.under : layer.over, layer.sheet, { rows: list(row), cols: list(col) }, { ratio, pinned, keep: paper });
}
