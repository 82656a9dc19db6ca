// One card: a map with its strips, and what the read-out says of them.

import { Sheet } from './sheet.js';
import { pill } from './labels.js';
import { el } from './dom.js';
import { t } from './messages.js';
import { verb } from './readout.js';

export class Card {
  /**
   * @param {HTMLElement} element the article
   * @param {Map<string, import('./data.js').Drawing>|undefined} maps
   * @param {string[]} words labels of the tokens
   */
  constructor(element, maps, words) {
    this.element = element;
    this.id = element.dataset.mechanism;
    this.words = words;
    this.name = element.querySelector('h2').textContent;
    this.figure = element.querySelector('.figure');
    const sheet = (box, frame) => (maps?.has(box.dataset.map) ? new Sheet(box, maps.get(box.dataset.map), words, frame) : null);
    const box = element.querySelector('.map');
    /** @type {Sheet|null} null when there is no drawing: the picture stays */
    this.map = box && sheet(box, this.figure);
    /** @type {Sheet[]} */
    this.strips = [...element.querySelectorAll('.strip')].map((el) => sheet(el, null)).filter(Boolean);
    if (this.map) this.describe();
  }

  /** describe makes the map one focusable element with a name. */
  describe() {
    const { rows, cols, planes: [{ values }] } = this.map.map;
    let best = -1;
    for (let i = 0; i < values.length; i++) {
      if (!this.map.nothing(Math.floor(i / cols), i % cols) && !(values[i] <= values[best])) best = i;
    }
    const [row, col] = [Math.floor(best / cols), best % cols], size = { name: this.name, rows, columns: cols };
    this.map.control(t('script.map.kind'), best < 0 ? t('script.map.label', size) : t('script.map.label-strongest', {
      ...size, row: this.words[row] ?? '', verb: verb(), column: this.words[col] ?? '', value: this.map.say(row, col),
    }));
  }

  /** paint draws the pixels for the present size. */
  paint(look) {
    if (!this.map) return;
    for (const strip of this.strips) strip.paint(look);
    this.note(this.map.paint(look));
  }

  note(pooled) {
    let note = this.element.querySelector('.pooled');
    if (!note && pooled) {
      const legend = this.element.querySelector('.legend');
      note = el('li', { className: 'pooled' }, t('script.map.pooled'));
      if (!legend.querySelector('.nothing')) legend.append(el('ul', { className: 'nothing' }));
      legend.querySelector('.nothing').append(note);
    }
    if (note) note.hidden = !pooled;
  }

  /**
   * cross draws the cross-hair of a row and, when given, a column.
   * @param {import('./sheet.js').Focus} at
   * @param {{pinned: boolean, paper: boolean}} how
   */
  cross(at, how) {
    if (!this.map) return;
    const { rows, cols } = this.map;
    this.map.cross(at, how);
    for (const strip of this.strips) strip.cross(at && { row: null, col: at.col }, how);
    const one = (i, n) => (at && i !== null && i < n ? { text: this.words[i] ?? '', at: (i + 0.5) / n } : null);
    const [row, col] = [one(at?.row, rows.count), one(at?.col, cols.count)];
    this.figure.classList.toggle('crossed', Boolean(row || col));
    pill(this.map.box, 'row', row);
    pill(this.map.box, 'col', col);
  }

  /**
   * read is what the read-out says of a cell.
   * @returns {{state: 'value'|'forbidden'|'missing'|'outside', value?: number, says?: string, strips: {symbol: string, value: number, says: string}[]}}
   */
  read(row, col) {
    const state = this.map ? this.map.nothing(row, col) || 'value' : 'outside';
    if (state === 'outside') return { state, strips: [] };
    const strips = this.strips.map((s) => ({ symbol: s.box.dataset.symbol, value: s.value(0, col), says: s.say(0, col) }));
    return { state, value: this.map.value(row, col), says: this.map.say(row, col), strips };
  }

  /** row lists a row's cells that are permitted, strongest first. */
  row(row) {
    if (!this.map) return [];
    return this.map.rank(Array.from({ length: this.map.cols.count }, (_, col) => ({ row, col })));
  }

  /** reader is the cell of a column that is strongest. */
  reader(col) {
    if (!this.map) return undefined;
    return this.map.rank(Array.from({ length: this.map.rows.count }, (_, row) => ({ row, col })))[0];
  }
}
