// The small maps of a card's heads, side by side on one canvas.

import { paint } from './paint.js';
import { canvas, size } from './sheet.js';
import { put } from './look.js';
import { altered } from './reuse.js';

const TILE = 32; // CSS pixels of a small map

export class Heads {
  /**
   * @param {HTMLElement|null} box gets the canvas in place of the server's picture; null: the card has no heads
   * @param {import('./data.js').Drawing|undefined} map
   */
  constructor(box, map) {
    Object.assign(this, { box, map: box && map });
    if (this.map) box.querySelector('picture')?.remove();
  }

  /** paint gives every cell the same whole number of pixels, so that small maps have the same width. */
  paint(look) {
    if (!this.map) return;
    const { rows, cols, planes: [plane] } = this.map, cell = Math.max(1, Math.round((TILE * look.ratio) / rows));
    const under = this.box.querySelector('canvas') ?? canvas('under', this.box);
    size(under, cols * cell, rows * cell, 1);
    paint(under, plane, look);
  }
}

/** links returns the links to heads on the card of an element. */
export const links = (element) => [...(element.closest('.card')?.querySelectorAll('.head') ?? [])];

/** current returns the index of the selected head. */
export const current = (all) => all.findIndex((link) => link.getAttribute('aria-current') === 'true');

/**
 * stepHead shows the next or previous head on the card of an element.
 * @param {Element} element
 * @param {number} by
 * @param {string} [large] the mechanism whose map stays enlarged
 * @returns {boolean} whether the card has heads to select
 */
export function stepHead(element, by, large) {
  const all = links(element), now = current(all);
  const next = all[Math.min(all.length - 1, Math.max(0, now + by))];
  if (next && next !== all[now]) {
    all.forEach((link) => link.setAttribute('aria-current', String(link === next))); // for the next key
    altered(next);
    if (large) next.setAttribute('href', put(next.getAttribute('href'), 'large', large));
    next.click();
  }
  return all.length > 0;
}

/** together makes the control for all heads apply to all cards, so that no card keeps its own head. */
export function together(form) {
  form.addEventListener('change', ({ target }) => {
    if (target.id === 'c-head')
      for (const own of form.querySelectorAll('input[type="hidden"][name$=".head"]')) own.remove();
  }, true);
}
