// One card: a map with its strips, and its values for the read-out.

import { Sheet } from './sheet.js';
import { Second, labels } from './second.js';
import { Heads } from './heads.js';
import { pill } from './pills.js';
import { el, renew, OURS } from './dom.js';
import { t, list } from './messages.js';
import { verb } from './readout.js';
import { draw } from './arcs.js';
import { look } from './look.js';
import { ownOf, inside, outside } from './own.js';

/** rowsOf lists the rows of a focus that covers several. */
const rowsOf = ({ row, last }) => Array.from({ length: last - row + 1 }, (_, i) => row + i);

const NAMED = 4; // largest number of sinks that a sentence names, as in engine/exhibit

export class Card {
  /**
   * @param {HTMLElement} element the article
   * @param {Map<string, import('./data.js').Drawing>|undefined} maps
   * @param {string[]} words labels of the tokens
   */
  constructor(element, maps, words) {
    this.element = element;
    this.id = element.dataset.mechanism;
    this.take(maps, words);
  }

  /** take shows the present maps of the page in the card; boxes that are still there keep their canvases. */
  take(maps, words) {
    const { element } = this,
      had = [this.map, ...(this.strips ?? [])].filter(Boolean);
    if (element.dataset.text === 'second') words = labels();
    this.own = ownOf(element);
    words = this.own?.words ?? words;
    this.words = words;
    this.name = element.querySelector('h2').textContent;
    this.figure = element.querySelector('.figure');
    this.sight = this.figure ?? element; // this must be in sight for the card to follow the pointer
    this.painted = false; // not for the present maps
    const sheet = (box, frame) => {
      const map = maps?.get(box.dataset.map),
        before = had.find((one) => one.box === box);
      if (map) {
        box.querySelector('picture')?.remove();
        before?.take(map, words);
      } else {
        for (const drawn of box.querySelectorAll(OURS)) drawn.remove();
      }
      return map ? (before ?? new Sheet(box, map, words, frame)) : null;
    };
    const box = element.querySelector('.map');
    /** @type {Sheet|null} null when there is no drawing: the picture stays */
    this.map = box && sheet(box, this.figure);
    /** @type {Sheet[]} */
    this.strips = [...element.querySelectorAll('.strip')].map((one) => sheet(one, null)).filter(Boolean);
    this.second = new Second(element, maps);
    this.line = null;
    this.next = [...element.querySelectorAll('.prediction.now')];
    for (const labels of this.map && !this.described ? element.querySelectorAll('.labels') : [])
      labels.replaceChildren(); // they return when the card is painted
    this.heads = new Heads(element.querySelector('.heads-sheet'), maps?.get('heads'));
    this.described = false;
    this.map?.control(t('script.map.kind'), this.name);
  }

  /** unit is the name of the unit of the values; of is its form after a value. */
  get unit() {
    return this.map?.box.dataset.unit ?? '';
  }
  get of() {
    return this.map?.box.dataset.of ?? '';
  }

  /** arcs is the drawing of a row as arcs, or null if the card has a map. */
  get arcs() {
    return this.map?.box.querySelector('.arcs');
  }

  /** cellAt returns what is at a point of the window: a cell, or, for arcs, a row. */
  cellAt(x, y) {
    const cell = this.map.cellAt(x, y);
    return this.leave(this.arcs ? { row: cell.row, col: null } : cell);
  }

  /** leave converts a cell of the card to tokens of the page. */
  leave(cell) {
    return this.own && cell ? outside(this.own, cell, this.id) : cell;
  }

  /** block converts a focus to tokens of the card: on each axis one position, several, or none. */
  block(at) {
    if (at?.last !== undefined)
      return { row: [...new Set(rowsOf(at).flatMap((row) => this.block({ row, col: null }).row))], col: null };
    return this.own ? inside(this.own, at, this.id) : at;
  }

  /** here returns the card's cell for a focus: the strongest of those that share its characters. */
  here(at) {
    const block = this.own && this.map ? this.block(at) : null;
    if (!block) return at;
    const { row, col } = block,
      beyond = Infinity; // the card has no cell there
    const along = (list, { count }) => list ?? Array.from({ length: count }, (_, i) => i);
    const cells = along(row, this.map.rows).flatMap((r) => along(col, this.map.cols).map((c) => ({ row: r, col: c })));
    const best = this.map.rank(cells)[0] ?? cells[0] ?? { row: beyond, col: beyond };
    return { row: row && best.row, col: col && best.col };
  }

  /** counts reports whether the values count stages until two words meet: fewer is nearer. */
  get counts() {
    return Boolean(this.map?.counts);
  }

  /** amount is the number by which a value is sorted. */
  amount(row, col) {
    return Math.abs(this.map.value(row, col));
  }

  /** short formats a value that stands after its word. */
  short(row, col) {
    return this.counts ? t('reading.after', { count: this.map.value(row, col) }) : this.map.say(row, col);
  }

