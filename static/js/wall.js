// The main view: all cards, one token strip, one cross-hair.

import { Card } from './card.js';
import { Readout, tell, announce, text } from './readout.js';
import { fill, opens } from './table.js';
import { Views } from './views.js';
import { spread } from './lanes.js';
import { expect, forget } from './next.js';
import { Near } from './inview.js';
import { look, printing } from './look.js';
import { moved } from './followpin.js';
import { pinOf } from './pin.js';
import { tint } from './wordcolours.js';
import { follow as followCuts } from './cut.js';
import { follow as followNumbers } from './explain.js';
import { mark } from './scatter.js';
import { press, away } from './strip.js';
import { byId } from './dom.js';

const REST = 100, FEW = 6; // ms until the pointer rests; cards whose words change during a move

export class Wall {
  /** @param {(pin: Cell|null, mode: 'push'|'replace') => void} onPin called when the pin changes; mode: of history */
  constructor(onPin) {
    this.onPin = onPin;
    this.cards = []; // {Card[]}
    this.words = []; // {string[]} labels of the tokens
    this.pinned = null; // {Cell|null}
    this.hover = null; // {Cell|null}
    this.swept = false; // whether the pin grows during a selection: one step of the history
    /** @type {{words: string[], pin: Cell}|null} the pin when another text was typed */
    this.held = null;
    /** @type {string} the mechanism that colours the words, if it is on the page */
    this.lens = '';
    this.tables = new Set();
    this.frame = 0;
    this.timer = 0;
    this.cuts = true; // whether ablation links can be outdated
    this.plots = []; // {Element[]} attention against influence
    this.said = 0; // when words last followed the pointer
    this.aloud = false; // whether the next text is announced
    this.root = byId('cards');
    this.views = new Views(this);
    this.readout = new Readout();
    this.near = new Near((element) => this.come(element), { margin: '400px' }); // painted before it is visible
    this.view = new Near((figure) => this.follows(figure), { margin: '0px' });
    document.addEventListener('scroll', () => this.prepare(), { capture: true, passive: true });
    /** @type {import('./large.js').Large|null} follows the cards */
    this.large = null;
    new ResizeObserver(() => this.repaint()).observe(this.root);
  }

  /**
   * fill reads the cards of the page after an update.
   * @param {import('./data.js').Answer} answer
   */
  fill(answer) {
    const before = this.words;
    forget();
    this.words = [...byId('tokens').children].map((el) => el.dataset.label);
    const cards = [...document.querySelectorAll('.card[data-mechanism]')];
    this.cards = cards.map((el) => this.card(el, answer.get(el.dataset.mechanism)));
    this.near.watch(this.cards.map((card) => card.element));
    this.view.watch(this.cards.map((card) => card.sight), (figure) => figure.closest('.card'));
    const same = this.words.join('\n') === before.join('\n');
    this.hover = same ? this.hover : null;
    this.pinned = this.inside(pinOf(location.search));
    this.follow();
    for (const card of this.cards) opens(card, this.tables.has(card.id));
    this.plots = [...this.root.querySelectorAll('.scatter-points')];
    this.views.fill();
    this.repaint();
    this.large?.fill();
    [this.said, this.cuts] = [0, true];
    this.aloud ||= same && Boolean(this.at()) && !this.root.querySelector('.measuring'); // new numbers
    this.update();
  }

  /** card returns the card of an element, which can be one from the previous page. */
  card(element, maps) {
    const before = this.cards.find((card) => card.element === element);
    before?.take(maps, this.words);
    return before ?? new Card(element, maps, this.words);
  }

  get isPinned() { return Boolean(this.pinned); }

  inside(cell) {
    const n = this.words.length;
    return cell && (cell.last ?? cell.row) < n && (cell.col === null || cell.col < n) ? cell : null;
  }

  /** sweep pins the rows of the words between two, in any order. */
  sweep(from, to) {
    const [row, last] = [Math.min(from, to), Math.max(from, to)];
    if (this.pinned?.row === row && (this.pinned.last ?? row) === last) return;
    this.pinned = null;
    this.pin(row === last ? { row, col: null } : { row, col: null, last }, null, this.swept ? 'replace' : 'push');
    this.swept = true;
  }

  /** hold remembers the pin before another text is requested. */
  hold() {
    this.held ??= this.pinned && { words: this.words, pin: this.pinned };
  }

  /** follow moves the pin to the new place of its words. */
  follow() {
    const { held } = this;
    this.held = null;
    if (!held) return;
    const to = moved(held.pin, held.words, this.words);
    if (JSON.stringify(to) === JSON.stringify(this.pinned)) return;
    this.pinned = to;
    this.onPin(to, 'replace');
  }

  toggle(id) {
    if (!this.tables.delete(id)) this.tables.add(id);
    for (const card of this.cards) opens(card, this.tables.has(card.id));
    this.update();
  }

  repaint() {
    const sighted = this.sighted();
    spread(this.root, this.words);
    for (const card of this.cards) card.painted = false;
    this.paint(sighted);
    this.views.paint();
    this.large?.paint();
    this.strip();
    this.draw();
    for (const card of sighted) card.label(this.at()); // over labels that can have moved
    if (printing()) for (const card of sighted) tell(card, this.words, this.at());
  }

  /** paint draws the pixels of outdated cards. */
  paint(cards) {
    const now = look(), former = cards.filter((card) => !card.painted);
    for (const card of former) card.measure();
    for (const card of former) card.paint(now);
  }

  /** sighted returns the cards with visible maps; in print all cards. */
  sighted() {
    return printing() ? this.cards : this.cards.filter((card) => this.view.has(card.sight));
  }

