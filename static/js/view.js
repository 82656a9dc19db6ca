// One map next to the main ones, in any form: with its planes, and the line below it for the cell
// under the pointer.

import { Sheet, marks, canvas, size } from './sheet.js';
import { paint } from './paint.js';
import { axis } from './labels.js';
import { light } from './wiring.js';
import { exact } from './format.js';
import { el } from './dom.js';
import { t, parts, list } from './messages.js';

/** @typedef {import('./data.js').Drawing} Drawing */
/** @typedef {import('./sheet.js').Focus} Focus */

/**
 * viewOf returns the view of a figure.
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
    this.fill();
    this.control(
      t('script.view.kind'),
      t(`script.view.${this.links.length > 1 ? 'label-planes' : 'label'}`, {
        name: element.getAttribute('aria-label'),
      }),
    );
  }

  fill() {
    super.fill();
    this.thumbs = [...this.frame.querySelectorAll('.plane-sheet')].map((el) => canvas('under', el));
  }

  measure() {
    super.measure();
    this.rooms = this.thumbs.map((thumb) => thumb.parentElement.getBoundingClientRect());
  }

  paint(look) {
    super.paint(look);
    for (const [i, thumb] of this.thumbs.entries()) {
      size(thumb, this.rooms[i].width, this.rooms[i].height, look.ratio);
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
    this.measure();
    this.paint(look);
  }

  /**
   * focus returns the meaning of the view's own cell for the other maps: the attending and the attended token.
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

  /** read shows the cell under the pointer, or at the words of a focus. */
  read(at) {
    const cell = this.cell || (this.pairs && at && at.row !== null && at.col !== null ? at : null);
    if (cell && this.nothing(cell.row, cell.col) !== 'outside') return this.readCell(cell.row, cell.col);
    if (!at) return [];
    if (this.cols.role === 'token') return [marks(this.cols, at).map((i) => this.column(i)).join(' · ')];
    const [row] = marks(this.rows, at);
    return row === undefined || this.pairs ? [] : [this.strongest(row)];
  }

  readCell(row, col) {
    const why = { forbidden: 'far', cut: 'cut', missing: this.map.form === 'order' ? 'no-word' : 'missing' }[
      this.nothing(row, col)
    ];
    const value = el('b', { title: exact(this.value(row, col)) }, why ? t(`script.cell.${why}`) : this.say(row, col));
    const where = this.pairs
      ? 'pair'
      : this.rows.name(row) && (this.rows.count > 1 || this.rows.named)
        ? 'cell'
        : 'column';
    return parts(`script.view.${where}`, { row: this.rows.name(row), column: this.cols.name(col), value });
  }

  /** say formats a value: a class by its name, a token of an order by its label. */
  say(row, col) {
    const v = this.value(row, col), { form, names, kind } = this.map;
    const bucket = (i) => this.by.planes[0].values[row * this.by.cols + i];
    if (form === 'order')
      return this.by ? t('script.view.in-bucket', { word: this.words[v], number: bucket(v) }) : this.words[v];
    if (names?.[v]) return names[v];
    return form === 'buckets'
      ? t('script.view.bucket', { number: v })
      : kind === 'category'
        ? String(v)
        : super.say(row, col);
  }

  /** column lists the values of a token, one for each row. */
  column(i) {
    return t('script.view.column', {
      column: this.cols.name(i),
      value: list(Array.from({ length: this.rows.count }, (_, r) => this.say(r, i))),
    });
  }

  strongest(row) {
    const { values } = this.shown, first = row * this.cols.count;
    let best = 0;
    for (let c = 1; c < this.cols.count; c++)
      if (Math.abs(values[first + c]) > Math.abs(values[first + best])) best = c;
    return t('script.view.largest', {
      row: this.rows.name(row),
      column: this.cols.name(best),
      value: this.say(row, best),
    });
  }
}

/** Wires is a network of switches, which the server draws: slots are rows, stages are columns. */
class Wires extends View {
  fill() {
    this.svg = this.box.querySelector('.wiring');
    this.thumbs = [];
    const { rows: stages, cols: places } = this;
    this.rows = {
      ...places,
      role: 'place',
      labels: Array.from({ length: places.count }, (_, i) => this.words[i] ?? '·'),
    };
    this.cols = stages;
  }

  paint() {
    const { height } = this.room;
    if (height) axis(this.frame.querySelector('.labels-rows'), this.rows, height, false, this.room.letter);
  }

  focus() {
    return this.cell && this.cell.row < this.words.length ? { row: null, col: this.cell.row } : null;
  }

  cross(at) {
    this.frame.querySelector('.view-read').replaceChildren(...this.read(at));
  }

  read(at) {
    const from = this.cell ? this.cell.row : at?.col ?? null, to = !this.cell && from !== null ? at.row : null;
    const counts = list(light(this.svg, { ...this.map, values: this.shown.values }, from, to));
    const word = (i) => this.words[i] ?? t('script.wiring.nothing');
    if (from === null) return [];
    return [
      to === null
        ? t('script.wiring.reach', { word: word(from), counts })
        : t('script.wiring.way', { from: word(from), to: word(to), counts }),
    ];
  }
}
