// The wall: all cards, one token strip, one cross-hair.

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

const REST = 100, FEW = 6; // ms after which a hand rests, and cards whose words change while it moves

export class Wall {
  /** @param {(pin: Cell|null, mode: 'push'|'replace') => void} onPin called when the pin changes; mode: of history */
  constructor(onPin) {
    this.onPin = onPin;
    this.cards = []; // {Card[]}
    this.words = []; // {string[]} labels of the tokens
    this.pinned = null; // {Cell|null}
    this.hover = null; // {Cell|null}
    this.swept = false; // whether what is pinned grows with a sweep: one step of the history
    /** @type {{words: string[], pin: Cell}|null} what was pinned when another text was typed */
    this.held = null;
    /** @type {string} the mechanism as which the words are coloured, if it is here */
    this.lens = '';
    this.tables = new Set();
    this.frame = 0;
    this.timer = 0;
    this.cuts = true; // whether links to cut may say what is pinned no more
    this.plots = []; // {Element[]} of attention against influence
    this.said = 0; // when words followed the hand last
    this.aloud = false; // whether what is written next is spoken
    this.root = byId('cards');
    this.views = new Views(this);
    this.readout = new Readout();
    this.near = new Near((element) => this.come(element), { margin: '400px' }); // painted before it is seen
    this.view = new Near((figure) => this.follows(figure), { margin: '0px' });
    document.addEventListener('scroll', () => this.prepare(), { capture: true, passive: true });
    /** @type {import('./large.js').Large|null} follows what the cards show */
    this.large = null;
    new ResizeObserver(() => this.repaint()).observe(this.root);
  }

  /**
   * fill takes the cards of the page as it now is.
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

  /** card is that of an element, which may be one that was on the page before. */
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

  /** sweep pins the rows of the words between two, of which either may be the first. */
  sweep(from, to) {
    const [row, last] = [Math.min(from, to), Math.max(from, to)];
    if (this.pinned?.row === row && (this.pinned.last ?? row) === last) return;
    this.pinned = null;
    this.pin(row === last ? { row, col: null } : { row, col: null, last }, null, this.swept ? 'replace' : 'push');
    this.swept = true;
  }

  /** hold keeps in mind what is pinned, before another text is asked for. */
  hold() {
    this.held ??= this.pinned && { words: this.words, pin: this.pinned };
  }

  /** follow leads the pin to where its words now are. */
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
    for (const card of sighted) card.label(this.at()); // over labels that may stand elsewhere
    if (printing()) for (const card of sighted) tell(card, this.words, this.at());
  }

  /** paint draws the pixels of cards that show what was before. */
  paint(cards) {
    const now = look(), former = cards.filter((card) => !card.painted);
    for (const card of former) card.measure();
    for (const card of former) card.paint(now);
  }

  /** sighted are the cards whose maps are in sight; on paper all. */
  sighted() {
    return printing() ? this.cards : this.cards.filter((card) => this.view.has(card.sight));
  }

  /** prepare paints the cards near the visible ones after scrolling, so that few are painted at each keystroke. */
  prepare() { this.paint(this.cards.filter((card) => this.near.has(card.element))); }

  /** come paints a card that comes near. */
  come(element) { this.paint(this.cards.filter((one) => one.element === element)); }

  /** follows has a card that comes into sight show what the others do. */
  follows(figure) {
    const card = this.cards.find((one) => one.sight === figure);
    if (card) this.paint([card]);
    card?.cross(this.at(), { pinned: this.isPinned, paper: printing() });
    card?.label(this.at());
    if (card) tell(card, this.words, this.at());
  }

  /** at is the cell that everything shows, or a view on a card: the pinned one, else the one under the hand. */
  at(view) {
    const at = this.pinned || this.hover, card = view && this.around(view);
    return card ? card.here(at) : at;
  }

  /** around is the card that a view stands in. */
  around(view) { return this.cards.find((card) => card.element.contains(view.frame)); }

  /** wordsOf are the labels of the tokens of the card that a figure stands in. */
  wordsOf(figure) { return this.around({ frame: figure })?.words ?? this.words; }

  /** leave is a cell of a view as the page counts tokens; a view in no card counts so itself. */
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

  /** move goes by rows and columns from the current cell. */
  move(dr, dc) {
    const at = this.at(), n = this.words.length - 1;
    const clamp = (v) => Math.min(n, Math.max(0, v));
    const col = at?.col === null && !dc ? null : clamp((at?.col ?? 0) + dc); // a row stays a row, going up and down
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

  /** update shows the pointed cell in the next frame; between frames, each move of the hand would cause a layout. */
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

  /** write has all words and numbers follow: they cost ten times what lines do, and nobody reads them faster. */
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
    for (const card of this.cards) if (this.tables.has(card.id) && card.map) fill(card, this.words, at?.row ?? 0);
  }

  /** draw moves the lines of every map to what is shown. */
  draw() {
    const at = this.at();
    for (const card of this.sighted()) card.cross(at, { pinned: this.isPinned, paper: printing() });
    this.views.draw();
    this.large?.draw(at);
    mark(this.plots, (plot) => this.cardOf(plot)?.here(at) ?? at);
  }

  /** scroll is how the strip is to be scrolled, so that the word that reads is in sight; null: it is. */
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

  /** seen is the card as which the words are coloured: the one that was last pointed at, or the first. */
  seen() {
    const worded = this.cards.filter((card) => card.map?.pairs);
    return worded.find((card) => card.id === this.lens) ?? worded[0];
  }

  /** through colours the words as another mechanism reads them. */
  through(id) {
    this.lens = id;
    this.update();
  }

  cardOf(element) {
    const id = element.closest('.card')?.dataset.mechanism;
    return this.cards.find((c) => c.id === id && c.map);
  }
}