  /** tell writes a sentence about the cell under the pointer below the map, in place of its caption. */
  tell(says) {
    const line = (this.line ??=
      this.figure?.querySelector('.card-read') ??
      this.figure?.querySelector('.caption')?.appendChild(el('span', { className: 'card-read' })));
    if (line) renew(line, says);
  }

  /** hush empties the line below the map of a card out of sight until the card comes into sight. */
  hush() {
    this.figure?.querySelector('.card-read')?.replaceChildren();
  }

  /** describe makes the map one focusable element with a name. */
  describe() {
    const { rows, cols } = this.map.map,
      best = this.strongest();
    const [row, col] = [Math.floor(best / cols), best % cols],
      size = { name: this.name, rows, columns: cols };
    this.map.control(
      t('script.map.kind'),
      best < 0
        ? t('script.map.label', size)
        : t('script.map.label-strongest', {
            ...size,
            row: this.words[row] ?? '',
            verb: verb(),
            column: this.words[col] ?? '',
            value: this.map.say(row, col),
          }),
    );
  }

  /** strongest returns the cell with the largest value or the fewest stages; -1: there is none. */
  strongest() {
    const { map, counts } = this,
      {
        rows,
        cols,
        planes: [{ values }],
      } = map.map,
      none = counts ? Infinity : -Infinity;
    let best = -1,
      most = none;
    for (let row = 0, i = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++, i++) {
        const v = values[i],
          more = counts ? v < most : v > most;
        if (more && !map.nothing(row, col) && !map.aside(row, col) && !(counts && row === col)) [best, most] = [i, v];
      }
    }
    return best;
  }

  /** measure reads the sizes of all maps before any map is written to. */
  measure() {
    for (const one of [this.map, ...this.strips, this.second]) one?.measure();
  }

  /** paint draws the pixels for the present size. */
  paint(look) {
    this.painted = true;
    if (!this.map) return;
    if (!this.described) this.describe();
    this.described = true;
    for (const strip of this.strips) strip.paint(look);
    this.second.paint(look);
    this.heads.paint(look);
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
   * cross draws the cross-hair of a row and, if given, of a column.
   * @param {import('./sheet.js').Focus} at
   * @param {{pinned: boolean, paper: boolean}} how
   */
  cross(at, how) {
    if (!this.map) return;
    const arcs = this.arcs;
    const block = this.block(at);
    if (arcs) draw(arcs, this.map, this.here(at), look());
    else this.map.cross(block, how);
    for (const strip of this.strips) strip.cross(block && { row: null, col: block.col }, how);
    this.second.cross(this.own ? null : at, how);
  }

  /** label shows the words of a row and, if given, of a column in full. */
  label(at) {
    if (!this.map) return;
    const { rows, cols } = this.map;
    at = this.here(at);
    const one = (i, n) => (at && i !== null && i < n ? { text: this.words[i] ?? '', i, n } : null);
    const [row, col] = [one(at?.row, rows.count), one(at?.col, cols.count)];
    this.figure.classList.toggle('crossed', Boolean(row || col));
    if (!this.figure.querySelector('.labels')) return;
    for (const [axis, one] of [
      ['row', row],
      ['col', col],
    ])
      pill(this.map.box, axis, one, this.figure.querySelector(`.labels-${axis}s`));
  }

  /**
   * read returns the values of a cell for the read-out.
   * @returns {{state: 'value'|'forbidden'|'missing'|'cut'|'outside', value?: number, says?: string,
   *   aside?: boolean, strips: {symbol: string, value: number, says: string}[]}}
   */
  read(row, col) {
    const state = this.map ? this.map.nothing(row, col) || 'value' : 'outside';
    if (state === 'outside') return { state, strips: [] };
    const strips = this.strips.map((s) => ({
      symbol: s.box.dataset.symbol,
      value: s.value(0, col),
      says: s.say(0, col),
    }));
    return {
      state,
      value: this.map.value(row, col),
      says: this.map.say(row, col),
      aside: this.map.aside(row, col),
      strips,
    };
  }

  /** spent returns the share that a row gives to excluded sinks; null: none are excluded. */
  spent(row) {
    const {
      map: { cols, sinks },
      shown,
    } = this.map ?? { map: {} };
    if (!sinks?.length) return null;
    const size = (col) => (this.map.nothing(row, col) ? 0 : Math.abs(shown.values[row * cols + col]) || 0);
    let all = 0;
    for (let col = 0; col < cols; col++) all += size(col);
    const words = sinks
      .slice(0, NAMED)
      .map((col) => this.words[col])
      .concat(sinks.length > NAMED ? ['…'] : []);
    return { words: list(words), share: all && sinks.reduce((sum, col) => sum + size(col), 0) / all };
  }

  /** row lists the permitted cells of a row, the strongest first. */
  row(row) {
    if (!this.map) return [];
    return this.map.rank(Array.from({ length: this.map.cols.count }, (_, col) => ({ row, col })));
  }

  /** reader returns the strongest cell of a column. */
  reader(col) {
    if (!this.map) return undefined;
    return this.map.rank(Array.from({ length: this.map.rows.count }, (_, row) => ({ row, col })))[0];
  }
}
