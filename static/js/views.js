// The maps next to the main ones: fetched when a visitor opens them, with the common cross-hair.

import { load } from './data.js';
import { look } from './look.js';
import { viewOf } from './view.js';
import { speak } from './dom.js';

/**
 * @typedef {object} Host the page around the views
 * @property {Element} root contains the views
 * @property {string[]} words labels of the tokens
 * @property {(view: import('./view.js').View) => import('./sheet.js').Focus} at focus of a view
 * @property {boolean} isPinned
 * @property {(figure: Element) => string[]} [wordsOf] labels for the model of a figure
 * @property {(at: import('./sheet.js').Focus, view: import('./view.js').View) => void} point
 * @property {(cell: {row: number, col: number}, view: import('./view.js').View) => void} pin
 * @property {() => void} update
 */

export class Views {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    /** @type {Map<Element, import('./view.js').View>} by figure */
    this.views = new Map();
    host.root.addEventListener('toggle', (event) => {
      if (event.target.matches('.more') && event.target.open) this.open(event.target);
    }, true);
    host.root.addEventListener('pointermove', (event) => { if (event.pointerType !== 'touch') this.hover(event); });
    host.root.addEventListener('pointerleave', () => this.leave());
    host.root.addEventListener('click', (event) => this.click(event));
    host.root.addEventListener('focusout', () => this.leave());
  }

  /** fill reads the views of the page after an update. */
  fill() {
    this.views.clear();
    for (const shelf of this.host.root.querySelectorAll('.more')) {
      if (shelf.open || shelf.tagName !== 'DETAILS') this.open(shelf);
    }
  }

  /** open fetches the content of a fold. Without drawings the server's pictures stay. */
  async open(shelf) {
    const figures = [...shelf.querySelectorAll('.view')];
    if (!figures.length || this.views.has(figures[0])) return;
    const answer = await load(shelf.dataset.src).catch(() => null);
    if (!answer || !shelf.isConnected || this.views.has(figures[0])) return;
    this.show(figures, answer);
  }

  /**
   * show draws figures.
   * @param {HTMLElement[]} figures
   * @param {import('./data.js').Answer} answer
   */
  show(figures, answer) {
    for (const figure of figures) {
      const maps = answer.get(figure.dataset.mechanism);
      if (maps?.has(figure.dataset.map))
        this.views.set(figure, viewOf(figure, maps, this.host.wordsOf?.(figure) ?? this.host.words));
    }
    this.paint();
    this.host.update();
  }

  paint() {
    for (const view of this.views.values()) view.measure();
    for (const view of this.views.values()) view.paint(look());
  }

  /** draw shows the cross-hair in every view. */
  draw() {
    for (const view of this.views.values()) view.cross(this.host.at(view), { pinned: this.host.isPinned });
  }

  of(element) {
    const sheet = element.closest?.('.sheet');
    return sheet ? this.views.get(sheet.closest('.view')) : undefined;
  }

  /** pointed returns the view whose cell has the pointer or the keyboard. */
  pointed() {
    return [...this.views.values()].find((view) => view.cell);
  }

  hover(event) {
    const view = this.of(event.target);
    if (view) this.go(view, view.cellAt(event.clientX, event.clientY));
    else this.leave();
  }

  /** go selects a cell of a view. */
  go(view, cell) {
    for (const other of this.views.values()) other.cell = null;
    view.cell = cell;
    this.host.point(view.focus(), view);
    this.host.update();
  }

  leave() {
    const view = this.pointed();
    if (!view) return;
    view.cell = null;
    this.host.update();
  }

  click(event) {
    const link = event.target.closest('.plane'), chosen = link && this.views.get(link.closest('.view'));
    if (chosen && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      this.choose(chosen, Number(link.dataset.plane));
      return;
    }
    const view = this.of(event.target);
    if (!view) return;
    this.go(view, view.cellAt(event.clientX, event.clientY));
    if (view.pairs) this.host.pin(view.cell, view);
  }

  choose(view, plane) {
    view.choose(plane, look());
    this.host.update();
  }

  /** move moves by cells in the view with the keyboard focus. */
  move(target, dr, dc) {
    const view = this.of(target);
    if (!view) return;
    view.move(dr, dc);
    this.go(view, view.cell);
    speak(() => view.frame.querySelector('.view-read').textContent);
  }

  /** step selects another plane of the view with the keyboard focus. */
  step(target, by) {
    const view = this.of(target);
    if (view?.links.length) this.choose(view, Math.min(view.links.length - 1, Math.max(0, view.plane + by)));
  }
}
