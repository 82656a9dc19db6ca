// A map in full window. Every token has its label; larger maps can be zoomed and moved. The
// read-out of all mechanisms moves into the window while it is open.

import { Lens, LONGEST } from './lens.js';
import { gestures } from './gestures.js';
import { links, current, stepHead } from './heads.js';
import { look } from './look.js';
import { byId, el, word } from './dom.js';
import { t, parts } from './messages.js';
import { verb, mean, valued, rowName } from './readout.js';

const STEP = 1.5; // of the zoom, per key or button
const LETTER = 0.58; // width of a letter of size 1
const SIZES = { usual: [7.5, 16], present: [18, 26] }; // of labels, in CSS pixels
const STRIP = 26; // height of a strip with its gap
const TOP = 10; // listed words of a row
const middle = { x: 0.5, y: 0.5 };

export class Large {
  /**
   * @param {import('./wall.js').Wall} wall
   * @param {{step: (control: string, by: number) => void, changed: (id: string) => void}} page
   */
  constructor(wall, page) {
    Object.assign(this, { wall, page });
    this.dialog = byId('large');
    this.id = ''; // of the enlarged card
    this.eye = { zoom: 1, x: 0, y: 0 };
    /** @type {Lens|null} */
    this.lens = null;
    /** @type {Lens[]} */
    this.strips = [];
    this.listed = '';
    this.listen();
    new ResizeObserver(() => this.paint()).observe(byId('large-body'));
  }

  listen() {
    const { dialog } = this,
      readout = byId('readout'),
      place = el('span', { hidden: true });
    readout.before(place);
    this.settle = () => (this.id ? dialog.append(readout) : place.after(readout));
    dialog.addEventListener('cancel', (event) => {
      // Escape: the event "close" would come a frame later
      event.preventDefault();
      this.close();
    });
    dialog.addEventListener('close', () => {
      if (this.id && !dialog.open) this.close();
    }); // a frame late: it can be open again
    dialog.addEventListener('click', ({ target }) => {
      const by = target.dataset.by,
        control = target.closest('.stepper')?.dataset.control;
      if (by && control && !(control === 'c-head' && this.stepHead(Number(by)))) this.page.step(control, Number(by));
    });
    byId('large-close').addEventListener('click', () => this.close());
    byId('large-in').addEventListener('click', () => this.zoom(1));
    byId('large-out').addEventListener('click', () => this.zoom(-1));
    gestures(byId('large-map'), this);
  }

  get isOpen() { return Boolean(this.id); }

  /** toggle enlarges the map of a card, or goes back. */
  toggle(id) {
    if (!id || id === this.id) this.close();
    else this.open(id);
  }

  open(id) {
    if (!this.cardOf(id)) return;
    if (id !== this.id) Object.assign(this.eye, { zoom: 1, x: 0, y: 0 });
    this.id = id;
    if (!this.card.local) this.page.changed(id);
    this.show();
  }

  close() {
    const { id, card } = this;
    this.id = '';
    this.lens = null;
    this.dialog.close();
    this.settle();
    if (!card?.local) this.page.changed('');
    if (!this.presents) byId(`map-${id}`)?.focus({ preventScroll: true });
  }

  /** fill updates the window from the page, whose cards are new. */
  fill() {
    const asked = this.card?.local ? this.id : (new URLSearchParams(location.search).get('large') ?? ''),
      there = this.cardOf(asked);
    if (asked !== this.id) Object.assign(this.eye, { zoom: 1, x: 0, y: 0 });
    this.id = there ? asked : '';
    if (this.isOpen) return this.show();
    this.lens = null;
    if (!this.dialog.open) return;
    this.dialog.close();
    this.settle();
  }

