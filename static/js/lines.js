// The lines of the read-out, sorted by value. Visible lines are written at once. The others are
// written when the pointer rests, for scrolling and screen readers. Many lines are plain text until
// they become visible.

import { byId, el, renew } from './dom.js';
import { sorted } from './bars.js';
import { Near } from './inview.js';
import { AT_LENGTH } from './limits.js';

const REST = 120; // milliseconds

/**
 * @typedef {import('./bars.js').Reading & {card: import('./card.js').Card, seen: boolean, says: () => (Node|string)[],
 *   title?: () => string}} Line
 */

export class Lines {
  constructor() {
    this.list = byId('readings');
    this.frame = byId('readings-frame');
    this.near = new Near((line) => this.write(line), { root: this.frame, margin: '0px' });
    /** @type {Line[]} */
    this.sorted = [];
    this.timer = 0;
    this.frame = 0;
  }

  /**
   * show writes the readings of the mechanisms.
   * @param {Line[]} all
   */
  show(all) {
    this.sorted = sorted(all);
    const { children } = this.list;
    while (children.length > this.sorted.length) this.list.lastElementChild.remove();
    while (children.length < this.sorted.length)
      this.list.append(el('div', { className: 'reading' }, el('dt', {}), el('dd', {})));
    this.near.watch([...children]);
    for (const line of children) if (this.near.has(line)) this.write(line);
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
    this.timer = setTimeout(() => {
      this.frame = requestAnimationFrame(() => {
        for (const line of children) if (!this.near.has(line)) this.write(line);
      });
    }, REST);
  }

  /** write writes the full content of a line. */
  write(line) {
    const one = this.sorted[[...this.list.children].indexOf(line)];
    if (!one) return;
    const [dt, dd] = line.children, title = one.title?.() ?? '', share = String(one.share);
    const name = one.seen ? 'reading seen' : 'reading';
    if (line.className !== name) line.className = name;
    if (line.dataset.mechanism !== one.card.id) line.dataset.mechanism = one.card.id;
    if (dd.title !== title) dd.title = title;
    renew(dt, [one.card.name]);
    renew(dd, this.near.has(line) || this.sorted.length <= AT_LENGTH ? one.says() : [plain(one.says())]);
    if (dd.style.getPropertyValue('--share') !== share) dd.style.setProperty('--share', share);
  }
}

/** plain returns the text of a line without elements, for screen readers. */
const plain = (says) => says.map((one) => one.textContent ?? one).join('');