  /** prepare paints the cards near the visible ones after scrolling, so that few are painted at each keystroke. */
  prepare() { this.paint(this.cards.filter((card) => this.near.has(card.element))); }

  /** come paints a card that comes near the window. */
  come(element) { this.paint(this.cards.filter((one) => one.element === element)); }

  /** follows updates a card that becomes visible. */
  follows(figure) {
    const card = this.cards.find((one) => one.sight === figure);
    if (card) this.paint([card]);
    card?.cross(this.at(), { pinned: this.isPinned, paper: printing() });
    card?.label(this.at());
    if (card) tell(card, this.words, this.at());
  }

  /** at returns the cell of the page, or of a view on a card: the pinned one, or else the one under the pointer. */
  at(view) {
    const at = this.pinned || this.hover, card = view && this.around(view);
    return card ? card.here(at) : at;
  }

  /** around returns the card that contains a view. */
  around(view) { return this.cards.find((card) => card.element.contains(view.frame)); }

  /** wordsOf returns the labels of the tokens for the card that contains a figure. */
  wordsOf(figure) { return this.around({ frame: figure })?.words ?? this.words; }

  /** leave returns a cell of a view in the page's tokens. A view outside of cards already uses them. */
  leave(cell, view, card = view && this.around(view)) { return card ? card.leave(cell) : cell; }

  point(cell, view) {
    cell = this.leave(cell, view);
    const same = JSON.stringify(cell) === JSON.stringify(this.hover);
    this.hover = cell;
    if (!same && !this.pinned) this.update();
  }

  pin(cell, view, mode = 'push') {
    cell = this.leave(cell, view);
    const p = this.pinned;
    const again = cell && p && p.row === cell.row && p.col === cell.col && p.last === cell.last;
    this.pinned = again ? null : cell;
    this.onPin(this.pinned, mode);
    this.swept = false;
    [this.said, this.aloud] = [0, true];
    this.update();
  }

  /** move moves by rows and columns from the current cell. */
  move(dr, dc) {
    const at = this.at(), n = this.words.length - 1;
    const clamp = (v) => Math.min(n, Math.max(0, v));
    const col = at?.col === null && !dc ? null : clamp((at?.col ?? 0) + dc); // up and down, a row stays a row
    this.go(at ? { row: clamp((at.row ?? 0) + dr), col } : { row: 0, col: 0 });
  }

  jump(where, now = this.at()?.row ?? 0, n = this.words.length - 1) {
    const [row, col] = { 'row-start': [now, 0], 'row-end': [now, n], first: [0, 0], last: [n, n] }[where];
    this.go({ row, col });
  }

  go(cell) {
    if (this.pinned) {
      this.pinned = cell;
      this.onPin(cell, 'replace');
    } else {
      this.hover = cell;
    }
    [this.said, this.aloud] = [0, true];
    this.update();
  }

  copy() {
    return text(this.cards, this.words, this.pinned);
  }

  /** update shows the cell under the pointer in the next frame, so that not each move causes a layout. */
  update() {
    const scroll = this.scroll();
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame((now) => {
      const wait = this.said && this.cards.length > FEW ? REST : this.said + REST - now;
      clearTimeout(this.timer);
      if (wait <= 0) this.write(scroll);
      else this.timer = setTimeout(() => { this.said = 0; this.update(); }, wait);
      this.draw();
    });
  }

  /** write updates all words and numbers, which take ten times as long as lines. */
  write(scroll) {
    this.said = performance.now();
    const at = this.at(), sighted = this.sighted();
    if (scroll) byId('tokens').scrollBy(scroll);
    this.strip();
    for (const card of sighted) card.label(at);
    if (this.pinned || this.cuts) {
      followCuts(this.pinned);
      followNumbers(this.pinned);
    }
    this.cuts = this.isPinned;
    this.readout.show(this.cards, this.words, at, { pinned: this.isPinned, lens: this.seen()?.id, sighted });
    if (this.aloud) announce();
    this.aloud = false;
    expect(this.cards, at?.row ?? null, () => this.update());
    for (const card of this.cards) if (this.tables.has(card.id) && card.map) fill(card, this.words, at);
  }

  /** draw moves the lines of every map to the current cell. */
  draw() {
    const at = this.at();
    for (const card of this.sighted()) card.cross(at, { pinned: this.isPinned, paper: printing() });
    this.views.draw();
    this.large?.draw(at);
    mark(this.plots, (plot) => this.cardOf(plot)?.here(at) ?? at);
  }

  /** scroll returns how far to scroll the strip until the attending token is visible, or null if it is. */
  scroll() {
    const at = this.at(), tokens = byId('tokens');
    return at && !tokens.matches(':hover') ? away(tokens, at.row ?? at.col) : null;
  }

  /** strip marks the words, and colours them by the pinned row. */
  strip() {
    const at = this.at(), chips = [...byId('tokens').children];
    for (const [i, chip] of chips.entries()) {
      chip.classList.toggle('is-reader', i === at?.row || (i > at?.row && i <= at?.last));
      chip.classList.toggle('is-target', i === at?.col);
      press(chip, this.pinned?.col === null && i >= this.pinned.row && i <= (this.pinned.last ?? this.pinned.row));
    }
    tint(chips, at && at.last === undefined ? this.seen() : undefined, at?.row ?? null, look());
  }

  /** seen returns the card that colours the words: the last one under the pointer, or the first. */
  seen() {
    const worded = this.cards.filter((card) => card.map?.pairs);
    return worded.find((card) => card.id === this.lens) ?? worded[0];
  }

  /** through colours the words by another mechanism. */
  through(id) {
    this.lens = id;
    this.update();
  }

  cardOf(element) {
    const id = element.closest('.card')?.dataset.mechanism;
    return this.cards.find((c) => c.id === id && c.map);
  }
}