  /** show draws the card and opens the window. */
  show() {
    const { card, eye } = this, { words } = card;
    byId('large-name').textContent = card.name;
    this.dialog.dataset.mechanism = card.id;
    byId('large-truth').textContent = card.element.querySelector('.truth')?.textContent ?? '';
    const copies = ['.caption', '.heads-says', '.formula', '.legend', '.badge', '.note'].map((one) =>
      card.element.querySelector(one)?.cloneNode(true),
    );
    byId('large-about').replaceChildren(...copies.filter(Boolean));
    this.dialog.querySelector('.caption .card-read')?.remove();
    const corner = [...card.figure.querySelectorAll('.axis-title')].map((one) => one.cloneNode(true));
    this.dialog.querySelector('.large-corner').replaceChildren(...corner);
    this.lens = new Lens(byId('large-map'), card.drawing ?? card.map.map, words, { frame: this.dialog, eye });
    this.lens.control(t('script.map.kind'), card.map.box.getAttribute('aria-label'));
    this.lens.box.dataset.rows = this.lens.rows.count;
    this.lens.box.dataset.cols = this.lens.cols.count;
    this.strips = this.stripes(card);
    this.listed = '';
    this.steppers();
    this.lens.moveTo(eye.x, eye.y, Math.min(eye.zoom, this.lens.most));
    if (!this.dialog.open) this.begin();
    this.paint();
  }

  begin() {
    this.settle();
    this.dialog.showModal();
    (this.presents ? byId('large-close') : this.lens.box).focus({ preventScroll: true });
  }

  get presents() { return document.documentElement.dataset.present === 'true'; }

  /** stripes draws a card's strips below the columns. */
  stripes(card) {
    const boxes = card.strips.map((one) => {
      const name = one.box.previousElementSibling.cloneNode(true),
        box = el('div', { className: 'strip', title: one.box.title });
      return { box, name, lens: new Lens(box, one.map, card.words, { frame: null, eye: this.eye }) };
    });
    byId('large-strips').replaceChildren(...boxes.flatMap(({ name, box }) => [name, box]));
    return boxes.map(({ lens }) => lens);
  }

  /** card returns the card of the enlarged map. */
  get card() { return this.wall.cards.find(({ id }) => id === this.id) ?? this.cardOf(this.id); }

  /** cardOf returns a card with a map, which can be that of the visitor's own matrix. */
  cardOf(id) { return [...this.wall.cards, this.wall.matrix?.enlarged].find((card) => card?.id === id && card.map); }

  /** stepHead selects another head of the enlarged card; it returns false if there is none. */
  stepHead(by) { return Boolean(this.card && stepHead(this.card.element, by, this.id)); }

  /** steppers show the values of the page's controls; for heads, those of the card. */
  steppers() {
    for (const one of this.dialog.querySelectorAll('.stepper[data-control]')) {
      const select = byId(one.dataset.control),
        label = select?.closest('.control')?.querySelector('.control-label')?.textContent;
      const heads = one.dataset.control === 'c-head' ? links(this.card.element) : [];
      const names = (heads.length ? heads : [...(select?.options ?? [])]).map(({ textContent }) => textContent),
        at = heads.length ? current(heads) : select?.selectedIndex;
      one.hidden = !select || names.length < 2 || Boolean(this.card.local);
      if (one.hidden) continue;
      one.querySelector('output').textContent = t('script.large.control', { label, value: names[at] ?? '' });
      const [before, after] = one.querySelectorAll('button');
      before.disabled = at <= 0;
      after.disabled = at === names.length - 1;
    }
  }

  /** zoom zooms in or out, or back to the whole map. */
  zoom(by) {
    if (!this.lens) return;
    this.lens.zoomTo(by ? this.eye.zoom * STEP ** by : 1, middle);
    this.paint();
  }

  /** reveal scrolls until the cell of the keyboard is visible. */
  reveal() {
    const at = this.wall.at();
    if (!this.lens || !at || this.eye.zoom === 1) return;
    this.lens.reveal(this.card?.here(at) ?? at);
    this.paint();
  }

