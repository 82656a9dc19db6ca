// The part of a card about the second text: its map and the difference from the first, in small
// size, with the cross-hair of all maps.

import { Sheet } from './sheet.js';
import { number } from './format.js';
import { byId, OURS } from './dom.js';

/** labels returns the labels of the second text's tokens. */
export const labels = () => JSON.parse(byId('second-tools')?.dataset.words || '[]') ?? [];

export class Second {
  /**
   * @param {HTMLElement} element the card
   * @param {Map<string, import('./data.js').Drawing>|undefined} maps
   */
  constructor(element, maps) {
    const boxes = [...element.querySelectorAll('.second-map')].filter((box) => maps?.has(box.dataset.map));
    for (const drawn of element.querySelectorAll(`.second-map :is(${OURS})`)) drawn.remove();
    /** @type {Sheet[]} */
    this.sheets = boxes.map((box) => new Sheet(box, maps.get(box.dataset.map), labels(), null));
  }

  measure() {
    for (const sheet of this.sheets) sheet.measure();
  }

  /** paint draws the pixels for the measured size. */
  paint(look) {
    for (const sheet of this.sheets) sheet.paint(look);
  }

  /**
   * cross draws the cross-hair, and shows the value under it.
   * @param {import('./sheet.js').Focus} at
   * @param {{pinned: boolean, paper: boolean}} how
   */
  cross(at, how) {
    for (const sheet of this.sheets) {
      sheet.cross(at, how);
      const one = at && at.row !== null && at.col !== null && !sheet.nothing(at.row, at.col);
      sheet.box.parentElement.querySelector('.second-read').textContent = one
        ? number(sheet.value(at.row, at.col))
        : '';
    }
  }
}
