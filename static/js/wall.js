// The wall: all cards, one token strip, one cross-hair.

import { Card } from './card.js';
import { show, announce, text } from './readout.js';
import { fill } from './table.js';
import { Views } from './views.js';
import { look, printing } from './look.js';
import { byId } from './dom.js';

/** @typedef {{row: number|null, col: number|null}} Cell */

export class Wall {
  /** @param {(pin: Cell|null) => void} onPin called when the pin changes */
  constructor(onPin) {
    this.onPin = onPin;
    /** @type {Card[]} */
    this.cards = [];
    /** @type {string[]} labels of the tokens */
    this.words = [];
    /** @type {Cell|null} */
    this.pinned = null;
    /** @type {Cell|null} */
    this.hover = null;
    this.tables = new Set();
    this.frame = 0;
    this.root = byId('cards');
    this.views = new Views(this);
    new ResizeObserver(() => this.repaint()).observe(this.root);
  }

  /**
   * fill takes the cards of the page as it now is.
   * @param {import('./data.js').Answer} answer
   */
  fill(answer) {
    this.words = [...byId('tokens').children].map((el) => el.dataset.label);
    this.cards = [...document.querySelectorAll('.card')].map((el) => new Card(el, answer.get(el.dataset.mechanism), this.words));
    this.hover = null;
    this.pinned = this.inside(pinOf(location.search));
    for (const card of this.cards) this.button(card);
    this.views.fill();
    this.repaint();
    this.update();
  }

  get isPinned() { return Boolean(this.pinned); }

  inside(cell) {
    return cell && cell.row < this.words.length && cell.col < this.words.length ? cell : null;
  }

  /** button prepares "As table". */
  button(card) {
    const button = card.element.querySelector('.as-table');
    if (!button || !card.map) return;
    button.hidden = false;
    const open = this.tables.has(card.id);
    button.setAttribute('aria-expanded', String(open));
    card.element.querySelector('.table-slot').hidden = !open;
  }

  toggle(id) {
    if (!this.tables.delete(id)) this.tables.add(id);
    for (const card of this.cards) this.button(card);
    this.update();
  }

  repaint() {
    for (const card of this.cards) card.paint(look());
    this.views.paint();
    this.draw();
  }

  /** at is the cell that everything shows: the pinned one, else the one under the hand. */
  at() {
    return this.pinned || this.hover;
  }

  point(cell) {
    const same = JSON.stringify(cell) === JSON.stringify(this.hover);
    this.hover = cell;
    if (!same && !this.pinned) this.update();
  }

  pin(cell) {
    const p = this.pinned;
    const again = cell && p && p.row === cell.row && p.col === cell.col;
    this.pinned = again ? null : cell;
    this.onPin(this.pinned);
    this.update();
    announce();
  }

  /** move goes by rows and columns from the current cell. */
  move(dr, dc) {
    const at = this.at(), n = this.words.length - 1;
    const clamp = (v) => Math.min(n, Math.max(0, v));
    this.go(at ? { row: clamp((at.row ?? 0) + dr), col: clamp((at.col ?? 0) + dc) } : { row: 0, col: 0 });
  }

  jump(where) {
    const row = this.at()?.row ?? 0, n = this.words.length - 1;
    this.go({ 'row-start': { row, col: 0 }, 'row-end': { row, col: n }, first: { row: 0, col: 0 }, last: { row: n, col: n } }[where]);
  }

  go(cell) {
    if (this.pinned) {
      this.pinned = cell;
      this.onPin(cell);
    } else {
      this.hover = cell;
    }
    this.update();
    announce();
  }

  copy() {
    return text(this.cards, this.words, this.pinned);
  }

  update() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      const at = this.at();
      this.draw();
      show(this.cards, this.words, at, this.isPinned);
      expect(this.root, at?.row ?? null);
      for (const card of this.cards) if (this.tables.has(card.id) && card.map) fill(card, this.words, at?.row ?? 0);
    });
  }

  draw() {
    const at = this.at(), tokens = byId('tokens');
    for (const card of this.cards) card.cross(at, { pinned: this.isPinned, paper: printing() });
    this.views.draw();
    [...tokens.children].forEach((chip, i) => {
      chip.classList.toggle('is-reader', i === at?.row);
      chip.classList.toggle('is-target', i === at?.col);
    });
    if (at && !tokens.matches(':hover')) reveal(tokens, at.row ?? at.col);
  }

  cardOf(element) {
    const id = element.closest('.card')?.dataset.mechanism;
    return this.cards.find((c) => c.id === id && c.map);
  }
}

/** expect shows the next words after the token of a row; without one, after that which the server chose. */
function expect(root, row) {
  for (const now of root.querySelectorAll('.prediction.now')) {
    const after = (i) => now.parentElement.querySelector(`.every [data-at="${i}"]`);
    const one = after(row) ?? after(now.dataset.first);
    if (one && one.textContent !== now.textContent) now.replaceChildren(...one.cloneNode(true).childNodes);
  }
}

/** reveal scrolls the strip, and nothing else, to a chip that is out of sight. */
function reveal(strip, i) {
  const chip = strip.children[i];
  if (!chip) return;
  const outer = strip.getBoundingClientRect(), inner = chip.getBoundingClientRect();
  if (inner.top < outer.top || inner.bottom > outer.bottom) strip.scrollTop += inner.top - outer.top - outer.height / 2;
  if (inner.left < outer.left || inner.right > outer.right) strip.scrollLeft += inner.left - outer.left - outer.width / 2;
}

/** pinOf reads the pin of a query. */
function pinOf(search) {
  const found = /^([1-9]\d*)\.([1-9]\d*)$/.exec(new URLSearchParams(search).get('pin') || '');
  return found && { row: found[1] - 1, col: found[2] - 1 };
}