  paint() {
    if (!this.lens) return;
    this.layout();
    this.lens.paint(look());
    for (const strip of this.strips) strip.paint(look());
    byId('large-zoom').textContent = t('script.large.zoom', { percent: Math.round(100 * this.eye.zoom) });
    byId('large-out').disabled = this.eye.zoom <= 1;
    byId('large-in').disabled = this.eye.zoom >= this.lens.most;
    this.draw(this.wall.at());
  }

  /**
   * layout chooses the size of the map and of its labels, which compete for space. Each token has a label
   * as long as the labels are legible.
   */
  layout() {
    const { dialog, lens } = this, body = byId('large-body'), { paddingLeft, paddingRight } = getComputedStyle(body);
    const width = body.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight), height = body.clientHeight;
    const [least, most] = SIZES[this.presents ? 'present' : 'usual'];
    const beside = matchMedia('(min-width: 800px)').matches ? Math.max(200, width / 5) : 0;
    const letters = Math.min(
      LONGEST,
      Math.max(4, ...[...(lens.rows.labels ?? []), ...(lens.cols.labels ?? [])].map((label) => [...label].length)),
    );
    let gutter = 60, label = least, side = 0;
    for (let again = 0; again < 4; again++) {
      side = Math.max(
        120,
        Math.floor(Math.min(width - gutter - beside, height - gutter - STRIP * this.strips.length - 4)),
      );
      label = Math.max(
        least,
        Math.min(most, Math.floor(((side * this.eye.zoom) / Math.max(lens.rows.count, lens.cols.count)) * 9.5) / 10),
      );
      gutter = Math.ceil(letters * label * LETTER) + 10;
    }
    for (const [name, value] of Object.entries({ '--side': side, '--label': label, '--gutter': gutter }))
      dialog.style.setProperty(name, `${value}px`);
  }

  /** draw shows the cross-hair, and the words of a row. */
  draw(at) {
    if (!this.lens) return;
    if (this.card?.focus) at = this.card.focus();
    const block = this.card?.block(at) ?? at;
    this.lens.cross(block, { pinned: this.wall.isPinned });
    for (const strip of this.strips) strip.cross(block && { row: null, col: block.col }, { pinned: false });
    this.list(at?.last === undefined ? (this.card?.here(at)?.row ?? null) : at);
  }

  /**
   * list lists the words of a row of the card, the strongest first, or of the mean over several rows of the page.
   * @param {number|{row: number, last: number}|null} row
   */
  list(row) {
    const now = JSON.stringify([row, this.card?.focus?.()]);
    if (this.listed === now) return;
    this.listed = now;
    const box = byId('large-row'), { card } = this;
    if (row === null || !card || row >= Math.max(card.words.length, card.map.rows.count)) return box.replaceChildren();
    const { words } = card,
      number = (i) => el('sub', {}, String(card.own?.numbers?.[i] ?? i + 1)),
      several = row.last !== undefined,
      reader = several ? rowName(this.wall.words, row) : [word('reader', words[row]), number(row)];
    const title = el(
      'h3',
      { className: 'pair' },
      ...(card.says?.() ?? parts(`script.pair.row.${byId('c-show').value}`, { row: reader, verb: verb() })),
    );
    const line = ({ col, value, says }) => {
      const bar = el('span', { className: 'row-bar' });
      bar.style.width = `${100 * Math.abs(value) / most}%`;
      return el(
        'li',
        {},
        el('span', { className: 'row-word' }, word('read', words[col] ?? ''), number(col)),
        el('span', { className: 'row-room' }, bar),
        el('span', { className: 'row-value' }, says),
      );
    };
    const cells = (several ? mean(card, row) : card.row(row)).slice(0, TOP).map(valued(card, several ? null : row)),
      most = Math.abs(cells[0]?.value) || 1;
    box.replaceChildren(title, el('ol', {}, ...cells.map(line)));
  }
}
