// The maps beside the main ones: fetched when somebody opens them, one cross-hair with
// all others.

import { load, labelsOf } from './data.js';
import { View } from './view.js';

/**
 * @typedef {object} Host the page around the views
 * @property {string[]} labels of the tokens
 * @property {Element} root whose views they are
 * @property {() => 'light'|'dark'} theme
 * @property {() => import('./view.js').Focus} current
 * @property {() => boolean} isPinned
 * @property {(at: import('./view.js').Focus) => void} point
 * @property {(at: {row: number, col: number}) => void} pin
 * @property {() => void} update
 */

export class Views {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    /** @type {Map<Element, View>} by their figures */
    this.views = new Map();
    host.root.addEventListener('toggle', (event) => {
      if (event.target.matches('.more') && event.target.open) this.open(event.target);
    }, true);
    host.root.addEventListener('pointermove', (event) => { if (event.pointerType !== 'touch') this.hover(event); });
    host.root.addEventListener('pointerleave', () => this.leave());
    host.root.addEventListener('click', (event) => this.click(event));
    host.root.addEventListener('focusout', () => this.leave());
  }

  /** fill takes the views of the page as it now is. */
  fill() {
    this.views.clear();
    for (const shelf of this.host.root.querySelectorAll('.more')) {
      if (shelf.open || shelf.tagName !== 'DETAILS') this.open(shelf);
    }
  }

  /** open fetches what a shelf shows. Without numbers the server's images stay. */
  async open(shelf) {
    const figures = [...shelf.querySelectorAll('.view')];
    if (!figures.length || this.views.has(figures[0])) return;
    const answer = await load(shelf.dataset.src).catch(() => null);
    if (!answer || !shelf.isConnected || this.views.has(figures[0])) return;
    if (!this.host.labels.length) this.host.labels = labelsOf(answer);
    for (const figure of figures) {
      const sheets = answer.get(figure.dataset.mechanism);
      if (sheets?.has(figure.dataset.map)) this.views.set(figure, new View(figure, sheets, this.host.labels));
    }
    this.paint();
    this.host.update();
  }

  paint() {
    for (const view of this.views.values()) view.paint(this.host.theme());
  }

  /** draw shows the cross-hair in every view. */
  draw() {
    for (const view of this.views.values()) view.cross(this.host.current(), this.host.isPinned());
  }

  of(element) {
    const sheet = element.closest?.('.sheet');
    return sheet ? this.views.get(sheet.closest('.view')) : undefined;
  }

  /** over says whether an event is about a view. */
  over(event) {
    return Boolean(this.of(event.target));
  }

  hover(event) {
    const view = this.of(event.target);
    if (!view) {
      this.leave();
      return;
    }
    this.at(view, view.cellAt(event.clientX, event.clientY));
  }

  /** at goes to a cell of a view. */
  at(view, cell) {
    for (const other of this.views.values()) other.cell = null;
    view.cell = cell;
    this.host.point(view.focus());
    this.host.update();
  }

  leave() {
    let any = false;
    for (const view of this.views.values()) {
      any ||= Boolean(view.cell);
      view.cell = null;
    }
    if (any) this.host.update();
  }

  click(event) {
    const link = event.target.closest('.plane'), chosen = link && this.views.get(link.closest('.view'));
    if (chosen && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      chosen.choose(Number(link.dataset.plane), this.host.theme());
      this.host.update();
      return;
    }
    const view = this.of(event.target);
    if (!view) return;
    this.at(view, view.cellAt(event.clientX, event.clientY));
    if (view.pairs()) this.host.pin(view.cell);
  }

  /** move goes by cells from the one of the view that has the keyboard's focus. */
  move(target, dr, dc) {
    const view = this.of(target);
    if (!view) return;
    view.move(dr, dc);
    this.at(view, view.cell);
    speak(view.element.querySelector('.view-read'));
  }

  /** step goes to another plane of the view that has the keyboard's focus. */
  step(target, by) {
    const view = this.of(target);
    if (!view || view.svg) return;
    view.choose(Math.min(view.grids.length - 1, Math.max(0, view.plane + by)), this.host.theme());
    this.host.update();
  }
}

let timer = 0;

/** speak has the line below a view read out, after a rest of the hand. */
function speak(line) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const live = document.getElementById('announce');
    if (live) live.textContent = line.textContent;
  }, 200);
}

/** alone connects the views of a page that has no wall. */
export function alone(root) {
  let at = null, pinned = null, frame = 0;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const host = {
    labels: [], root,
    theme: () => ({ light: 'light', dark: 'dark' })[document.documentElement.dataset.theme] || (dark.matches ? 'dark' : 'light'),
    current: () => pinned || at,
    isPinned: () => Boolean(pinned),
    point: (cell) => { at = cell; },
    pin: (cell) => { pinned = pinned && pinned.row === cell.row && pinned.col === cell.col ? null : cell; host.update(); },
    update: () => { cancelAnimationFrame(frame); frame = requestAnimationFrame(() => views.draw()); },
  };
  const views = new Views(host);
  const repaint = () => { views.paint(); views.draw(); };
  new ResizeObserver(repaint).observe(root);
  dark.addEventListener('change', repaint);
  root.addEventListener('pointerleave', () => { at = null; host.update(); });
  views.fill();
  return views;
}
