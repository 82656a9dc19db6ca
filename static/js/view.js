// One map beside the main ones, in any form: with its planes, and the line below it that says
// what is under the hand.

import { Sheet, marks, canvas, size } from './sheet.js';
import { paint } from './paint.js';
import { axis } from './labels.js';
import { light } from './wiring.js';
import { number, exact } from './format.js';

/** @typedef {import('./data.js').Drawing} Drawing */
/** @typedef {import('./sheet.js').Focus} Focus */

const NOTHING = { forbidden: 'out of reach', missing: 'not computed' };

/**
 * viewOf is the view of a figure.
 * @param {HTMLElement} element
 * @param {Map<string, Drawing>} maps
 * @param {string[]} words labels of the tokens
 */
export function viewOf(element, maps, words) {
  const map = maps.get(element.dataset.map);
  return new (map.form === 'wiring' ? Wires : View)(element, map, words, maps.get(map.by));
}

export class View extends Sheet {
  constructor(element, map, words, by) {
    super(element.querySelector('.sheet'), map, words, element);
    this.by = by;
    this.links = [...element.querySelectorAll('.plane')];
    this.control('map', `${element.getAttribute('aria-label')}. Arrow keys move${this.links.length > 1 ? ', [ and ] change the plane' : ''}.`);
  }

  fill() {
    super.fill();
    this.thumbs = [...this.frame.querySelectorAll('.plane-sheet')].map((el) => canvas('under', el));
  }

  paint(look) {
    super.paint(look);
    for (const [i, thumb] of this.thumbs.entries()) {
      const { width, height } = thumb.parentElement.getBoundingClientRect();
      size(thumb, width, height, look.ratio);
      paint(thumb, this.map.planes[i], look);
    }
  }

  /** choose draws another plane. */
  choose(plane, look) {
    const link = this.links[plane], out = this.frame.querySelector('.view-export');
    if (!link) return;
    this.plane = plane;
    for (const other of this.links) other.setAttribute('aria-current', String(other === link));
    link.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    out.href = link.href;
    out.download = link.dataset.file;
    this.paint(look);
  }

  /**
   * focus is what the own cell means for the other maps: which word reads, which is read.
   * @returns {Focus}
   */
  focus() {
    if (!this.cell) return null;
    const { row, col } = this.cell;
    if (this.map.form === 'order') {
      const word = this.value(row, col);
      return word < this.words.length ? { row: word, col: null } : null;
    }
    const at = { row: null, col: null };
    for (const [{ role }, i] of [[this.rows, row], [this.cols, col]]) {
      if (role === 'query' || role === 'token') at.row = i;
      if (role === 'key') at.col = i;
    }
    return at.row === null && at.col === null ? null : at;
  }

  cross(at, how) {
    this.frame.querySelector('.view-read').replaceChildren(...this.read(at));
    super.cross(at, how);
  }

  /** read says what is under the hand, or at the words of a focus. */
  read(at) {
    const cell = this.cell || (this.pairs && at && at.row !== null && at.col !== null ? at : null);
    if (cell && this.nothing(cell.row, cell.col) !== 'outside') return this.readCell(cell.row, cell.col);
    if (!at) return [];
    if (this.cols.role === 'token') return [marks(this.cols, at).map((i) => this.column(i)).join(' · ')];
    const [row] = marks(this.rows, at);
    return row === undefined || this.pairs ? [] : [this.strongest(row)];
  }

  readCell(row, col) {
    const out = document.createElement('b'), nothing = this.nothing(row, col);
    out.title = exact(this.value(row, col));
    out.textContent = nothing === 'missing' && this.map.form === 'order' ? 'no word' : NOTHING[nothing] || this.say(row, col);
    const where = [this.rows.count > 1 || this.rows.named ? this.rows.name(row) : '', this.cols.name(col)].filter(Boolean);
    return [`${where.join(this.pairs ? ' → ' : ' · ')}: `, out];
  }

  /** say writes a value: a class by its name, a word of an order by its label. */
  say(row, col) {
    const v = this.value(row, col), { form, names, kind } = this.map;
    if (form === 'order') return this.words[v] + (this.by ? `, bucket ${this.by.planes[0].values[row * this.by.cols + v]}` : '');
    if (names?.[v]) return names[v];
    return form === 'buckets' ? `bucket ${v}` : kind === 'category' ? String(v) : number(v);
  }

  /** column lists a word's values, one for each row. */
  column(i) {
    return `${this.cols.name(i)}: ${Array.from({ length: this.rows.count }, (_, r) => this.say(r, i)).join(', ')}`;
  }

  strongest(row) {
    const { values } = this.shown, first = row * this.cols.count;
    let best = 0;
    for (let c = 1; c < this.cols.count; c++) if (Math.abs(values[first + c]) > Math.abs(values[first + best])) best = c;
    return `${this.rows.name(row)}: largest ${this.cols.name(best)}, ${number(this.value(row, best))}`;
  }
}

/** Wires is a network of switches, which the server draws: places are rows, stages are columns. */
class Wires extends View {
  fill() {
    this.svg = this.box.querySelector('.wiring');
    this.thumbs = [];
    const { rows: stages, cols: places } = this;
    this.rows = { ...places, role: 'place', labels: Array.from({ length: places.count }, (_, i) => this.words[i] ?? '·') };
    this.cols = stages;
  }

  paint() {
    const { height } = this.box.getBoundingClientRect();
    if (height) axis(this.frame.querySelector('.labels-rows'), this.rows, height, false);
  }

  focus() {
    return this.cell && this.cell.row < this.words.length ? { row: null, col: this.cell.row } : null;
  }

  cross(at) {
    this.frame.querySelector('.view-read').replaceChildren(...this.read(at));
  }

  read(at) {
    const from = this.cell ? this.cell.row : at?.col ?? null, to = !this.cell && from !== null ? at.row : null;
    const counts = light(this.svg, { ...this.map, values: this.shown.values }, from, to).join(', ');
    const word = (i) => this.words[i] ?? 'nothing';
    if (from === null) return [];
    return [to === null ? `${word(from)} can be in ${counts} places after the switches of stage 1, 2, …` : `from ${word(from)} to ${word(to)}: ${counts} places on the way`];
  }
}
